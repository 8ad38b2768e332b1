import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppCore } from '../../../electron/core/app-core.ts';
import type { Policy } from '../../../electron/core/policy/policy-schema.ts';
import { brokenPolicy, type MachinePolicy, withoutPolicy } from '../../../electron/core/policy/read-policy.ts';
import { type ChannelName, channels } from '../../../shared/contract.ts';
import { wholeTable } from '../../../shared/domain/row-filter.ts';
import { type Channels, openChannels, startCore } from '../../helpers/core.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { connectionDraft, unwrap } from '../../helpers/temp-database.ts';
import { startTcpServer, type TestServer } from '../transport/servers.ts';

const policyOf = (policy: Omit<Policy, 'version'>): MachinePolicy => ({
  ...withoutPolicy,
  state: 'read',
  source: 'the test’s policy',
  policy: { version: 1, ...policy },
});

describe('the whole console under a policy', () => {
  let folder: string;
  /** The file that a person chooses in the save dialog. */
  let savedTo: string;
  let server: TestServer;
  let core: AppCore;
  let call: Channels['call'];

  /** Starts the program again with the same folder. */
  async function start(policy: MachinePolicy): Promise<void> {
    await core?.close();
    core = unwrap(await startCore({ folder, policy }));
    ({ call } = openChannels(core, { chooseSaveFile: async () => savedTo }));
  }

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'address-console-policy-'));
    savedTo = join(folder, 'exported.txt');
    server = await startTcpServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n[]');
    });
  });
  afterEach(async () => {
    await core.close();
    await server.close();
    removeFolder(folder);
  });

  const draft = () => connectionDraft('Wyebank', { restBaseUrl: `http://127.0.0.1:${server.port}` });
  const search = (connectionId: string) => call('lookup.search', { connectionId, text: 'LS1 4AP' } as never);

  it('opens no socket to a forbidden address, and lets none be saved', async () => {
    await start(withoutPolicy);
    const { connection } = unwrap(await call('connections.save', { id: null, draft: draft() }));
    unwrap(
      await call('secrets.put', {
        connectionId: connection.id,
        role: 'lookup-key',
        label: 'A',
        value: 'key-0001-abcd',
      }),
    );
    unwrap(await call('credits.read-balances', { connectionId: connection.id, sources: ['rest-key'] }));
    const before = server.connections;
    expect(before).toBeGreaterThan(0);

    await start(policyOf({ allowedBaseUrls: ['https://lookup.example'] }));
    for (const refused of [
      await search(connection.id),
      await call('connections.test', { connectionId: connection.id }),
      await call('connections.save', { id: connection.id, draft: draft() }),
      await call('connections.save', { id: null, draft: { ...draft(), name: 'Another' } }),
    ])
      expect(refused).toMatchObject({ ok: false, error: { code: 'policy-forbids', charge: 'not-charged' } });
    const read = unwrap(await call('credits.read-balances', { connectionId: connection.id, sources: ['rest-key'] }));
    expect(read.failures).toMatchObject([{ error: { code: 'policy-forbids' } }]);
    expect(server.connections).toBe(before);
    expect(
      unwrap(
        await call('connections.save', {
          id: null,
          draft: connectionDraft('Allowed', { restBaseUrl: 'https://lookup.example/v1' }),
        }),
      ).connection.name,
    ).toBe('Allowed');
  });

  it('tightens stored settings, refuses looser ones, and says what it locks', async () => {
    await start(withoutPolicy);
    const { connection } = unwrap(await call('connections.save', { id: null, draft: draft() }));
    const connectionId = connection.id;
    const own = unwrap(await call('settings.read', {}));
    expect(own.cachePolicy).toEqual({ mode: 'days', amount: 30 });
    unwrap(await call('credits.save-caps', { connectionId, caps: { perRun: 500, perDay: null, floor: null } }));
    expect(unwrap(await call('app.info', {}))).toMatchObject({ lockedByPolicy: [], policySource: null });

    await start(policyOf({ heldAnswerHoursMax: 48, creditsPerRunMax: 100, balanceFloorMin: 20 }));
    const now = unwrap(await call('settings.read', {}));
    expect(now.cachePolicy).toEqual({ mode: 'days', amount: 2 });
    expect(unwrap(await call('credits.overview', { connectionId })).caps).toEqual({
      perRun: 100,
      perDay: null,
      floor: 20,
    });
    expect(await call('settings.save', own)).toMatchObject({ error: { code: 'policy-forbids', field: 'cachePolicy' } });
    unwrap(await call('settings.save', { timeoutSeconds: 20 }));
    expect(
      await call('credits.save-caps', { connectionId, caps: { perRun: 200, perDay: null, floor: 20 } }),
    ).toMatchObject({ error: { code: 'policy-forbids', field: 'perRun' } });
    unwrap(await call('credits.save-caps', { connectionId, caps: { perRun: 50, perDay: 70, floor: 20 } }));
    expect(unwrap(await call('app.info', {}))).toMatchObject({
      lockedByPolicy: ['heldAnswerHoursMax', 'creditsPerRunMax', 'balanceFloorMin'],
      policySource: 'the test’s policy',
    });

    // What a person chose is theirs again once the policy is gone, also if they saved something else meanwhile.
    await start(withoutPolicy);
    expect(unwrap(await call('settings.read', {}))).toEqual({ ...own, timeoutSeconds: 20 });
    expect(unwrap(await call('credits.overview', { connectionId })).caps).toEqual({
      perRun: 50,
      perDay: 70,
      floor: null,
    });
  });

  it('plans and finishes no licence change if writing is forbidden', async () => {
    await start(policyOf({ licenceWritesAllowed: false }));
    const { connection } = unwrap(
      await call('connections.save', {
        id: null,
        draft: { ...draft(), soapUrl: `http://127.0.0.1:${server.port}/soap` },
      }),
    );
    const request = { connectionId: connection.id, kind: 'register', licenceNumber: '7', machine: 'DESK-1' } as const;
    const row = { row: 1, licence: '7', change: '', machine: 'DESK-1', from: '', state: '' };
    for (const refused of [
      await call('licences.plan', request),
      await call('licences.run', { changeId: 'any', confirmedName: 'DESK-1' }),
      await call('bulk.plan', { connectionId: connection.id, source: 'typed', kind: 'register', rows: [row] }),
      await call('bulk.run', { bulkId: 'any', rows: [1], confirmed: '1' }),
      await call('licences.resume', { changeId: 'any', action: 'finish' }),
      await call('licences.resume', { changeId: 'any', action: 'undo' }),
    ])
      expect(refused).toMatchObject({ ok: false, error: { code: 'policy-forbids' } });
    expect(await call('licences.resume', { changeId: 'any', action: 'check' })).not.toMatchObject({
      error: { code: 'policy-forbids' },
    });
    expect(server.connections).toBe(0);
  });

  it('writes no file on any exporting channel if exporting is forbidden', async () => {
    await start(withoutPolicy);
    const { connection } = unwrap(await call('connections.save', { id: null, draft: draft() }));
    const connectionId = connection.id;
    const filter = { text: '', types: [], statuses: [], quick: [] };
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const range = { from: inDays(-100), to: inDays(1) };
    const asks: Partial<Record<ChannelName, unknown>> = {
      'activity.export': { filter: wholeTable },
      'app.export-table': { name: 'table', text: 'a\r\n' },
      'credits.export': { connectionId, ...range, what: 'ledger', format: 'csv' },
      'journal.export': {},
      'licences.export': { connectionId, filter },
      'licences.export-calendar': { connectionId },
      'machines.export': { connectionId },
      'bulk.export': { bulkId: 'none' },
      'operations.export-rows': {
        answerId: connectionId,
        name: 'rows',
        table: 0,
        view: { column: null, descending: false, filter: '' },
        columns: [{ at: null, head: '#' }],
      },
    };
    const names = (Object.keys(channels) as ChannelName[]).filter((name) => name.includes('export'));
    expect(Object.keys(asks).sort(), 'a new channel that exports is asked here too').toEqual(names.sort());
    unwrap(await call('licences.export', { connectionId, filter }));
    expect(existsSync(savedTo)).toBe(true);
    rmSync(savedTo);

    await start(policyOf({ exportAllowed: false }));
    for (const name of names)
      expect(await call(name, asks[name] as never), name).toMatchObject({ error: { code: 'policy-forbids' } });
    expect(existsSync(savedTo)).toBe(false);
  });

  it('lets no table be printed if exporting is forbidden, else any', async () => {
    await start(withoutPolicy);
    expect(await call('app.may-print', {})).toMatchObject({ ok: true });
    await start(policyOf({ exportAllowed: false }));
    expect(await call('app.may-print', {})).toMatchObject({
      error: { code: 'policy-forbids', message: expect.stringContaining('no printing') },
    });
  });

  it('says at the start that with a broken policy only the demo service can be used', async () => {
    await start(brokenPolicy('/etc/some/policy.json', 'it is not JSON'));
    const info = unwrap(await call('app.info', {}));
    expect(info.startNotices.join()).toContain('/etc/some/policy.json');
    expect(unwrap(await call('settings.read', {})).cachePolicy.mode).toBe('off');
    expect(await call('connections.save', { id: null, draft: draft() })).toMatchObject({
      error: { code: 'policy-forbids' },
    });
  });
});
