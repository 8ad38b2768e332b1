import { type Protocol, protocols } from '../../../shared/domain/connection.ts';
import type { BalanceSample } from '../../../shared/domain/credits/credits.ts';
import type { BalanceStream, Reconciliation } from '../../../shared/domain/credits/credits-history.ts';
import { localDay } from '../../../shared/domain/text/calendar-day.ts';
import { roundFigure } from '../../../shared/domain/text/figures.ts';
import type { Result } from '../../../shared/result.ts';
import { sourceOf } from '../calls/caller.ts';
import { movementOperation } from '../spend/conclusions.ts';
import { startOfDay } from '../spend/days.ts';
import { type Movement, openLedgerRepository } from '../spend/ledger-repository.ts';
import { openBalanceSamples } from '../storage/balance-samples-repository.ts';
import { openCreditHistoryRepository, type Spent } from '../storage/credit-history-repository.ts';
import type { Database } from '../storage/database/database.ts';
import { attempt } from '../storage/database/errors.ts';
import { dayNumber, dayText } from './forecast.ts';

/**
 * Compares what this console spent, by published prices and by what its balances showed, with what the balances did. `isSeparate`: a person
 * has said that the keys of a connection have separate balances. Errors: `storage-failed`.
 */
export function createReconciler(db: Database, isSeparate: (connectionId: string) => boolean) {
  const days = openCreditHistoryRepository(db.sql);
  const ledger = openLedgerRepository(db.sql);
  const samples = openBalanceSamples(db.sql);

  /** Spends after one moment up to another: partial days from the entries, whole days from the daily totals. */
  function spentBetween(connectionId: string, protocol: Protocol, from: string, to: string): Spent[] {
    const first = localDay(from);
    const last = localDay(to);
    if (first === last) return days.spentByEntries(connectionId, protocol, from, to, null);
    const justBefore = (day: string) => new Date(Date.parse(startOfDay(day)) - 1).toISOString();
    return [
      ...days.spentByEntries(connectionId, protocol, from, justBefore(dayText(dayNumber(first) + 1)), null),
      ...days.spentByDays(connectionId, protocol, first, last, movementOperation),
      ...days.spentByEntries(connectionId, protocol, justBefore(last), to, null),
    ];
  }

  function reconcileKeys(query: {
    connectionId: string;
    protocol: Protocol;
    from: string;
    to: string;
    keys: readonly BalanceStream[];
    /** Only what these keys paid for counts: they have a balance of their own. */
    ownOnly: boolean;
  }): Reconciliation {
    const { connectionId, protocol, from, to, keys, ownOnly } = query;
    // The figures of one key only, the one read over the longest time: whether keys share a balance is not known.
    const [{ figures, origin } = { figures: [], origin: '' }] = keys
      .map((stream) => samples.figuresWithin(connectionId, stream, from, to))
      .sort((a, b) => spanOf(b.figures) - spanOf(a.figures));
    const empty = {
      source: sourceOf[protocol],
      keys: keys.map(({ label, keyLastFour }) => ({ label, keyLastFour })),
      ...nothing,
      quiet: days.quiet(connectionId, sourceOf[protocol], origin, localDay(from), localDay(to)),
    };
    const [opening] = figures;
    const closing = figures.at(-1);
    const labels = new Set(keys.map(({ label }) => label));
    const counts = ({ paidBy }: { paidBy: string }) => !ownOnly || labels.has(paidBy);
    const justBefore = new Date(Date.parse(from) - 1).toISOString();
    const inAll = sum(spentBetween(connectionId, protocol, justBefore, to).filter(counts), ({ credits }) => credits);
    if (!opening || !closing || opening.at === closing.at)
      return { ...empty, opening: figureOf(opening), outside: inAll };

    const spent = sumByKey(spentBetween(connectionId, protocol, opening.at, closing.at).filter(counts));
    const movements = ledger
      .movements(connectionId, opening.at, closing.at, null)
      .filter((entry) => entry.at > opening.at && labels.has(entry.paidBy));
    const additions = movements.flatMap(({ id, since, at, observed }) =>
      (observed ?? 0) < 0 ? [{ entryId: id, since: since ?? at, at, credits: -(observed ?? 0) }] : [],
    );
    const fell = movements.filter(({ observed }) => (observed ?? 0) > 0);
    const added = sum(additions, ({ credits }) => credits);
    const expected = sum(spent, ({ credits }) => credits);
    const observed = roundFigure((opening.credits ?? 0) + added - (closing.credits ?? 0));
    const others = sum(fell, (entry) => (isBesideCalls(entry) ? 0 : (entry.observed ?? 0)));
    const unexplained =
      sum(fell, (entry) => (isBesideCalls(entry) ? (entry.observed ?? 0) : 0)) + sum(spent, ({ more }) => more);
    return {
      ...empty,
      opening: figureOf(opening),
      closing: figureOf(closing),
      additions,
      added,
      spent: spent.map(({ paidBy, credits, calls }) => ({ paidBy, credits, calls })),
      expected,
      outside: roundFigure(inAll - expected),
      observed,
      others,
      othersMadeUp: sum(fell, (entry) => (entry.madeUp && !isBesideCalls(entry) ? (entry.observed ?? 0) : 0)),
      unexplained,
      open: roundFigure(observed - expected - others - unexplained),
      unpriced: sum(spent, ({ unpriced }) => unpriced),
      undecided: days.undecided(connectionId, protocol, opening.at, closing.at),
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
          return keys.map((key) => reconcileKeys({ ...query, keys: [key], ownOnly: true }));
        return [reconcileKeys({ ...query, keys, ownOnly: false })];
      });
    });
  }

  return {
    reconcile,
    /** The history made up for the demo connection, whose calls nobody made; null: there is none. */
    madeUp: (connectionId: string) => attempt(() => samples.madeUp(connectionId)),
  };
}

/** The prices of its calls explain a part of it, or what they cost is not published or is another fall. */
const isBesideCalls = ({ explained, claims }: Movement): boolean =>
  explained > 0 || claims.some(({ kind }) => kind === 'beyond' || kind === 'shared');

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
            more: found.more + one.more,
            calls: found.calls + one.calls,
            unpriced: found.unpriced + one.unpriced,
          }
        : one,
    );
  }
  return [...keys.values()].sort((a, b) => b.credits - a.credits || a.paidBy.localeCompare(b.paidBy));
}
