import { z } from 'zod';

/** What a person says of money for their own books: nothing of it is sent or decides anything. */
export const accountingSchema = z.strictObject({
  /** Pounds that a credit was bought for; null: not given. */
  poundsPerCredit: z.number().min(0).max(1000).nullable(),
  /** Cost centres by the label of the key or licence. */
  centres: z.array(z.strictObject({ label: z.string().max(255), centre: z.string().max(60) })).max(200),
});
export type Accounting = z.infer<typeof accountingSchema>;

export const noAccounting: Accounting = { poundsPerCredit: null, centres: [] };
