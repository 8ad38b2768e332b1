import { z } from 'zod';
import type { Licence, LicenceList } from '../../../../shared/domain/licences/licence.ts';
import type { LicenceChange } from '../../../../shared/domain/licences/licence-change.ts';
import { type InventoryMachine, inventoryMachineSchema } from '../../../../shared/domain/licences/licence-machines.ts';
import { ofConnection } from '../../storage/connections-repository.ts';
import type { Database } from '../../storage/database/database.ts';
import { inTransaction } from '../../storage/in-transaction.ts';
import { openSaidRepository, type SaidFile } from '../../storage/said-repository.ts';
import { openLicenceLists } from './licence-lists.ts';
import { readStoredChange } from './stored-licences.ts';

/** What a machine was found to hold, as stored: which machine is this one is decided only when shown. */
export interface StoredHoldings {
  machine: string;
  licenceNumbers: string[];
  askedAt: string;
}

/** Licences and machines last seen, per connection, and licence changes. Works offline; throws only where SQLite does. */
export interface LicenceStore {
  /** Over several turns of main; makes the list the connection's once all of it is written. */
  saveLicences(connectionId: string, licences: readonly Licence[], readAt: string, doubt?: string): Promise<void>;
  /** Whether a list that was cut off would take the place of none that is plainly whole. */
  canTakeTruncated(connectionId: string): boolean;
  /** Removes what a killed run left of lists that nobody reads, over several turns of main. */
  sweepLists(): Promise<void>;
  /** Makes `lastSeen` know the list without parsing it in one go. */
  loadLastSeen(connectionId: string): Promise<void>;
  /** The licences in the order in which they came; `readAt` null: never read. */
  lastSeen(connectionId: string): LicenceList;
  /** Whether the machine has answered a read that began later than `askedAt`. `now`: a clock that was set back since makes none later. */
  hasLaterAnswer(connectionId: string, machine: string, askedAt: string, now: string): boolean;
  /** `isWhole`: what it does not name was not there, so the answer is compared with those before and after it. */
  saveHoldings(connectionId: string, holdings: StoredHoldings, isWhole: boolean): void;
  holdings(connectionId: string): StoredHoldings[];
  inventory(connectionId: string): InventoryMachine[];
  /** The administrator's name for a Status, by the Status as it came. */
  statusLabels(connectionId: string): Map<string, string>;
  saveMachine(connectionId: string, machine: InventoryMachine): void;
  removeMachine(connectionId: string, name: string): void;
  /** Says that a person has removed a machine: what a read that is under way brings of it is not stored. */
  noteRemoval(connectionId: string, machine: string): void;
  /** How often that was said in this process: it differs if a machine was removed since. */
  removals(connectionId: string, machine: string): number;
  /** Machine names of the inventory and of machines found to hold something, each spelling once. */
  knownMachines(connectionId: string): string[];
  saveChange(change: LicenceChange): void;
  change(id: string): LicenceChange | undefined;
  /** Changes that are running or interrupted, the oldest plan first. */
  unfinishedChanges(): LicenceChange[];
  /** Unfinished changes of one licence over any connection, newest first. */
  unfinishedOf(licenceNumber: string): LicenceChange[];
  /**
   * Ended changes of one licence over any connection whose last write left, was not seen, and whose time may not be over. `uptime`: now,
   * by the clock that cannot be set (ms).
   */
  stillHeldOf(licenceNumber: string, uptime: number): Iterable<LicenceChange>;
  /** Ids of the licences for which a write left since the list was last read. */
  changedSince(connectionId: string): string[];
  /** Enters that a receipt or a list of a bulk change left the program; once for each state of the journal. */
  say(outlet: 'receipt' | 'list', about: string, connectionId: string, at: string): void;
  /** What left the program about a change, oldest first. */
  saidOf(change: Pick<LicenceChange, 'id' | 'journal'>): SaidFile[];
  /** The last entry of the licence journal: the most a list made now can know of. */
  lastEntry(): number;
  /** Called before the file of a list gets its name; returns its number. */
  beginList(list: Pick<SaidFile, 'about' | 'connectionId' | 'asOf' | 'at'>): number;
  /** Whether it did. */
  endList(number: number, isSaved: boolean, list: Pick<SaidFile, 'connectionId' | 'asOf' | 'at'>): void;
  /** Drops plans that were never run. */
  forgetPlansBefore(plannedAt: string): void;
  /** Changes newest first. */
  changes(limit: number): LicenceChange[];
  /** Forgets what was seen for a removed connection. Changes and journal stay: they are the proof of what was done. */
  forgetConnection(connectionId: string): void;
}

