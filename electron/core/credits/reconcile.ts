import { type Protocol, protocols } from '../../../shared/domain/connection.ts';
import type { BalanceSample } from '../../../shared/domain/credits/credits.ts';
import type { BalanceStream, Reconciliation } from '../../../shared/domain/credits/credits-history.ts';
import { localDay } from '../../../shared/domain/text/calendar-day.ts';
import { roundFigure } from '../../../shared/domain/text/figures.ts';
import type { Result } from '../../../shared/result.ts';
import { sourceOf } from '../calls/caller.ts';
import { startOfDay } from '../spend/days.ts';
import { openBalanceSamples } from '../storage/balance-samples-repository.ts';
import { openCreditHistoryRepository, type Spent } from '../storage/credit-history-repository.ts';
import type { Database } from '../storage/database/database.ts';
import { attempt } from '../storage/database/errors.ts';
import type { OneBalance } from '../storage/one-balance.ts';
import { dayNumber, dayText } from './forecast.ts';

/**
 * Compares what this console spent, by published prices and by what its balances showed, with what the balances did. `isSeparate`: a person
 * has said that the keys of a connection have separate balances. Errors: `storage-failed`.
 */
export function createReconciler(db: Database, isSeparate: (connectionId: string) => boolean) {
  const days = openCreditHistoryRepository(db.sql);
  const samples = openBalanceSamples(db.sql);

  /** Spends after one moment up to another: partial days from the entries, whole days from the daily totals. */
  function spentBetween(balance: OneBalance, from: string, to: string): Spent[] {
    const first = localDay(from);
    const last = localDay(to);
    if (first === last) return days.spentByEntries(balance, from, to);
    const justBefore = (day: string) => new Date(Date.parse(startOfDay(day)) - 1).toISOString();
    return [
      ...days.spentByEntries(balance, from, justBefore(dayText(dayNumber(first) + 1))),
      ...days.spentByDays(balance, first, last),
      ...days.spentByEntries(balance, justBefore(last), to),
    ];
  }

  /** `separate`: `keys` is one key that has a balance of its own. */
  function reconcileKeys(query: {
    connectionId: string;
    protocol: Protocol;
    from: string;
    to: string;
    keys: readonly BalanceStream[];
    separate: boolean;
  }): Reconciliation {
    const { connectionId, protocol, from, to, keys, separate } = query;
    // The figures of one key only, the one read over the longest time: whether keys share a balance is not known.
    const { stream, figures, first, last, origin, fingerprint } = keys
      .map((stream) => ({ stream, ...samples.figuresWithin(connectionId, stream, from, to) }))
      .reduce((longest, one) => (spanOf(one.figures) > spanOf(longest.figures) ? one : longest));
    const { label } = stream;
    const balance: OneBalance = { connectionId, interface: protocol, label, origin, fingerprint, separate };
    const justBefore = new Date(Date.parse(from) - 1).toISOString();
    const empty = {
      source: sourceOf[protocol],
      keys: [stream, ...keys.filter((one) => one !== stream)].map(({ label, keyLastFour }) => ({ label, keyLastFour })),
      ...nothing,
      quiet: days.quiet(connectionId, sourceOf[protocol], origin, localDay(from), localDay(to)),
    };
    const [opening] = figures;
    const closing = figures.at(-1);
    const inAll = sum(spentBetween(balance, justBefore, to), ({ credits }) => credits);
    if (!opening || !closing || opening.at === closing.at)
      return { ...empty, opening: figureOf(opening), outside: inAll };

    const spent = sumByKey(spentBetween(balance, opening.at, closing.at));
    const movements = days.movements(balance, { first, last, from: opening.at, to: closing.at });
    const fell = movements.filter((one) => one.fell > 0);
    const alone = fell.filter(({ beside }) => !beside);
    const added = sum(movements, (one) => one.added);
    const expected = sum(spent, ({ credits }) => credits);
    const observed = roundFigure((opening.credits ?? 0) + added - (closing.credits ?? 0));
    const others = sum(alone, (one) => one.fell);
    const unexplained = sum(
      fell.filter(({ beside }) => beside),
      (one) => one.fell,
    );
    return {
      ...empty,
      opening: figureOf(opening),
      closing: figureOf(closing),
      additions: movements.flatMap(({ since, at, added: credits }) => (credits > 0 ? [{ since, at, credits }] : [])),
      added,
      spent: spent.map(({ paidBy, credits, calls }) => ({ paidBy, credits, calls })),
      expected,
      outside: roundFigure(inAll - expected),
      observed,
      others,
      othersMadeUp: sum(alone, (one) => (one.madeUp ? one.fell : 0)),
      unexplained,
      open: roundFigure(observed - expected - others - unexplained),
      unpriced: sum(spent, ({ unpriced }) => unpriced),
      undecided: days.undecided(balance, opening.at, closing.at),
      mayHaveDrawn: days.mayHaveDrawn(balance, opening.at, closing.at),
    };
  }

  /** A reconciliation for each balance that was read in the window (ISO 8601 UTC, inclusive). */
  function reconcile(connectionId: string, from: string, to: string): Result<Reconciliation[]> {
    return attempt(() => {
      const streams = days.streams(connectionId, localDay(from), localDay(to), null);
      return protocols.flatMap((protocol) => {
        const keys = streams.filter(({ source }) => source === sourceOf[protocol]);
        const query = { connectionId, protocol, from, to };
        if (keys.length === 0) return [];
        if (keys.length > 1 && isSeparate(connectionId))
          return keys.map((key) => reconcileKeys({ ...query, keys: [key], separate: true }));
        return [reconcileKeys({ ...query, keys, separate: false })];
      });
    });
  }

  return {
    reconcile,
    /** The history made up for the demo connection, whose calls nobody made; null: there is none. */
    madeUp: (connectionId: string) => attempt(() => samples.madeUp(connectionId)),
  };
}

const nothing = {
  opening: null,
  closing: null,
  additions: [],
  added: 0,
  spent: [],
  expected: 0,
  outside: 0,
  observed: 0,
  others: 0,
  othersMadeUp: 0,
  unexplained: 0,
  open: 0,
  unpriced: 0,
  undecided: 0,
  mayHaveDrawn: 0,
};

const spanOf = (figures: readonly BalanceSample[]): number =>
  Date.parse(figures.at(-1)?.at ?? '') - Date.parse(figures[0]?.at ?? '') || 0;

const figureOf = (sample: BalanceSample | undefined) =>
  sample?.credits == null ? null : { at: sample.at, credits: sample.credits };

const sum = <T>(list: readonly T[], of: (one: T) => number): number => list.reduce((all, one) => all + of(one), 0);

function sumByKey(list: readonly Spent[]): Spent[] {
  const keys = new Map<string, Spent>();
  for (const one of list) {
    const found = keys.get(one.paidBy);
    keys.set(
      one.paidBy,
      found
        ? {
            paidBy: one.paidBy,
            credits: found.credits + one.credits,
            calls: found.calls + one.calls,
            unpriced: found.unpriced + one.unpriced,
          }
        : one,
    );
  }
  return [...keys.values()].sort((a, b) => b.credits - a.credits || a.paidBy.localeCompare(b.paidBy));
}
