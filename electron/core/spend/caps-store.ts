import {
  type CapAuthor,
  type CapChanges,
  capNames,
  type SpendingCaps,
  spendingCapsSchema,
} from '../../../shared/domain/credits/credits.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { type Clock, isoNow } from '../../ports.ts';
import type { Database } from '../storage/database/database.ts';
import { attempt } from '../storage/database/errors.ts';
import { type NamedCaps, noCaps } from './caps.ts';
import { openSpendSums } from './spend-sums.ts';

export interface SetPrice {
  operation: string;
  credits: number;
  /** null: set by a version that did not record it. */
  setBy: CapAuthor | null;
}

/** A connection that holds, or has sent calls with, a key of another one: its caps apply to that key too. */
export interface SharingConnection {
  connectionId: string;
  name: string;
  /** Labels of the shared keys, as the connection that was asked about has them. */
  keys: string[];
}

export type CapsStore = ReturnType<typeof createCapsStore>;

/** The caps of each connection, and who set them; none set: no cap. Without an author nobody is recorded. Errors: `storage-failed`. */
export function createCapsStore(db: Database, author: { person: string; clock: Clock } | null = null) {
  const sums = openSpendSums(db.sql);
  const find = db.sql.prepare(
    'SELECT per_run AS perRun, per_day AS perDay, floor FROM spending_caps WHERE connection_id = ?',
  );
  const save = db.sql.prepare(
    `INSERT INTO spending_caps (connection_id, per_run, per_day, floor) VALUES (:connectionId, :perRun, :perDay, :floor)
     ON CONFLICT DO UPDATE SET per_run = :perRun, per_day = :perDay, floor = :floor`,
  );
  const listAuthors = db.sql.prepare('SELECT what, person, at FROM cap_authors WHERE connection_id = ?');
  const saveAuthor = db.sql.prepare(
    `INSERT INTO cap_authors (connection_id, what, person, at) VALUES (:connectionId, :what, :person, :at)
     ON CONFLICT DO UPDATE SET person = :person, at = :at`,
  );
  const removeAuthor = db.sql.prepare('DELETE FROM cap_authors WHERE connection_id = :connectionId AND what = :what');
  const sharing = db.sql.prepare(
    `SELECT c.id AS connectionId, c.name, json_group_array(DISTINCT mine.label) AS keys
     FROM secret_handles mine
     JOIN (SELECT connection_id, fingerprint FROM secret_handles UNION SELECT connection_id, fingerprint FROM key_uses) theirs
       ON theirs.fingerprint = mine.fingerprint
     JOIN connections c ON c.id = theirs.connection_id
     WHERE mine.connection_id = :connectionId AND c.id <> :connectionId
     GROUP BY c.id ORDER BY c.name`,
  );
  const capsOf = (connectionId: string): SpendingCaps => {
    const row = find.get(connectionId);
    return row ? spendingCapsSchema.parse({ ...row }) : noCaps;
  };
  /** Once a cap is removed its author is forgotten. */
  function note(connectionId: string, what: string, isSet: boolean): void {
    if (isSet && author) saveAuthor.run({ connectionId, what, person: author.person, at: isoNow(author.clock) });
    else removeAuthor.run({ connectionId, what });
  }
  const authorsOf = (connectionId: string): ReadonlyMap<string, CapAuthor> =>
    new Map(
      listAuthors
        .all(connectionId)
        .map(({ what, person, at }) => [String(what), { person: String(person), at: String(at) }]),
    );
  function pricesOf(connectionId: string): SetPrice[] {
    const authors = authorsOf(connectionId);
    return sums
      .listPrices(connectionId)
      .map((one) => ({ ...one, setBy: authors.get(`price ${one.operation}`) ?? null }));
  }
  return {
    /** What applies; a policy makes it narrower (policy/enforce-policy.ts). */
    read: (connectionId: string): Result<SpendingCaps> => attempt(() => capsOf(connectionId)),
    /** What was set here, whatever a policy makes of it. */
    ofConnection: (connectionId: string): Result<SpendingCaps> => attempt(() => capsOf(connectionId)),
    write: (connectionId: string, changes: CapChanges): Result<void> =>
      db.transaction(() => {
        const caps = { ...capsOf(connectionId) };
        for (const name of capNames) {
          const value = changes[name];
          if (value === undefined || value === caps[name]) continue;
          caps[name] = value;
          note(connectionId, name, value !== null);
        }
        save.run({ connectionId, ...caps });
        return ok(undefined);
      }),
    /** Who set each cap that is set. */
    authors: (connectionId: string): Result<Partial<Record<keyof SpendingCaps, CapAuthor>>> =>
      attempt(() => {
        const authors = authorsOf(connectionId);
        return Object.fromEntries(capNames.flatMap((name) => (authors.has(name) ? [[name, authors.get(name)]] : [])));
      }),
    /** Connections whose caps also apply to a key of this one. */
    sharing: (connectionId: string): Result<SharingConnection[]> =>
      attempt(() =>
        sharing.all({ connectionId }).map((row) => ({
          connectionId: String(row.connectionId),
          name: String(row.name),
          keys: (JSON.parse(String(row.keys)) as string[]).sort(),
        })),
      ),
    /** The caps of one connection, with whose calls they count. */
    rules: (connectionId: string): Result<NamedCaps[]> =>
      attempt(() => [{ ...capsOf(connectionId), scope: { kind: 'connection' as const, connectionId } }]),
    /**
     * All that apply to a call with a key: those of its connection, and of every other one that holds the same key or has sent calls with
     * it. Stores that this connection has.
     */
    inForce: (connectionId: string, fingerprint: string): Result<NamedCaps[]> =>
      attempt(() => {
        sums.noteUse(connectionId, fingerprint);
        const connections = new Set([connectionId, ...sums.connectionsWith(fingerprint)]);
        return [...connections].map((id) => ({
          ...capsOf(id),
          scope: { kind: 'connection' as const, connectionId: id },
        }));
      }),
    /** What operations without a published price count for, in credits, as set by a person. */
    setPrices: (connectionId: string): Result<SetPrice[]> => attempt(() => pricesOf(connectionId)),
    /** null takes the figure away. */
    setPrice: (connectionId: string, operation: string, credits: number | null): Result<SetPrice[]> =>
      db.transaction(() => {
        sums.savePrice(connectionId, operation, credits);
        note(connectionId, `price ${operation}`, credits !== null);
        return ok(pricesOf(connectionId));
      }),
  };
}
