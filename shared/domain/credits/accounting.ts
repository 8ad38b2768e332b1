import { z } from 'zod';

export const mostCostCentres = 200;

/** What a person enters about money for their own books: none of it is sent or decides anything. */
export const accountingSchema = z.strictObject({
  /** Pounds that a credit was bought for; null: not given. */
  poundsPerCredit: z.number().min(0).max(1000).nullable(),
  /** Cost centres by the label of the key or licence. */
  centres: z.array(z.strictObject({ label: z.string().max(255), centre: z.string().max(60) })).max(mostCostCentres),
});
export type Accounting = z.infer<typeof accountingSchema>;

export const noAccounting: Accounting = { poundsPerCredit: null, centres: [] };
