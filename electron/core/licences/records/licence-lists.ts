import { setImmediate as turn } from 'node:timers/promises';
import type { Licence, LicenceList } from '../../../../shared/domain/licences/licence.ts';
import { ofConnection } from '../../storage/connections-repository.ts';
import type { Database } from '../../storage/database/database.ts';
import { inTransaction } from '../../storage/in-transaction.ts';
import { completeInTurns, parseStored, readStoredLicences } from './stored-licences.ts';

/** Licences per database row: fifty thousand rows would take half a second to write. */
const inOneRow = 500;
/** Characters of a row, and of what is parsed before yielding to everything else. */
const mostOfRow = 500_000;
/** Characters written, or removed, in one turn of main. */
const inOneTurn = 400_000;
/** Milliseconds after which an unused list is released from memory: fifty thousand licences are 20 MB of main. */
const idleMs = 10_000;

interface WrittenRow {
  position: number;
  body: string;
}

/**
 * The licences last seen, per connection. A list is written under a name of its own over several turns of main; then one small transaction
 * makes it the connection's, if all of its rows are there. A kill anywhere leaves the previous list intact.
 */
export function openLicenceLists(db: Database) {
  const { sql } = db;
  const add = sql.prepare('INSERT INTO licence_seen (list, position, body, run) VALUES (?, ?, ?, ?)');
  const count = sql.prepare('SELECT count(*) AS rows FROM licence_seen WHERE list = ?');
  const current = sql.prepare('SELECT list, read_at AS readAt, doubt FROM licence_reading WHERE connection_id = ?');
  const point = sql.prepare(
    'INSERT OR REPLACE INTO licence_reading (connection_id, read_at, list, doubt) VALUES (?, ?, ?, ?)',
  );
  const unpoint = sql.prepare(`DELETE FROM licence_reading WHERE ${ofConnection}`);
  // A single statement, so that the list matches its read whatever another process does.
  const whole = sql.prepare(
    `SELECT r.list, r.read_at AS readAt, r.doubt, s.body FROM licence_reading r LEFT JOIN licence_seen s ON s.list = r.list
     WHERE r.connection_id = ? ORDER BY s.position`,
  );
  const slice = sql.prepare(
    'SELECT position, body FROM licence_seen WHERE list = :list AND position > :after ORDER BY position LIMIT :limit',
  );
  // In bytes, which SQLite knows without reading the text; counting characters would read it.
  const nextRow = sql.prepare(
    'SELECT position, octet_length(body) AS size FROM licence_seen WHERE list = ? ORDER BY position LIMIT 500',
  );
  const removeTo = sql.prepare('DELETE FROM licence_seen WHERE list = ? AND position <= ?');
  // One row of each list: `run` is stored after the text of a row, which SQLite would have to read to get there.
  const unnamed = sql.prepare(
    `WITH RECURSIVE named(list) AS (SELECT min(list) FROM licence_seen UNION ALL
       SELECT (SELECT min(list) FROM licence_seen WHERE list > named.list) FROM named WHERE list IS NOT NULL)
     SELECT list, (SELECT run FROM licence_seen s WHERE s.list = named.list ORDER BY position LIMIT 1) AS run FROM named
     WHERE list IS NOT NULL AND list NOT IN (SELECT list FROM licence_reading)`,
  );
  /** Lists of this run that are being written, with their connection. */
  const underWay = new Map<string, string>();
  /** The list requested last, which most questions are about. */
  let seen: { connectionId: string; name: string; list: LicenceList } | undefined;
  let idle: NodeJS.Timeout | undefined;

  /** The list if it is the one at hand, and for a while longer. */
  function atHand(connectionId: string, name: string): LicenceList | undefined {
    if (seen?.connectionId !== connectionId || seen.name !== name) return undefined;
    idle?.refresh();
    return seen.list;
  }

  function keep(connectionId: string, name: string, list: LicenceList): LicenceList {
    seen = { connectionId, name, list };
    clearTimeout(idle);
    idle = setTimeout(() => {
      seen = undefined;
    }, idleMs).unref();
    return list;
  }

  const headOf = ({ list, readAt, doubt }: Record<string, unknown>) => ({
    list: String(list),
    readAt: String(readAt),
    ...(doubt === null ? {} : { doubt: String(doubt) }),
  });
  const currentList = (connectionId: string): ReturnType<typeof headOf> | undefined => {
    const row = current.get(connectionId);
    return row && headOf(row);
  };

  async function write(list: string, licences: readonly Licence[]): Promise<number> {
    let written = 0;
    let waiting: WrittenRow[] = [];
    let size = 0;
    const flush = async (): Promise<void> => {
      inTransaction(sql, () => {
        for (const { position, body } of waiting) add.run(list, position, body, db.run);
      });
      written += waiting.length;
      waiting = [];
      size = 0;
      await turn();
    };
    for (const row of rowsOf(licences)) {
      waiting.push(row);
      size += row.body.length;
      if (size >= inOneTurn) await flush();
    }
    if (waiting.length > 0) await flush();
    return written;
  }

  /** Removes a list that no connection refers to any more, or yet. */
  async function remove(list: string): Promise<void> {
    for (;;) {
      const rows = nextRow.all(list);
      if (rows.length === 0) return;
      let size = 0;
      let last = 0;
      for (const row of rows) {
        last = Number(row.position);
        size += Number(row.size);
        if (size >= inOneTurn) break;
      }
      inTransaction(sql, () => removeTo.run(list, last));
      await turn();
    }
  }

  /** Removes lists that no connection will ever use: of killed runs, and replaced ones. If it fails, the next call does it. */
  async function sweep(): Promise<void> {
    try {
      for (const row of unnamed.all()) {
        const [list, run] = [String(row.list), String(row.run)];
        const isWanted = run === db.run ? underWay.has(list) : db.isRunAlive(run);
        if (isWanted) continue;
        await turn();
        await remove(list);
      }
    } catch {
      // Busy, or closed meanwhile.
    }
  }

  /** Reads a list slice by slice; undefined: the connection has another one by now. */
  async function readInTurns(connectionId: string, list: string): Promise<Licence[] | undefined> {
    const stored: Partial<Licence>[] = [];
    for (let after = -1; ; ) {
      const rows = slice.all({ list, after, limit: inOneRow });
      // An earlier version stored one licence per row, this one many.
      let length = 0;
      for (const { body, position } of rows) {
        stored.push(...parseStored([String(body)]));
        after = Number(position);
        length += String(body).length;
        if (length > mostOfRow) break;
      }
      if (rows.length === 0) break;
      await turn();
    }
    const licences = await completeInTurns(stored);
    return currentList(connectionId)?.list === list ? licences : undefined;
  }

  return {
    /** Makes the list the connection's, unless one that was read later took its place meanwhile. */
    async save(connectionId: string, licences: readonly Licence[], readAt: string, doubt?: string): Promise<void> {
      db.acquireRunLock();
      const name = crypto.randomUUID();
      const before = currentList(connectionId);
      underWay.set(name, connectionId);
      try {
        const rows = await write(name, licences);
        const isCurrent = inTransaction(sql, () => {
          const now = currentList(connectionId);
          // The connection was removed, or another read was quicker.
          if (!underWay.has(name) || (now?.list !== before?.list && now && now.readAt > readAt)) return false;
          if (Number(count.get(name)?.rows) !== rows) throw new Error('Rows of the list of licences are gone.');
          point.run(connectionId, readAt, name, doubt ?? null);
          return true;
        });
        if (isCurrent)
          keep(connectionId, name, { licences: [...licences], readAt, ...(doubt === undefined ? {} : { doubt }) });
      } finally {
        underWay.delete(name);
        await turn();
        await sweep();
      }
    },
    sweep,
    canTakeTruncated(connectionId: string): boolean {
      const stored = currentList(connectionId);
      return stored === undefined || stored.doubt !== undefined;
    },
    /** Makes `lastSeen` know the list without parsing it in one go. */
    async load(connectionId: string): Promise<void> {
      for (;;) {
        const stored = currentList(connectionId);
        if (!stored || atHand(connectionId, stored.list)) return;
        const { list, ...head } = stored;
        const licences = await readInTurns(connectionId, list);
        if (licences) keep(connectionId, list, { licences, ...head });
      }
    },
    /** The licences in the order in which they came; `readAt` null: never read. */
    lastSeen(connectionId: string): LicenceList {
      const stored = currentList(connectionId);
      if (!stored) return { licences: [], readAt: null };
      // Another process may have read them anew: then the list's name differs.
      const known = atHand(connectionId, stored.list);
      if (known) return known;
      const rows = whole.all(connectionId);
      if (!rows[0]) return { licences: [], readAt: null };
      const licences = readStoredLicences(rows.flatMap(({ body }) => (body === null ? [] : [String(body)])));
      const { list, ...head } = headOf(rows[0]);
      return keep(connectionId, list, { licences, ...head });
    },
    /** For a removed connection: its list is removed, and one being written is not made its own. */
    forget(connectionId: string): void {
      for (const [list, owner] of underWay) if (owner === connectionId) underWay.delete(list);
      unpoint.run({ id: connectionId });
      if (seen?.connectionId === connectionId) seen = undefined;
      void sweep();
    },
  };
}

/** Several licences per row, as JSON with commas between; the row's position is that of its first. */
function* rowsOf(licences: readonly Licence[]): Generator<WrittenRow> {
  let texts: string[] = [];
  let size = 0;
  for (const [index, licence] of licences.entries()) {
    const text = JSON.stringify(licence);
    texts.push(text);
    size += text.length;
    if (texts.length < inOneRow && size < mostOfRow && index < licences.length - 1) continue;
    yield { position: index + 1 - texts.length, body: texts.join(',') };
    texts = [];
    size = 0;
  }
}
