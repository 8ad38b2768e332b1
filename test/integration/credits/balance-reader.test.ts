import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { newestSql } from '../../../electron/core/storage/balance-samples-repository.ts';
import { wholeTable } from '../../../shared/domain/row-filter.ts';
import { startDemo } from '../../helpers/demo-process.ts';
import { editConnection, startProgram } from '../../helpers/program.ts';
import { openTempDatabase, unwrap } from '../../helpers/temp-database.ts';

test.each([
  ['with a REST address', true, ['GetCredits']],
  ['without one, whatever keys it has', false, []],
])('a connection %s: the free reading after a burst of calls', async (_, hasRest, operations) => {
  const service = await startDemo('--seed', '42', '--premises', '2000');
  const program = unwrap(await startProgram());
  try {
    const { restBaseUrl, soapUrl, soapNamespace, utilitiesNamespace, demo } = service;
    const connectionId = await program.connect(
      {
        restBaseUrl: hasRest ? restBaseUrl : '',
        soapUrl,
        soapNamespace,
        utilitiesNamespace,
        accountName: demo.accountName,
      },
      { 'lookup-key': demo.lookupKey, 'account-guid': demo.guid, 'licence-id': demo.licenceId },
    );
    await program.core.credits.reader.readFree(connectionId);
    const listed = await program.call('activity.list', { filter: wholeTable, before: null, limit: 10, fold: false });
    expect(unwrap(listed).calls.map(({ operation }) => operation)).toEqual(operations);
  } finally {
    await program.close();
    await service.stop();
  }
});

/** A service that answers with its balance, whatever it is asked. */
async function startBalance(credits: number) {
  const account = { credits };
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ Credits: account.credits }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    account,
    restBaseUrl: `http://127.0.0.1:${port}/v1`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

test('the balances of an address that was edited are another service’s: not shown, forecast, compared or polled at the new one', async () => {
  const [one, other] = [await startBalance(4000), await startBalance(120)];
  let time = Date.parse('2027-03-01T09:00:00.000Z');
  const program = unwrap(await startProgram({ clock: { now: () => time++ }, readDelayMs: 2_000_000_000 }));
  try {
    const { call } = program;
    const connectionId = await program.connect(
      { restBaseUrl: one.restBaseUrl },
      { 'lookup-key': 'LK-1111111111111111' },
    );
    const read = async () => {
      time += 60_000;
      unwrap(await call('credits.read-balances', { connectionId, sources: ['rest-key'] }));
    };
    const moveTo = async (restBaseUrl: string) => {
      program.told.length = 0;
      await editConnection(program, connectionId, { restBaseUrl });
      // What the window shows goes by the address.
      expect(program.told.map(({ event }) => event)).toContain('storage.changed');
    };
    const shown = async () => {
      const { samples } = unwrap(await call('credits.overview', { connectionId }));
      const { from } = unwrap(await call('credits.forecast', { connectionId }));
      const { alerts } = unwrap(await call('credits.alerts', { connectionId }));
      return [samples.map(({ credits }) => credits), from?.credits, ...alerts.map(({ now }) => now)];
    };
    const reconcile = async () => {
      const [from, to] = ['2027-03-01T00:00:00.000Z', '2027-03-01T23:59:59.999Z'];
      return unwrap(await call('credits.reconcile', { connectionId, from, to })).balances;
    };
    program.core.settings.write('selectedConnectionId', connectionId);
    unwrap(
      await call('credits.save-alerts', {
        connectionId,
        alerts: [
          { kind: 'below-credits', threshold: 100 },
          { kind: 'below-percent', threshold: 10 },
        ],
      }),
    );
    await read();
    one.account.credits = 5000;
    await read();
    expect(await shown()).toEqual([[5000], 5000, 5000, 100]);

    await moveTo(other.restBaseUrl);
    expect(await shown()).toEqual([[], undefined, null, null]);
    time += 3_600_000;
    expect(await program.core.credits.poller.tick()).toBe(false);
    await read();
    expect(await shown()).toEqual([[120], 120, 120, null]);
    expect(program.told.map(({ event }) => event)).not.toContain('credits.alert');
    expect(await reconcile()).toMatchObject([{ closing: null, observed: 0 }]);
    await read();
    expect(await reconcile()).toMatchObject([{ opening: { credits: 120 }, closing: { credits: 120 }, observed: 0 }]);

    await moveTo(one.restBaseUrl);
    expect(await shown()).toEqual([[5000], 5000, 5000, 100]);
  } finally {
    await program.close();
    await one.stop();
    await other.stop();
  }
});

test('the newest reading of an address is found without reading those of the one before it', () => {
  const temp = openTempDatabase();
  try {
    const plan = temp.db.sql.prepare(`EXPLAIN QUERY PLAN ${newestSql()}`).all();
    const steps = plan.map((row) => String(row.detail));
    expect(steps.filter((step) => step.startsWith('SEARCH one'))).toEqual([
      'SEARCH one USING INDEX readings_of_server (connection_id=? AND source=? AND label=? AND key_last_four=? AND origin=?)',
    ]);
    expect(steps.filter((step) => /^SCAN (?!streams|newest|json_each)/.test(step))).toEqual([]);
  } finally {
    temp.remove();
  }
});
