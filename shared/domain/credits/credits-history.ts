import { z } from 'zod';
import { balanceSources } from './credits.ts';

/** One way of asking for a balance: a source and the key that asked. */
const balanceStreamSchema = z.object({
  source: z.enum(balanceSources),
  label: z.string(),
  keyLastFour: z.string(),
});
export type BalanceStream = z.infer<typeof balanceStreamSchema>;

const balancePointSchema = z.object({
  /** Time of the last reading that the point represents, ISO 8601 UTC. */
  at: z.string(),
  credits: z.number(),
  /** A time without a reading so long that no line may be drawn from the point before; null: there was none. */
  gap: z.object({ since: z.string(), until: z.string() }).nullable(),
});
export type BalancePoint = z.infer<typeof balancePointSchema>;

export const spendGroupings = ['key', 'operation', 'source', 'person'] as const;
export type SpendGrouping = (typeof spendGroupings)[number];

/** A bar: a day, or the week that starts with it. */
const spendBarSchema = z.object({
  /** YYYY-MM-DD, in this computer's zone. */
  day: z.string(),
  /** Credits by the name of the series. */
  parts: z.record(z.string(), z.number()),
  /** Taken by no call of this console. */
  unexplained: z.number(),
  /** Credits that came in. */
  added: z.number(),
  /** Calls whose price is neither published nor read: in no sum. */
  unpriced: z.number(),
});
export type SpendBar = z.infer<typeof spendBarSchema>;

/** When the history of a demo connection was made up (ISO 8601 UTC); null: all of it happened. */
export const madeUpSchema = z.object({ since: z.string(), until: z.string() }).nullable();

export const creditHistorySchema = z.object({
  from: z.string(),
  to: z.string(),
  /** Time of the first reading or spend there is; null: nothing yet. */
  since: z.string().nullable(),
  lines: z.array(balanceStreamSchema.extend({ points: z.array(balancePointSchema) })),
  /** Readings from a server to which the connection no longer leads lie in the range: they are in no line. */
  elsewhere: z.boolean(),
  /** Names of the series, the largest first; the smallest are together under "other". */
  series: z.array(z.string()),
  barDays: z.union([z.literal(1), z.literal(7)]),
  bars: z.array(spendBarSchema),
  /** The same as of the ledger's sums, of what came in and what no call explains. */
  balances: z.number(),
  madeUp: madeUpSchema,
});
export type CreditHistory = z.infer<typeof creditHistorySchema>;

const runOutSchema = z.discriminatedUnion('kind', [
  /** The last day on which the credits could be used (`on`, YYYY-MM-DD) is over. */
  z.object({ kind: z.literal('expired'), on: z.string() }),
  /** Fewer than three whole days are known. */
  z.object({ kind: z.literal('not-enough-data'), days: z.number() }),
  z.object({ kind: z.literal('nothing-spent'), days: z.number() }),
  z.object({
    kind: z.literal('runs-out'),
    days: z.number(),
    /** Credits spent a day, on average. */
    perDay: z.number(),
    /** Credits per day in the last seven days, if spending rises or falls; null: it continues as before. */
    lately: z.number().nullable(),
    /** YYYY-MM-DD, the first day without credits. null: not before they expire, and not within the ten years looked at. */
    likely: z.string().nullable(),
    /** The range in which four out of five outcomes lie, as `likely`; null also if no range can be given. */
    earliest: z.string().nullable(),
    latest: z.string().nullable(),
    /** Why no range is given; null: it is. */
    noRange: z.enum(['few-days', 'changing']).nullable(),
    /**
     * Credits left unused after the expiry day's own spend, as a range; null: no date was given, or they run out before it. All three are
     * the likely figure if no range is given.
     */
    unused: z.object({ least: z.number(), likely: z.number(), most: z.number() }).nullable(),
    /** Credits left as a day begins; the last day is the one after the expiry day. */
    cone: z.array(
      z.object({ day: z.string(), likely: z.number(), least: z.number().nullable(), most: z.number().nullable() }),
    ),
    /** True if every weekday was seen twice, so that the shape of a week is followed. */
    byWeekday: z.boolean(),
  }),
]);
export type RunOut = z.infer<typeof runOutSchema>;

