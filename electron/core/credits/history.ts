import { setImmediate as turn } from 'node:timers/promises';
import type { BalancePoint, CreditHistory, SpendBar } from '../../../shared/domain/credits/credits-history.ts';
import { localDay } from '../../../shared/domain/text/calendar-day.ts';
import type { Result } from '../../../shared/result.ts';
import type { Clock } from '../../ports.ts';
import { wholeDays } from '../spend/days.ts';
import { openBalanceSamples } from '../storage/balance-samples-repository.ts';
import {
  type DayGrouping,
  type DaySum,
  openCreditHistoryRepository,
  type Sample,
} from '../storage/credit-history-repository.ts';
import type { Database } from '../storage/database/database.ts';
import { attempt } from '../storage/database/errors.ts';
import type { Servers } from '../storage/servers.ts';
import { dayNumber, dayText } from './forecast.ts';

const hour = 3_600_000;
const dayMs = 24 * hour;
/** Up to here each reading is drawn; beyond it a day is one point. */
const fineUpToMs = 45 * dayMs;
const pointsAcross = 400;
/** More days than this are drawn as weeks. */
const mostDayBars = 62;
/** Of weeks: some thirty years. */
const mostBars = 1600;
const mostSeries = 5;
const otherSeries = 'other';
/** Calls for which the log does not say who asked: made up for the demo, or by an earlier version. */
const notRecorded = 'not recorded';

interface HistoryRange {
  connectionId: string;
  /** ISO 8601 UTC. */
  from: string;
  to: string;
}

/** This long without a reading is a gap: a thirtieth of the range, but at least three hours and at most three days. */
const gapOf = (rangeMs: number): number => Math.min(3 * dayMs, Math.max(3 * hour, rangeMs / 30));

/**
 * Balance and spend over time, from what is stored. `serversFor`: where a connection leads now; what was read elsewhere is in no line, since it
 * is another balance. Errors: `storage-failed`.
 */
export function createCreditHistory(
  db: Database,
  clock: Pick<Clock, 'now'>,
  serversFor: (connectionId: string) => Servers,
) {
  const rows = openCreditHistoryRepository(db.sql);
  const samples = openBalanceSamples(db.sql);

  /** Reads a few thousand rows at most, whatever the range. */
  function read(query: HistoryRange & { by: DayGrouping }): Result<CreditHistory> {
    return attempt(() => draw(query, (days) => rows.spend(query.connectionId, query.by, days.from, days.to)));
  }

  /**
   * The same by who asked. The daily totals do not record that, so calls are added up one day at a time, with other work in between: a year
   * of a million calls blocks nothing.
   */
  async function readByPerson(query: HistoryRange): Promise<Result<CreditHistory>> {
    const { connectionId, from, to } = query;
    const sums: DaySum[] = [];
    const days = attempt(() => rows.spend(connectionId, 'key', localDay(from), localDay(to)));
    if (!days.ok) return days;
    for (const sum of days.value) if (sum.kind !== 'spend') sums.push(sum);
    for (const day of new Set(days.value.filter(({ kind }) => kind === 'spend').map((sum) => sum.day))) {
      await turn();
      const noon = `${day}T12:00:00`;
      const whole = wholeDays({ from: new Date(noon).toISOString(), to: new Date(noon).toISOString() });
      const people = attempt(() => rows.spendByPerson(connectionId, whole.from, whole.to));
      if (!people.ok) return people;
      for (const { series, ...sum } of people.value)
        sums.push({ day, kind: 'spend', series: series === '' ? notRecorded : series, ...sum });
    }
    sums.sort((a, b) => a.day.localeCompare(b.day));
    return attempt(() => draw(query, () => sums));
  }

  function draw(
    { connectionId, from, to }: HistoryRange,
    spent: (days: { from: string; to: string }) => readonly DaySum[],
  ): CreditHistory {
    const days = { from: localDay(from), to: localDay(to) };
    const rangeMs = Math.max(1, Date.parse(to) - Date.parse(from));
    const servers = serversFor(connectionId);
    const lines = rows.streams(connectionId, days.from, days.to, servers).map((stream) => {
      const seconds = Math.max(1, rangeMs / 1000 / pointsAcross);
      const samples =
        rangeMs > fineUpToMs
          ? rows.daySamples(connectionId, stream, days.from, days.to, servers)
          : rows.samples(connectionId, stream, { from, to, seconds }, servers);
      return { ...stream, points: toPoints(samples, gapOf(rangeMs)) };
    });
    const whole = wholeDays({ from, to });
    const since = rows.firstAt(connectionId);
    const first = since === null ? days.to : localDay(since);
    const sums = spent(days);
    // Days without a spend are drawn from the first known day to today, however wide a range was chosen.
    const last = [localDay(clock.now()), sums.at(-1)?.day ?? ''].reduce((a, b) => (a > b ? a : b));
    const spend = toBars(sums, days.from > first ? days.from : first, days.to < last ? days.to : last);
    return {
      from,
      to,
      since,
      lines,
      ...spend,
      balances: rows.balancesThatOverlap(connectionId, whole.from, whole.to),
      elsewhere: rows.isReadElsewhere(connectionId, days.from, days.to, servers),
      madeUp: samples.madeUp(connectionId),
    };
  }

  return { read, readByPerson };
}

