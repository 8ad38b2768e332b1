import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { checkChange, findUnfinishedChanges } from '../../../electron/core/licences/change/change-states.ts';
import { connectionId, openTempLicences, take } from '../../helpers/licence-console.ts';

// What an earlier version stored is read: lists, changes and the journal of each, as they stood in its database.

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
  '%s is read, shown and gone on with',
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
        .prepare('INSERT INTO licence_change VALUES (?, ?, ?, ?, ?, ?)')
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
    // Twice 12/04/2026 and nothing that decides it: an earlier version had read the month as the day.
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
    expect(take(await checkChange(change?.id ?? '', deps))).toMatchObject({ state: 'finished', verdict: 'seen' });
    expect(deps.ctx.journal.list(null, 20).length).toBeGreaterThan(stored.journal.length);
    expect(deps.store.changesOf(connectionId, '20418').length).toBeGreaterThan(0);
    expect(deps.store.changedSince(connectionId)).toEqual(['20418']);
    remove();
  },
);