/** Until when a change's writes keep its licence from being written to (ms since the computer started); null: they do not. */
function heldUntil({ verdict, writes }: LicenceChange): number | null {
  // Seen, and so the effect of its last write was.
  const left = verdict === 'seen' ? [] : writes.filter((write) => write.left);
  const ends = left.map(({ uptime, holdMs }) => (uptime === null ? noClock : uptime + holdMs));
  return ends.length === 0 ? null : Math.max(...ends);
}
/** For a write whose end was not noted by that clock. */
const noClock = 9e15;

// A bulk change checks its thousand rows for each of them: their bodies are not read.
export const ofLicenceSql = {
  underWay: `SELECT id FROM licence_change WHERE licence_id = ? AND state IN ('running', 'interrupted') ORDER BY planned_at DESC`,
  stillHeld: `SELECT id FROM licence_change WHERE licence_id = ? AND held_until > ?
     AND state IN ('finished', 'dismissed') ORDER BY held_until DESC`,
};

/** The store in a database that has the migrations up to number 26. */
export function openLicenceStore(database: Database): LicenceStore {
  const db = database.sql;
  const lists = openLicenceLists(database);
  const saveHolding = db.prepare('INSERT OR REPLACE INTO machine_holding VALUES (?, ?, ?, ?)');
  const laterHolding = db.prepare(
    'SELECT 1 FROM machine_holding WHERE connection_id = ? AND machine = ? AND asked_at > ? AND asked_at <= ?',
  );
  const lastHistory = db.prepare(
    'SELECT licence_ids FROM machine_history WHERE connection_id = ? AND machine = ? ORDER BY sequence DESC LIMIT 1',
  );
  // The machine with the newest answer may have been removed since a scan noted it.
  const addHistory = db.prepare(
    `INSERT OR REPLACE INTO machine_history (connection_id, machine, asked_at, licence_ids, sequence)
     VALUES (:connectionId, :machine, :askedAt, :ids,
       (SELECT coalesce(max(sequence), 0) + 1 FROM (SELECT sequence FROM machine_history WHERE connection_id = :connectionId
         UNION ALL SELECT history_before FROM machine_scan WHERE connection_id = :connectionId)))`,
  );
  const forgetFailure = db.prepare('DELETE FROM machine_failure WHERE connection_id = ? AND machine = ?');
  const saveMachine = db.prepare(
    'INSERT OR REPLACE INTO machine_inventory (connection_id, name, nickname, owner, site, note) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const saveChange = db.prepare(
    `INSERT INTO licence_change (id, connection_id, licence_id, state, planned_at, body, held_until) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET state = excluded.state, body = excluded.body, held_until = excluded.held_until`,
  );
  const readChange = (row: Record<string, unknown>) => readStoredChange(String(row.body));

  const underWay = db.prepare(ofLicenceSql.underWay);
  const stillHeld = db.prepare(ofLicenceSql.stillHeld);
  const bodyOf = db.prepare('SELECT body FROM licence_change WHERE id = ?');
  function* read(rows: readonly Record<string, unknown>[]): Iterable<LicenceChange> {
    for (const row of rows) yield* bodyOf.all(String(row.id)).map(readChange);
  }
  const lastEntry = (): number =>
    Number(db.prepare('SELECT max(sequence) AS last FROM licence_journal').get()?.last ?? 0);
  const entryAt = db.prepare("SELECT json_extract(body, '$.at') AS at FROM licence_journal WHERE sequence = ?");
  const lastRead = db.prepare('SELECT read_at FROM licence_reading WHERE connection_id = ?');

  const removals = new Map<string, number>();
  const keyOf = (connectionId: string, machine: string): string => JSON.stringify([connectionId, machine]);

  return {
    saveLicences: lists.save,
    canTakeTruncated: lists.canTakeTruncated,
    sweepLists: lists.sweep,
    loadLastSeen: lists.load,
    lastSeen: lists.lastSeen,
    hasLaterAnswer: (connectionId, machine, askedAt, now) =>
      laterHolding.get(connectionId, machine, askedAt, now) !== undefined,
    saveHoldings(connectionId, { machine, licenceNumbers, askedAt }, isWhole) {
      const ids = JSON.stringify(licenceNumbers);
      inTransaction(db, () => {
        saveHolding.run(connectionId, machine, ids, askedAt);
        if (isWhole && lastHistory.get(connectionId, machine)?.licence_ids !== ids)
          addHistory.run({ connectionId, machine, askedAt, ids });
        forgetFailure.run(connectionId, machine);
      });
    },
    holdings: (connectionId) =>
      db
        .prepare('SELECT machine, licence_ids, asked_at FROM machine_holding WHERE connection_id = ? ORDER BY machine')
        .all(connectionId)
        .map((row) => ({
          machine: String(row.machine),
          licenceNumbers: z.array(z.string()).parse(JSON.parse(String(row.licence_ids))),
          askedAt: String(row.asked_at),
        })),
    statusLabels: (connectionId) =>
      new Map(
        db
          .prepare("SELECT value, label FROM licence_label WHERE connection_id = ? AND field = 'status'")
          .all(connectionId)
          .map(({ value, label }) => [String(value), String(label)]),
      ),
    inventory: (connectionId) =>
      db
        .prepare(
          'SELECT name, nickname, owner, site, note FROM machine_inventory WHERE connection_id = ? ORDER BY name',
        )
        .all(connectionId)
        .map((row) => inventoryMachineSchema.parse({ ...row })),
    saveMachine(connectionId, { name, nickname, owner, site, note }) {
      saveMachine.run(connectionId, name, nickname, owner, site, note);
    },
    removeMachine(connectionId, name) {
      db.prepare('DELETE FROM machine_inventory WHERE connection_id = ? AND name = ?').run(connectionId, name);
    },
    noteRemoval(connectionId, machine) {
      const key = keyOf(connectionId, machine);
      removals.set(key, (removals.get(key) ?? 0) + 1);
    },
    removals: (connectionId, machine) => removals.get(keyOf(connectionId, machine)) ?? 0,
    knownMachines: (connectionId) =>
      db
        .prepare(
          "SELECT name FROM machine_inventory WHERE connection_id = ? UNION SELECT machine FROM machine_holding WHERE connection_id = ? AND licence_ids != '[]'",
        )
        .all(connectionId, connectionId)
        .map((row) => String(row.name)),
    saveChange(change) {
      saveChange.run(
        change.id,
        change.connectionId,
        change.licenceNumber,
        change.state,
        change.plannedAt,
        JSON.stringify(change),
        heldUntil(change),
      );
    },
    change(id) {
      const row = db.prepare('SELECT body FROM licence_change WHERE id = ?').get(id);
      return row === undefined ? undefined : readChange(row);
    },
    unfinishedChanges: () =>
      db
        .prepare("SELECT body FROM licence_change WHERE state IN ('running', 'interrupted') ORDER BY planned_at, id")
        .all()
        .map(readChange),
    unfinishedOf: (licenceNumber) => [...read(underWay.all(licenceNumber))],
    stillHeldOf: (licenceNumber, uptime) => read(stillHeld.all(licenceNumber, uptime)),
    changedSince(connectionId) {
      const readAt = lastRead.get(connectionId)?.read_at;
      if (readAt === undefined) return [];
      // Found by the journal, since a plan may be days older than its writes. A day more: the clock may have been set back since.
      const from = new Date(Date.parse(String(readAt)) - 24 * 60 * 60_000).toISOString();
      let first = lastEntry();
      while (first > 0 && String(entryAt.get(first)?.at) >= from) first -= 100;
      return db
        .prepare(
          `SELECT DISTINCT licence_id FROM licence_change, json_each(licence_change.body, '$.writes') AS sent
           WHERE licence_change.id IN (SELECT change_id FROM licence_journal WHERE sequence > ?) AND connection_id = ?
             AND json_extract(sent.value, '$.sentAt') >= ? AND json_extract(sent.value, '$.left')`,
        )
        .all(first, connectionId, String(readAt))
        .map((row) => String(row.licence_id));
    },
    say(outlet, about, connectionId, at) {
      inTransaction(db, () => {
        const said = openSaidRepository(db);
        const asOf = lastEntry();
        if (said.about(about).some((one) => one.outlet === outlet && one.asOf === asOf)) return;
        said.add({ at, outlet, connectionId, asOf, about, range: null, claims: '' });
      });
    },
    lastEntry,
    beginList: (list) => inTransaction(db, () => openSaidRepository(db).beginList(list)),
    endList: (number, isSaved, list) =>
      inTransaction(db, () => openSaidRepository(db).end('list', number, isSaved, list)),
    saidOf: ({ id, journal }) => (journal ? openSaidRepository(db).ofChange(id, journal.first) : []),
    forgetPlansBefore(plannedAt) {
      db.prepare("DELETE FROM licence_change WHERE state = 'planned' AND planned_at < ?").run(plannedAt);
    },
    changes: (limit) =>
      db
        .prepare('SELECT body FROM licence_change ORDER BY planned_at DESC, id DESC LIMIT ?')
        .all(limit)
        .map(readChange),
    forgetConnection(connectionId) {
      inTransaction(db, () => {
        lists.forget(connectionId);
        for (const table of ['machine_holding', 'machine_inventory'])
          db.prepare(`DELETE FROM ${table} WHERE ${ofConnection}`).run({ id: connectionId });
      });
    },
  };
}
