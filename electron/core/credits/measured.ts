import type { z } from 'zod';
import { priceOf } from '../../../shared/catalogue/price.ts';
import type { Connection } from '../../../shared/domain/connection.ts';
import type { measuredPriceSchema } from '../../../shared/domain/credits/credits-history.ts';
import type { Result } from '../../../shared/result.ts';
import { openLedgerRepository } from '../spend/ledger-repository.ts';
import { serversOf } from '../spend/origins.ts';
import { fallsToLearn, learnPrice } from '../spend/reconcile.ts';
import { openConnectionsRepository } from '../storage/connections-repository.ts';
import type { Database } from '../storage/database/database.ts';
import { attempt } from '../storage/database/errors.ts';

/** Enough to see whether a price is steady; older ones may belong to an earlier tariff. */
const lookedAt = 50;

/** Of one operation, from its last 50 falls. */
type Measured = Omit<z.infer<typeof measuredPriceSchema>, 'operation'>;

/**
 * What this account was measured to pay where the connection leads now, from calls that were each alone in a fall of the balance; undefined:
 * three alike have not been seen. A measured price may order two ways and is shown as measured; nothing is concluded from it. Errors:
 * `storage-failed`.
 */
export function measurePrices(db: Database) {
  const rows = openLedgerRepository(db.sql);
  const connections = openConnectionsRepository(db.sql);

  function measure(connection: Connection, operation: string): Measured | undefined {
    const found = rows.fallsOf(connection.id, operation, lookedAt, serversOf(connection));
    const [last] = found;
    const price = learnPrice(found.slice(0, fallsToLearn).map(({ credits }) => credits));
    if (price === undefined || !last) return undefined;
    const change = found.findIndex(({ credits }) => credits !== price);
    const same = change === -1 ? found : found.slice(0, change);
    const others = new Set(found.map(({ credits }) => credits).filter((credits) => credits !== price));
    return {
      credits: price,
      times: same.length,
      firstAt: same.at(-1)?.at ?? last.at,
      lastAt: last.at,
      alsoSeen: [...others].sort((a, b) => a - b),
    };
  }

  return {
    of: (connectionId: string, operation: string): Result<Measured | undefined> =>
      attempt(() => {
        const connection = connections.find(connectionId);
        return connection && measure(connection, operation);
      }),
    /** Every one, by operation, of operations without a published price. */
    list: (connectionId: string): Result<z.infer<typeof measuredPriceSchema>[]> =>
      attempt(() => {
        const connection = connections.find(connectionId);
        if (!connection) return [];
        const operations = rows
          .operationsThatFell(connectionId)
          .filter((name) => priceOf(name).kind === 'not-published');
        return operations.flatMap((operation) => {
          const price = measure(connection, operation);
          return price ? [{ operation, ...price }] : [];
        });
      }),
  };
}
