import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import {
  type LicenceAnnotations,
  type LicenceLabel,
  licenceAnnotationsSchema,
  licenceLabelSchema,
} from '../../../../shared/domain/licences/licence.ts';
import { type Bulk, type BulkRow, bulkRowSchema, bulkSchema } from '../../../../shared/domain/licences/licence-bulk.ts';
import { type LicenceFilter, licenceFilterSchema } from '../../../../shared/domain/licences/licence-filter.ts';
import { ofConnection } from '../../storage/connections-repository.ts';
import { inTransaction } from '../../storage/in-transaction.ts';

export interface SavedView {
  name: string;
  filter: LicenceFilter;
}

/** The licences that a machine's answer named, from then until the next entry. */
export interface HistoryEntry {
  machine: string;
  licenceNumbers: string[];
  askedAt: string;
  /** The order of all answers of a connection, which their times need not have: a clock can be set back. */
  sequence: number;
}

/** A scan that has ended; times ISO 8601 UTC. */
export interface Scan {
  startedAt: string;
  finishedAt: string;
  /** Machines that were read, and how many of them answered. */
  asked: number;
  answered: number;
  /** The last entry of the history when it began. */
  historyBefore: number;
}

/** `noticedFor`: the expiry (YYYY-MM-DD) whose reminder has been shown; null: none. */
export type Annotations = LicenceAnnotations & { noticedFor: string | null };
export type InventoryStore = ReturnType<typeof openInventoryStore>;

const bulkHead = bulkSchema.omit({ rows: true });

/**
 * The administrator's entries, earlier answers of machines, and bulk changes, in a database that has the migrations up to number 23. Throws
 * where SQLite does.
 */
