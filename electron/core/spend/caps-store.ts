import { type SpendingCaps, spendingCapsSchema } from '../../../shared/domain/credits/credits.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { Database } from '../storage/database/database.ts';
import { attempt } from '../storage/database/errors.ts';
import { type NamedCaps, noCaps } from './caps.ts';
import { openSpendSums } from './spend-sums.ts';

export interface SetPrice {
  operation: string;
  credits: number;
}

export type CapsStore = ReturnType<typeof createCapsStore>;

/** The caps of each connection; none set: no cap. Errors: `storage-failed`. */
export function createCapsStore(db: Database) {
  const sums = openSpendSums(db.sql);
  const find = db.sql.prepare(
    'SELECT per_run AS perRun, per_day AS perDay, floor FROM spending_caps WHERE connection_id = ?',
  );
  const save = db.sql.prepare(
    `INSERT INTO spending_caps (connection_id, per_run, per_day, floor) VALUES (:connectionId, :perRun, :perDay, :floor)
     ON CONFLICT DO UPDATE SET per_run = :perRun, per_day = :perDay, floor = :floor`,
  );
  const capsOf = (connectionId: string): SpendingCaps => {
    const row = find.get(connectionId);
    return row ? spendingCapsSchema.parse({ ...row }) : noCaps;
  };
  return {
    read: (connectionId: string): Result<SpendingCaps> => attempt(() => capsOf(connectionId)),
    write: (connectionId: string, caps: SpendingCaps): Result<void> =>
      attempt(() => void save.run({ connectionId, ...caps })),
    /** The caps of one connection, with whose calls they count. */
    rules: (connectionId: string): Result<NamedCaps[]> =>
      attempt(() => [{ ...capsOf(connectionId), scope: { kind: 'connection' as const, connectionId } }]),
    /** All that hold for a call with a key: those of its connection, and of every other one that holds the same key. */
    inForce: (connectionId: string, fingerprint: string): Result<NamedCaps[]> =>
      attempt(() => {
        sums.noteUse(connectionId, fingerprint);
        const connections = new Set([connectionId, ...sums.connectionsWith(fingerprint)]);
        return [...connections].map((id) => ({
          ...capsOf(id),
          scope: { kind: 'connection' as const, connectionId: id },
        }));
      }),
    /** What a person lets operations without a published price count for, in credits. */
    setPrices: (connectionId: string): Result<SetPrice[]> => attempt(() => sums.listPrices(connectionId)),
    /** null takes the figure away. */
    setPrice: (connectionId: string, operation: string, credits: number | null): Result<SetPrice[]> =>
      db.transaction(() => {
        sums.savePrice(connectionId, operation, credits);
        return ok(sums.listPrices(connectionId));
      }),
  };
}
