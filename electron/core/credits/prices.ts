import type { z } from 'zod';
import { priceOf } from '../../../shared/catalogue/price.ts';
import type { measuredPriceSchema } from '../../../shared/domain/credits/credits-history.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { openLedgerRepository } from '../spend/ledger-repository.ts';
import type { Database } from '../storage/database/database.ts';
import { attempt } from '../storage/database/errors.ts';
import { measurePrices } from './measured.ts';

/** Every price this account was measured to pay, by operation, where none is published. Errors: `storage-failed`. */
export function listMeasuredPrices(db: Database, connectionId: string): Result<z.infer<typeof measuredPriceSchema>[]> {
  const operations = attempt(() => openLedgerRepository(db.sql).operationsThatFell(connectionId));
  if (!operations.ok) return operations;
  const measure = measurePrices(db);
  const prices: z.infer<typeof measuredPriceSchema>[] = [];
  for (const operation of operations.value.filter((name) => priceOf(name).kind === 'not-published')) {
    const price = measure(connectionId, operation);
    if (!price.ok) return price;
    if (price.value) prices.push({ operation, ...price.value });
  }
  return ok(prices);
}
