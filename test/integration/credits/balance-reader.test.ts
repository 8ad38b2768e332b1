import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { newestSql } from '../../../electron/core/storage/balance-samples-repository.ts';
import { wholeTable } from '../../../shared/domain/row-filter.ts';
import { startDemo } from '../../helpers/demo-process.ts';
import { listenOnLoopback } from '../../helpers/loopback.ts';
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

test('alerts watch the balance of the lookup key while there is one, then the account’s, by its master key if it has one', async () => {
  const service = await startDemo('--seed', '42', '--premises', '2000');
  const program = unwrap(await startProgram());
  try {
    const { call, told } = program;
    const { restBaseUrl, soapUrl, soapNamespace, utilitiesNamespace, demo } = service;
    const connectionId = await program.connect(
      { restBaseUrl, soapUrl, soapNamespace, utilitiesNamespace, accountName: demo.accountName },
      { 'lookup-key': demo.lookupKey, 'master-key': demo.masterKey, 'account-guid': demo.guid },
    );
    const read = async (source: 'rest-key' | 'soap-account') => {
      told.length = 0;
      const { samples } = unwrap(await call('credits.read-balances', { connectionId, sources: [source] }));
      const { alerts } = unwrap(await call('credits.alerts', { connectionId }));
      expect(samples).toHaveLength(1);
      return {
        shown: alerts[0]?.now === samples[0]?.credits,
        notices: told.filter(({ event }) => event === 'credits.alert').length,
      };
    };
    const remove = async (role: string) => {
      const { connections } = unwrap(await call('connections.list', {}));
      const key = connections[0]?.secrets.find((one) => one.role === role);
      unwrap(await call('secrets.remove', { secretId: key?.id ?? '' }));
    };
    const watch = async () => {
      unwrap(await call('credits.save-alerts', { connectionId, alerts: [] }));
      const alerts = [{ kind: 'below-credits', threshold: 10_000_000 } as const];
      unwrap(await call('credits.save-alerts', { connectionId, alerts }));
    };
    const notWatched = { shown: false, notices: 0 };
    const watched = { shown: true, notices: 1 };

    await watch();
    expect(await read('rest-key')).toEqual(watched);
    await watch();
    expect(await read('soap-account')).toEqual(notWatched);
    await remove('lookup-key');
    expect(await read('rest-key')).toEqual(watched);
    await watch();
    expect(await read('soap-account')).toEqual(notWatched);
    await remove('master-key');
    expect(await read('soap-account')).toEqual(watched);
  } finally {
    await program.close();
    await service.stop();
  }
});

test('a paid call that waits for the reading before it is shown, is stopped at once, and goes after five seconds', async () => {
  const asked: string[] = [];
  let isSilent = false;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    asked.push(pathname);
    if (pathname.endsWith('/GetCredits') && isSilent) return;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ item: { id: searchParams.get('id'), street: 'Mill Lane' }, Credits: 100 }));
  });
  const port = await listenOnLoopback(server);
  const program = unwrap(await startProgram({ readDelayMs: 2_000_000_000 }));
  try {
    const connectionId = await program.connect(
      { restBaseUrl: `http://127.0.0.1:${port}/v1` },
      { 'lookup-key': 'LK-1111111111111111' },
    );
    const open = (premise: number) =>
      program.call(
        'lookup.open',
        { connectionId, premiseId: String(10_000_000 + premise), interface: 'rest' },
        `open ${premise}`,
      );
    const running = () => program.told.findLast(({ event }) => event === 'calls.running')?.payload;
    const isRead = () => expect.poll(() => asked.filter((path) => path.endsWith('/GetCredits')).length);
    isSilent = true;

    for (let premise = 0; premise < 10; premise++) unwrap(await open(premise));
    const stopped = open(10);
    await isRead().toBe(1);
    expect(running()).toMatchObject([{ requestId: 'open 10', operation: 'GetPremise' }]);
    // It ends as stopped, whatever else would hold it back by now.
    const cap = (perDay: number | null) =>
      program.call('credits.save-caps', { connectionId, caps: { perRun: null, perDay, floor: null } });
    unwrap(await cap(1));
    program.cancel('open 10');
    expect(await stopped).toMatchObject({ ok: false, error: { code: 'cancelled', charge: 'not-charged' } });
    expect(running()).toEqual([]);
    expect(asked).toHaveLength(11);
    unwrap(await cap(null));
    server.closeAllConnections();

    for (let premise = 10; premise < 20; premise++) unwrap(await open(premise));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const waiting = open(20);
    await isRead().toBe(2);
    vi.advanceTimersByTime(5000);
    unwrap(await waiting);
  } finally {
    vi.useRealTimers();
    await program.close();
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
});

