import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { checkChange, findUnfinishedChanges } from '../../../electron/core/licences/change/change-states.ts';
import { openLicenceStore } from '../../../electron/core/licences/records/licence-store.ts';
import { openConnectionsRepository } from '../../../electron/core/storage/connections-repository.ts';
import { openDatabase } from '../../../electron/core/storage/database/database.ts';
import { migrations } from '../../../electron/core/storage/database/migrations.ts';
import type { ConnectionDraft } from '../../../shared/domain/connection.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { connectionId, openTempLicences } from '../../helpers/licence-console.ts';
import { connectionDraft, unwrap } from '../../helpers/temp-database.ts';

// Reads what earlier versions stored: the lists, changes and journal of each, as they were in its database.

interface Stored {
  /** Bodies of licence_seen, in their order. */
  licences: Record<string, unknown>[];
  /** Bodies of licence_change. */
  changes: { id: string; licenceNumber: string; state: string; plannedAt: string }[];
  /** Bodies of licence_journal, whose hash is beside them. */
  journal: { sequence: number; changeId: string; state: string; previousHash: string; hash: string }[];
}

const folder = resolve(import.meta.dirname, '../../fixtures/stored');

test.each(readdirSync(folder).filter((file) => file.startsWith('licences-')))(
  '%s is read, shown and continued',
  async (file) => {
    const stored = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Stored;
    const { console, service, remove } = await openTempLicences();
    const { deps, database } = console;
    const { sql } = database;
    for (const [position, licence] of stored.licences.entries())
      sql
        .prepare('INSERT INTO licence_seen (list, position, body) VALUES (?, ?, ?)')
        .run(connectionId, position, JSON.stringify(licence));
    sql
      .prepare('INSERT INTO licence_reading (connection_id, read_at, list) VALUES (?, ?, ?)')
      .run(connectionId, '2026-11-01T10:00:00.000Z', connectionId);
    for (const change of stored.changes)
      sql
        .prepare(
          'INSERT INTO licence_change (id, connection_id, licence_id, state, planned_at, body) VALUES (?, ?, ?, ?, ?, ?)',
        )
        .run(change.id, connectionId, change.licenceNumber, change.state, change.plannedAt, JSON.stringify(change));
    for (const { hash, ...entry } of stored.journal)
      sql
        .prepare('INSERT INTO licence_journal VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
        .run(
          entry.sequence,
          entry.changeId,
          connectionId,
          '20418',
          entry.state,
          JSON.stringify(entry),
          entry.previousHash,
          hash,
        );

    const { licences } = deps.store.lastSeen(connectionId);
    expect(licences).toHaveLength(stored.licences.length);
    // Twice 12/04/2026 and no date that decides the order: an earlier version had taken the month for the day.
    expect(licences.map(({ expiresOn, dateOrder }) => [expiresOn, dateOrder])).toEqual([
      [null, 'undecided'],
      [null, 'undecided'],
    ]);
    expect(deps.store.changes(10)).toHaveLength(stored.changes.length);
    const open = findUnfinishedChanges(deps);
    expect(open.map(({ state }) => state)).toEqual(['interrupted']);
    const [change] = open;
    expect(change?.writes).toMatchObject([{ write: 'register', machine: 'HFD-LT-0219', left: true, holdMs: 600_000 }]);
    service.bind('20418', 'HFD-LT-0219');
    expect(unwrap(await checkChange(change?.id ?? '', deps))).toMatchObject({ state: 'finished', verdict: 'seen' });
    expect(deps.ctx.journal.list(null, 20).length).toBeGreaterThan(stored.journal.length);
    expect(deps.store.changes(10).some(({ licenceNumber }) => licenceNumber === '20418')).toBe(true);
    expect(deps.store.changedSince(connectionId)).toEqual(['20418']);
    remove();
  },
);

test('a write stored by an earlier version still blocks its licence for its waiting time', () => {
  const clock = { now: () => Date.now() };
  const dataFolder = mkdtempSync(join(tmpdir(), 'stored-'));
  const [first] = readdirSync(folder).filter((file) => file.startsWith('licences-'));
  const { changes } = JSON.parse(readFileSync(join(folder, first ?? ''), 'utf8')) as Stored;
  const before = unwrap(openDatabase({ folder: dataFolder, clock, migrations: migrations.slice(0, 18) }));
  const add = before.sql.prepare('INSERT INTO licence_change VALUES (?, ?, ?, ?, ?, ?)');
  const write = { step: 2, write: 'register', machine: 'PC-1', sentAt: '', endedAt: null, holdMs: 600_000 };
  const stored: [string, string, object][] = [
    ['of a version without writes', 'finished', {}],
    ['within its time', 'finished', { verdict: 'unknown', writes: [{ ...write, left: true, uptime: 5_000_000 }] }],
    ['let be', 'dismissed', { verdict: 'on-its-way', writes: [{ ...write, left: true, uptime: 5_000_000 }] }],
    ['without the clock', 'finished', { verdict: 'not-seen', writes: [{ ...write, left: true, uptime: null }] }],
    ['over', 'finished', { verdict: 'not-seen', writes: [{ ...write, left: true, uptime: 4_000_000 }] }],
    ['never left', 'finished', { verdict: 'not-seen', writes: [{ ...write, left: false, uptime: 5_000_000 }] }],
    ['seen', 'finished', { verdict: 'seen', writes: [{ ...write, left: true, uptime: 5_000_000 }] }],
    ['under way', 'running', { verdict: null, writes: [{ ...write, left: true, uptime: 5_000_000 }] }],
  ];
  const body = { ...changes[0], claims: [], reads: [], nextRead: null, writeAfter: null, licence: null };
  for (const [id, state, more] of stored)
    add.run(
      id,
      connectionId,
      '20418',
      state,
      '2026-03-02T10:00:00.000Z',
      JSON.stringify({ ...body, id, state, ...more }),
    );
  before.close();
  const database = unwrap(openDatabase({ folder: dataFolder, clock }));
  const held = openLicenceStore(database).stillHeldOf('20418', 5_100_000);
  expect([...held].map(({ id }) => id).sort()).toEqual([
    'let be',
    'of a version without writes',
    'within its time',
    'without the clock',
  ]);
  database.close();
  removeFolder(dataFolder);
});

test('readings that an earlier version put aside come back with their place, whatever text it had for it', () => {
  const clock = { now: () => Date.now() };
  const dataFolder = mkdtempSync(join(tmpdir(), 'stored-'));
  const number = migrations.findIndex(({ name }) => name === 'services-by-path');
  const before = unwrap(openDatabase({ folder: dataFolder, clock, migrations: migrations.slice(0, number) }));
  const server = 'https://lookup.example';
  const draft = connectionDraft('Wyebank', { accountName: 'of all', soapUrl: `${server}/live/Lookup.asmx/` });
  openConnectionsRepository(before.sql).insert('c', draft, '2026-03-02T10:00:00.000Z');
  openConnectionsRepository(before.sql).insert('d', { ...draft, name: 'Demo' }, '2026-03-02T10:00:00.000Z');
  const add = before.sql.prepare(`INSERT INTO machine_scan VALUES (?, ?, 'later', 1, 1, 0)`);
  for (const [id, start] of [
    ['c', 'now'],
    [`c ${server}/live/Lookup.asmx of all`, 'with another text before'],
    [`c ${server}/L.svc/ of all`, 'slash'],
    [`c ${server} of all`, 'origin'],
    [`c ${server}/L.svc?tenant=a&wsdl of all`, 'query'],
    [`c ${server}/Prüfung/L.asmx of all`, 'letters'],
    ['c demo', 'demo'],
    [`d ${server}/live/Lookup.asmx of all`, 'its own'],
  ] as const)
    add.run(id, start);
  before.close();

  const { sql, close } = unwrap(openDatabase({ folder: dataFolder, clock }));
  const connections = openConnectionsRepository(sql);
  const scans = sql.prepare('SELECT started_at AS start FROM machine_scan WHERE connection_id = ?');
  const found = (id: string) => scans.all(id).map(({ start }) => start);
  expect([found('c'), found('d')]).toEqual([['now'], ['its own']]);
  const at = (change: Partial<ConnectionDraft>) => {
    connections.update('c', { ...draft, ...change }, '2026-03-02T11:00:00.000Z');
    return found('c');
  };
  expect(at({ soapUrl: `${server}/L.svc` })).toEqual(['slash']);
  expect(at({ soapUrl: `${server}/` })).toEqual(['origin']);
  expect(at({ soapUrl: `${server}/L.svc?tenant=a` })).toEqual(['query']);
  expect(at({ soapUrl: `${server}/Prüfung/L.asmx` })).toEqual(['letters']);
  expect(at({ kind: 'demo', soapUrl: 'http://127.0.0.1:8/soap' })).toEqual(['demo']);
  expect(at({})).toEqual(['now']);
  close();
  removeFolder(dataFolder);
});
