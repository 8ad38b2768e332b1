import type { Result } from '../../../shared/result.ts';
import type { Database } from '../storage/database.ts';
import { attempt } from '../storage/errors.ts';
import { openLedgerRepository } from '../storage/ledger-repository.ts';

/** Enough to see whether a price is steady; older ones may belong to an older tariff. */
const lookedAt = 50;

export interface MeasuredPrice {
  /** The price last measured. */
  credits: number;
  /** How many measurements in a row gave it, up to now. */
  times: number;
  /** First and last of those, ISO 8601 UTC. */
  firstAt: string;
  lastAt: string;
  /** Other prices measured before: the price depends on something, or has changed. */
  alsoSeen: number[];
}

/** What this account was measured to pay, from single calls with a balance reading on both sides; undefined: never measured. */
export function measurePrices(db: Database) {
  const rows = openLedgerRepository(db.sql);
  return (connectionId: string, operation: string): Result<MeasuredPrice | undefined> =>
    attempt(() => {
      const found = rows.measured(connectionId, operation, lookedAt);
      const last = found[0];
      if (!last) return undefined;
      const change = found.findIndex(({ credits }) => credits !== last.credits);
      const same = change === -1 ? found : found.slice(0, change);
      const others = new Set(found.map(({ credits }) => credits).filter((credits) => credits !== last.credits));
      return {
        credits: last.credits,
        times: same.length,
        firstAt: same.at(-1)?.at ?? last.at,
        lastAt: last.at,
        alsoSeen: [...others].sort((a, b) => a - b),
      };
    });
}