/** A service that answers with its balance, whatever it is asked. */
async function startBalance(credits: number | string) {
  const account = { credits };
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ Credits: account.credits }));
  });
  const port = await listenOnLoopback(server);
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

test('a minimum balance is compared to the last figure that was read, though a later reading gave none', async () => {
  const [one, other] = [await startBalance(4000), await startBalance('unlimited')];
  const program = unwrap(await startProgram({ readDelayMs: 2_000_000_000 }));
  try {
    const { call } = program;
    const outcome = async (service: typeof one, key: string) => {
      const connectionId = await program.connect({ restBaseUrl: service.restBaseUrl }, { 'lookup-key': key });
      await call('credits.read-balances', { connectionId, sources: ['rest-key'] });
      service.account.credits = 'unlimited';
      await call('credits.read-balances', { connectionId, sources: ['rest-key'] });
      unwrap(await call('credits.save-caps', { connectionId, caps: { floor: 100 } }));
      const { samples, compared } = unwrap(await call('credits.overview', { connectionId }));
      const search = await call('lookup.search', { connectionId, text: 'HR2 6DB', cache: 'reload' });
      const { isRefused, message } = search.ok
        ? { isRefused: false, message: '' }
        : { isRefused: search.error.code === 'cap-reached', message: search.error.message };
      return {
        last: samples.map(({ credits }) => credits),
        compared: compared?.credits,
        isRefused,
        message,
      };
    };
    expect(await outcome(one, 'LK-1111111111111111')).toMatchObject({
      last: [null],
      compared: 4000,
      isRefused: false,
    });
    expect(await outcome(other, 'LK-2222222222222222')).toEqual({
      last: [null],
      compared: undefined,
      isRefused: true,
      message: 'A minimum balance is set, and no figure of the balance that pays for this call has been read.',
    });
  } finally {
    await program.close();
    await one.stop();
    await other.stop();
  }
});

test('a minimum balance is shown with the figure that it is compared to, whichever connection has read it', async () => {
  const service = await startBalance(300);
  const program = unwrap(await startProgram({ readDelayMs: 2_000_000_000 }));
  try {
    const { call } = program;
    const [first, second] = [
      await program.connect({ restBaseUrl: service.restBaseUrl }, { 'lookup-key': 'LK-1111111111111111' }),
      await program.connect({ restBaseUrl: service.restBaseUrl }, { 'lookup-key': 'LK-1111111111111111' }),
    ];
    unwrap(await call('credits.save-caps', { connectionId: second, caps: { floor: 100 } }));
    const outcome = async () => {
      const { samples, compared } = unwrap(await call('credits.overview', { connectionId: second }));
      const search = await call('lookup.search', { connectionId: second, text: 'HR2 6DB', cache: 'reload' });
      const isRefused = !search.ok && search.error.code === 'cap-reached';
      return { samples: samples.length, compared: compared?.credits, isRefused };
    };
    expect(await outcome()).toEqual({ samples: 0, compared: undefined, isRefused: true });
    unwrap(await call('credits.read-balances', { connectionId: first, sources: ['rest-key'] }));
    expect(await outcome()).toEqual({ samples: 0, compared: 300, isRefused: false });
  } finally {
    await program.close();
    await service.stop();
  }
});

test('the minimum balance of the demo is shown with the figure of its lookup key, as calls are compared to it', async () => {
  const program = unwrap(await startProgram({ readDelayMs: 2_000_000_000 }));
  try {
    const { call } = program;
    const { connection } = unwrap(await call('connections.start-demo', {}));
    const connectionId = connection.id;
    unwrap(await call('credits.save-caps', { connectionId, caps: { floor: 100 } }));
    const read = async (source: 'rest-key' | 'soap-account') =>
      unwrap(await call('credits.read-balances', { connectionId, sources: [source] })).samples[0]?.credits;
    const outcome = async () => {
      const { compared } = unwrap(await call('credits.overview', { connectionId }));
      const search = await call('lookup.search', { connectionId, text: 'HR2 6DB', interface: 'rest', cache: 'reload' });
      return { compared: compared?.credits, isRefused: !search.ok && search.error.code === 'cap-reached' };
    };
    expect(await outcome()).toEqual({ compared: undefined, isRefused: true });
    const credits = await read('rest-key');
    expect(credits).toBeGreaterThan(100);
    expect(await outcome()).toEqual({ compared: credits, isRefused: false });
    // The account's figure stays as it is read here, while the key pays.
    await read('soap-account');
    const left = await read('rest-key');
    expect(left).toBeLessThan(credits ?? 0);
    expect(await outcome()).toEqual({ compared: left, isRefused: false });
  } finally {
    await program.close();
  }
});