export function openInventoryStore(db: DatabaseSync) {
  const saveRow = db.prepare('INSERT OR REPLACE INTO licence_bulk_row (bulk_id, row, body) VALUES (?, ?, ?)');
  const saveHead = db.prepare(
    `INSERT INTO licence_bulk (id, connection_id, planned_at, body) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET body = excluded.body`,
  );
  const putHead = ({ rows: _, ...head }: Bulk, place = head.plannedAt): void =>
    void saveHead.run(head.id, head.connectionId, place, JSON.stringify(head));
  /** The place of a new one after all others of its connection, which its time need not give it: a clock can be set back. */
  function placeOf({ connectionId, plannedAt }: Bulk): string {
    const last = db.prepare('SELECT max(planned_at) AS at FROM licence_bulk WHERE connection_id = ?').get(connectionId);
    return last?.at && String(last.at) >= plannedAt
      ? new Date(Date.parse(String(last.at)) + 1).toISOString()
      : plannedAt;
  }

  return {
    labels: (connectionId: string): LicenceLabel[] =>
      db
        .prepare('SELECT field, value, label FROM licence_label WHERE connection_id = ? ORDER BY field, value')
        .all(connectionId)
        .map((row) => licenceLabelSchema.parse({ ...row })),
    /** An empty label takes it away. */
    saveLabel(connectionId: string, { field, value, label }: LicenceLabel): void {
      if (label === '')
        db.prepare('DELETE FROM licence_label WHERE connection_id = ? AND field = ? AND value = ?').run(
          connectionId,
          field,
          value,
        );
      else
        db.prepare('INSERT OR REPLACE INTO licence_label VALUES (?, ?, ?, ?)').run(connectionId, field, value, label);
    },
    views: (connectionId: string): SavedView[] =>
      db
        .prepare('SELECT name, filter FROM licence_view WHERE connection_id = ? ORDER BY name')
        .all(connectionId)
        .map((row) => ({
          name: String(row.name),
          filter: licenceFilterSchema.parse(JSON.parse(String(row.filter))),
        })),
    saveView(connectionId: string, name: string, filter: LicenceFilter): void {
      db.prepare('INSERT OR REPLACE INTO licence_view VALUES (?, ?, ?)').run(
        connectionId,
        name,
        JSON.stringify(filter),
      );
    },
    removeView(connectionId: string, name: string): void {
      db.prepare('DELETE FROM licence_view WHERE connection_id = ? AND name = ?').run(connectionId, name);
    },
    annotations: (connectionId: string): Annotations[] =>
      db
        .prepare(
          'SELECT licence_id AS licenceNumber, note, lead_days AS leadDays, noticed_for AS noticedFor FROM licence_own WHERE connection_id = ?',
        )
        .all(connectionId)
        .map((row) => licenceAnnotationsSchema.extend({ noticedFor: z.string().nullable() }).parse({ ...row })),
    /** A reminder that was shown comes again if the lead time changes. */
    saveAnnotations(connectionId: string, { licenceNumber, note, leadDays }: LicenceAnnotations): void {
      db.prepare(
        `INSERT INTO licence_own (connection_id, licence_id, note, lead_days, noticed_for) VALUES (?, ?, ?, ?, NULL)
         ON CONFLICT (connection_id, licence_id) DO UPDATE SET note = excluded.note,
           noticed_for = CASE WHEN lead_days IS excluded.lead_days THEN noticed_for END, lead_days = excluded.lead_days`,
      ).run(connectionId, licenceNumber, note, leadDays);
    },
    /** A licence covered by a reminder rule may have no row of its own yet. */
    markNoticed(connectionId: string, licenceNumber: string, expiresOn: string): void {
      db.prepare(
        `INSERT INTO licence_own (connection_id, licence_id, note, lead_days, noticed_for) VALUES (?, ?, '', NULL, ?)
         ON CONFLICT (connection_id, licence_id) DO UPDATE SET noticed_for = excluded.noticed_for`,
      ).run(connectionId, licenceNumber, expiresOn);
    },
    remindedConnections: (): string[] =>
      db
        .prepare('SELECT DISTINCT connection_id FROM licence_own WHERE lead_days IS NOT NULL')
        .all()
        .map((row) => String(row.connection_id)),
    isListed: (connectionId: string, machine: string): boolean =>
      db.prepare('SELECT 1 FROM machine_inventory WHERE connection_id = ? AND name = ?').get(connectionId, machine) !==
      undefined,
    /** Every change of what machines hold, newest first for each machine. */
    history: (connectionId: string): HistoryEntry[] =>
      db
        .prepare(
          'SELECT machine, licence_ids, asked_at, sequence FROM machine_history WHERE connection_id = ? ORDER BY machine, sequence DESC',
        )
        .all(connectionId)
        .map((row) => ({
          machine: String(row.machine),
          licenceNumbers: z.array(z.string()).parse(JSON.parse(String(row.licence_ids))),
          askedAt: String(row.asked_at),
          sequence: Number(row.sequence),
        })),
    /** The sequence of its last entry; 0: it has none. */
    lastOfHistory: (connectionId: string): number =>
      Number(
        db.prepare('SELECT max(sequence) AS last FROM machine_history WHERE connection_id = ?').get(connectionId)?.last,
      ),
    failures: (connectionId: string): { machine: string; at: string; message: string }[] =>
      db
        .prepare('SELECT machine, asked_at, message FROM machine_failure WHERE connection_id = ?')
        .all(connectionId)
        .map((row) => ({ machine: String(row.machine), at: String(row.asked_at), message: String(row.message) })),
    saveFailure(connectionId: string, machine: string, at: string, message: string): void {
      db.prepare('INSERT OR REPLACE INTO machine_failure VALUES (?, ?, ?, ?)').run(connectionId, machine, at, message);
    },
    lastScan(connectionId: string): Scan | null {
      const row = db
        .prepare('SELECT * FROM machine_scan WHERE connection_id = ? ORDER BY started_at DESC LIMIT 1')
        .get(connectionId);
      if (!row) return null;
      const { started_at, finished_at, asked, answered, history_before } = row;
      return {
        startedAt: String(started_at),
        finishedAt: String(finished_at),
        asked: Number(asked),
        answered: Number(answered),
        historyBefore: Number(history_before),
      };
    },
    /** It takes the place of the one before: which of two came last, their times need not say. */
    saveScan(connectionId: string, { startedAt, finishedAt, asked, answered, historyBefore }: Scan): void {
      inTransaction(db, () => {
        db.prepare('DELETE FROM machine_scan WHERE connection_id = ?').run(connectionId);
        db.prepare(
          'INSERT INTO machine_scan (connection_id, started_at, finished_at, asked, answered, history_before) VALUES (?, ?, ?, ?, ?, ?)',
        ).run(connectionId, startedAt, finishedAt, asked, answered, historyBefore);
      });
    },
    /** Removes a machine completely, with its answers: it is not read any more. */
    forgetMachine(connectionId: string, machine: string): void {
      for (const table of ['machine_history', 'machine_failure', 'machine_holding'])
        db.prepare(`DELETE FROM ${table} WHERE ${ofConnection} AND machine = :machine`).run({
          id: connectionId,
          machine,
        });
    },
    /** A new one. */
    saveBulk(bulk: Bulk): void {
      inTransaction(db, () => {
        putHead(bulk, placeOf(bulk));
        for (const row of bulk.rows) saveRow.run(bulk.id, row.row, JSON.stringify(row));
      });
    },
    saveBulkHead: (bulk: Bulk): void => putHead(bulk),
    saveBulkRow: (bulkId: string, row: BulkRow): void => void saveRow.run(bulkId, row.row, JSON.stringify(row)),
    bulk(id: string): Bulk | undefined {
      const head = db.prepare('SELECT body FROM licence_bulk WHERE id = ?').get(id);
      if (!head) return undefined;
      const rows = db.prepare('SELECT body FROM licence_bulk_row WHERE bulk_id = ? ORDER BY row').all(id);
      return {
        ...bulkHead.parse(JSON.parse(String(head.body))),
        rows: rows.map((row) => bulkRowSchema.parse(JSON.parse(String(row.body)))),
      };
    },
    latestBulk(connectionId: string, moves: boolean): string | undefined {
      const row = db
        .prepare(
          `SELECT id FROM licence_bulk WHERE connection_id = ? AND (json_extract(body, '$.moveTo') IS NOT NULL) = ?
           ORDER BY planned_at DESC, id DESC LIMIT 1`,
        )
        .get(connectionId, moves ? 1 : 0);
      return row === undefined ? undefined : String(row.id);
    },
    forgetConnection(connectionId: string): void {
      inTransaction(db, () => {
        for (const table of [
          'licence_label',
          'licence_view',
          'licence_own',
          'machine_history',
          'machine_failure',
          'machine_scan',
        ])
          db.prepare(`DELETE FROM ${table} WHERE ${ofConnection}`).run({ id: connectionId });
      });
    },
  };
}