export const forecastSchema = z.object({
  /** The last figure read, and what this console has spent since, which is subtracted; null: no balance was read. */
  from: z.object({ label: z.string(), credits: z.number(), at: z.string(), spentSince: z.number() }).nullable(),
  /** YYYY-MM-DD as the service sent it; null: it sent none that can be read. */
  expires: z.string().nullable(),
  /** Calls of this console on the days looked at whose cost is not known: they are in neither rate. */
  unpriced: z.number(),
  /** At the rate of this console's calls, and at the account's; null: no balance was read. */
  console: runOutSchema.nullable(),
  account: runOutSchema.nullable(),
});
export type Forecast = z.infer<typeof forecastSchema>;

export const reconciliationSchema = z.object({
  source: z.enum(balanceSources),
  /** Keys whose balances may be one. The figures are what the first of them read. */
  keys: z.array(z.object({ label: z.string(), keyLastFour: z.string() })),
  /** First and last figure inside the window; null: fewer than two readings, and then nothing can be said. */
  opening: z.object({ at: z.string(), credits: z.number() }).nullable(),
  closing: z.object({ at: z.string(), credits: z.number() }).nullable(),
  /** Credits that came in, one line each. */
  additions: z.array(z.object({ since: z.string(), at: z.string(), credits: z.number() })),
  added: z.number(),
  /** Spent by calls of this console, by key. */
  spent: z.array(z.object({ paidBy: z.string(), credits: z.number(), calls: z.number() })),
  expected: z.number(),
  /** Spent by calls of this console in the range, before its first reading or after its last: compared with nothing. */
  outside: z.number(),
  /** How far the balance fell, not counting credits that were added. */
  observed: z.number(),
  /** Fell in windows without any call of this console: others on this account. */
  others: z.number(),
  /** The part of it in the demo’s made-up history. */
  othersMadeUp: z.number(),
  /** Fell beside calls of this console, and not by their price. */
  unexplained: z.number(),
  /** observed − expected − others − unexplained: what is left open by calls of unknown cost, or cheaper than published. */
  open: z.number(),
  unpriced: z.number(),
  /** Published prices of calls whose cost no reading has shown. */
  undecided: z.number(),
  /** Calls over the other interface that may have drawn on it: no balance shows what they cost. */
  mayHaveDrawn: z.number(),
  /**
   * Windows between readings with no call of this connection over the balance’s interface begun in them, in how many the balance stood still,
   * and how long they were together.
   */
  quiet: z.object({ windows: z.number(), still: z.number(), seconds: z.number() }),
});
export type Reconciliation = z.infer<typeof reconciliationSchema>;

export const measuredPriceSchema = z.object({
  operation: z.string(),
  credits: z.number(),
  /** How many falls in a row showed it, the first and the last at these times (ISO 8601 UTC). */
  times: z.number(),
  firstAt: z.string(),
  lastAt: z.string(),
  /** Credits of other falls seen before: the price depends on something, or has changed. */
  alsoSeen: z.array(z.number()),
});

const alertKinds = ['below-credits', 'below-percent', 'days-left', 'unexplained'] as const;
export type AlertKind = (typeof alertKinds)[number];

/**
 * A threshold to be notified about. `unexplained`: a fall of at least that many credits beyond the prices of calls that may explain it, if
 * each has one, and if the reading of a window shows it first.
 */
export const alertSchema = z.strictObject({
  kind: z.enum(alertKinds),
  /** Credits, per cent of the total, or days, by its kind. */
  threshold: z.number().min(0).max(100_000_000),
});
export type Alert = z.infer<typeof alertSchema>;

export const alertStateSchema = alertSchema.extend({
  /** When it was reported at this crossing; null: not reached, or crossed back. */
  toldAt: z.string().nullable(),
  /** Switched off, it notifies nobody until it is on again. */
  isOn: z.boolean(),
  /** What it watches, in its own unit, by the last reading with a figure; null: not known, or nothing that has a current value. */
  now: z.number().nullable(),
});
export type AlertState = z.infer<typeof alertStateSchema>;

/** An alert as it is reported. */
export const alertNoticeSchema = z.object({
  connectionId: z.string(),
  connectionName: z.string(),
  title: z.string(),
  text: z.string(),
  at: z.string(),
  /** Sent by "Try one": nothing has been crossed. */
  trial: z.boolean(),
});
export type AlertNotice = z.infer<typeof alertNoticeSchema>;