/** Pure. A point after a gap says between which times nothing was read: it is the last of its stretch, which may have begun a day before. */
function toPoints(samples: readonly Sample[], gapMs: number): BalancePoint[] {
  return samples.map(({ firstAt, at, credits }, index) => {
    const before = samples[index - 1];
    const gap = before !== undefined && Date.parse(firstAt) - Date.parse(before.at) > gapMs;
    return { at, credits, gap: gap ? { since: before.at, until: firstAt } : null };
  });
}

/** Pure. A bar for each day, including those without a spend, or for each week from Monday if there are too many. */
export function toBars(
  sums: readonly DaySum[],
  from: string,
  to: string,
): Pick<CreditHistory, 'series' | 'bars' | 'barDays'> {
  const totals = new Map<string, number>();
  for (const { kind, series, credits } of sums)
    if (kind === 'spend' && credits > 0) totals.set(series, (totals.get(series) ?? 0) + credits);
  const ranked = [...totals].sort(([a, x], [b, y]) => y - x || a.localeCompare(b)).map(([name]) => name);
  const shown = new Set(ranked.length > mostSeries ? ranked.slice(0, mostSeries - 1) : ranked);
  const barDays = dayNumber(to) - dayNumber(from) >= mostDayBars ? 7 : 1;
  const bars = new Map<string, SpendBar>();
  const barOf = (day: string): SpendBar => {
    // 1 January 1970 was a Thursday: three days back is a Monday.
    const start = barDays === 1 ? dayNumber(day) : dayNumber(day) - ((dayNumber(day) + 3) % 7);
    const text = dayText(start);
    const found = bars.get(text) ?? { day: text, parts: {}, unexplained: 0, added: 0, unpriced: 0 };
    bars.set(text, found);
    return found;
  };
  const days = dayNumber(to) - dayNumber(from);
  // A clock that was once far off leaves a row centuries away: then only days with a spend have a bar.
  if (days / barDays <= mostBars) for (let day = 0; day <= days; day += 1) barOf(dayText(dayNumber(from) + day));
  for (const { day, kind, series, credits, unpriced } of sums) {
    const bar = barOf(day);
    bar.unpriced += unpriced;
    if (kind === 'added') bar.added -= credits;
    else if (kind === 'unexplained') bar.unexplained += credits;
    else if (credits > 0) {
      const name = shown.has(series) ? series : otherSeries;
      bar.parts[name] = (Object.hasOwn(bar.parts, name) ? (bar.parts[name] ?? 0) : 0) + credits;
    }
  }
  return {
    barDays,
    series: [...shown, ...(ranked.length > shown.size ? [otherSeries] : [])],
    bars: [...bars.values()].sort((a, b) => a.day.localeCompare(b.day)),
  };
}
