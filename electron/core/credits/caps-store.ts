import { type SpendingCaps, spendingCapsSchema } from '../../../shared/domain/credits.ts';
import type { Result } from '../../../shared/result.ts';
import type { Database } from '../storage/database.ts';
import { attempt } from '../storage/errors.ts';
import { noCaps } from './caps.ts';

export type CapsStore = ReturnType<typeof createCapsStore>;

/** The caps of each connection; none set: no cap. Errors: `storage-failed`. */
export function createCapsStore(db: Database) {
  const find = db.sql.prepare(
    'SELECT per_run AS perRun, per_day AS perDay, floor FROM spending_caps WHERE connection_id = ?',
  );
  const save = db.sql.prepare(
    `INSERT INTO spending_caps (connection_id, per_run, per_day, floor) VALUES (:connectionId, :perRun, :perDay, :floor)
     ON CONFLICT DO UPDATE SET per_run = :perRun, per_day = :perDay, floor = :floor`,
  );
  return {
    read: (connectionId: string): Result<SpendingCaps> =>
      attempt(() => {
        const row = find.get(connectionId);
        return row ? spendingCapsSchema.parse({ ...row }) : noCaps;
      }),
    write: (connectionId: string, caps: SpendingCaps): Result<void> =>
      attempt(() => void save.run({ connectionId, ...caps })),
  };
}