test('an address that was edited, and edited back, is two balances in the chart, its table, an export, a reconciliation and a forecast', async () => {
  const [one, other] = [await startBalance(5000), await startBalance(120)];
  const start = new Date(2027, 2, 1, 9).getTime();
  let time = start;
  const program = unwrap(await startProgram({ clock: { now: () => time++ }, readDelayMs: 2_000_000_000 }));
  try {
    const { call } = program;
    const connectionId = await program.connect(
      { restBaseUrl: one.restBaseUrl, soapUrl: one.restBaseUrl },
      { 'lookup-key': 'LK-1111111111111111' },
    );
    const read = async () => {
      time += 3_600_000;
      unwrap(await call('credits.read-balances', { connectionId, sources: ['rest-key'] }));
    };
    const search = async (text: string) => {
      time += 10_000;
      await call('lookup.search', { connectionId, text, cache: 'reload' });
    };
    const drawn = (days: number) =>
      call('credits.history', {
        connectionId,
        from: new Date(time - days * 86_400_000).toISOString(),
        to: new Date(time).toISOString(),
        by: 'key',
      }).then((history) => {
        const { lines, elsewhere } = unwrap(history);
        return [lines.map(({ points }) => points.map(({ credits }) => credits)), elsewhere];
      });
    const asked = { connectionId, from: new Date(start).toISOString(), to: '2027-03-31T00:00:00.000Z' };
    const reconcile = async () => unwrap(await call('credits.reconcile', asked)).balances;
    await read();
    await read();
    expect(await drawn(7)).toEqual([[[5000, 5000]], false]);

    // SOAP stays where it was: what REST has read there is no balance of the new address.
    await editConnection(program, connectionId, { restBaseUrl: other.restBaseUrl });
    expect(unwrap(await call('credits.overview', { connectionId })).samples).toEqual([]);
    await read();
    await search('HR2 6DB');
    await search('HR2 6DC');
    other.account.credits = 118;
    await read();
    expect(await drawn(7)).toEqual([[[120, 118]], true]);
    expect(await drawn(365)).toEqual([[[118]], true]);
    // The balance was read twice at each address without a call between.
    expect((await reconcile())[0]).toMatchObject({ expected: 2, observed: 2, quiet: { windows: 0, still: 0 } });

    await editConnection(program, connectionId, { restBaseUrl: one.restBaseUrl });
    // What was spent elsewhere is not off the last figure of this address.
    expect(unwrap(await call('credits.forecast', { connectionId })).from).toMatchObject({
      credits: 5000,
      spentSince: 0,
    });
    await read();
    one.account.credits = 4990;
    await read();
    expect(await drawn(7)).toEqual([[[5000, 5000, 5000, 4990]], true]);
    expect(await drawn(365)).toEqual([[[4990]], true]);
    expect(await reconcile()).toMatchObject([
      {
        opening: { credits: 5000 },
        closing: { credits: 4990 },
        spent: [],
        observed: 10,
        others: 10,
        open: 0,
        // The calls that went to the other address count against that balance.
        outside: 0,
      },
    ]);

    const { fileName } = unwrap(await call('credits.export', { ...asked, what: 'readings', format: 'json' }));
    const rows: { credits: number; server: string }[] = JSON.parse(
      readFileSync(join(program.folder, fileName), 'utf8'),
    );
    const [here, there] = [one, other].map(({ restBaseUrl }) => new URL(restBaseUrl).origin);
    expect(rows.map(({ credits, server }) => [credits, server])).toEqual([
      [5000, here],
      [5000, here],
      [120, there],
      [118, there],
      [5000, here],
      [4990, here],
    ]);
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
