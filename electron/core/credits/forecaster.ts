import type { Protocol } from '../../../shared/domain/connection.ts';
import type { BalanceSample } from '../../../shared/domain/credits/credits.ts';
import type { Forecast } from '../../../shared/domain/credits/credits-history.ts';
import { localDay } from '../../../shared/domain/text/calendar-day.ts';
import type { Result } from '../../../shared/result.ts';
import { type Clock, isoNow } from '../../ports.ts';
import { sourceOf } from '../calls/caller.ts';
import { startOfDay } from '../spend/days.ts';
import { readExpiryDay } from '../spend/reconcile.ts';
import { openBalanceSamples } from '../storage/balance-samples-repository.ts';
import { type Movement, openCreditHistoryRepository } from '../storage/credit-history-repository.ts';
import type { Database } from '../storage/database/database.ts';
import { attempt } from '../storage/database/errors.ts';
import type { OneBalance } from '../storage/one-balance.ts';
import type { Servers } from '../storage/servers.ts';
import { dayNumber, daysLookedAt, dayText, forecastRunOut } from './forecast.ts';

export type Forecaster = ReturnType<typeof createForecaster>;

export interface ForecasterParts {
  /**
   * The label of the lookup key that pays, without one of the master key, which reads the account's balance; undefined: there is neither.
   * With several keys its figure alone runs out: those of the others are another balance, as far as is known.
   */
  payerOf(connectionId: string): string | undefined;
  /** Where a connection leads now; a figure read elsewhere is another service's. */
  serversFor(connectionId: string): Servers;
  /** A person has said that its keys have separate balances: what the others spend is not off this one. */
  isSeparate(connectionId: string): boolean;
}

/** Forecasts from what is stored. Errors: `storage-failed`. */
export function createForecaster(db: Database, clock: Clock, { payerOf, serversFor, isSeparate }: ForecasterParts) {
  const days = openCreditHistoryRepository(db.sql);
  const samples = openBalanceSamples(db.sql);

  /** The figure that runs out: that of the key that pays if there is one, else the account's; undefined: none was read. Throws where SQLite does. */
  function currentFigure(
    connectionId: string,
    servers = serversFor(connectionId),
  ): { balance: OneBalance; sample: BalanceSample } | undefined {
    const newest = (protocol: Protocol, label: string | null = null) => {
      const figure = samples.newestFigure(connectionId, sourceOf[protocol], isoNow(clock), label, servers);
      if (!figure) return undefined;
      const { sample, purse } = figure;
      const separate = isSeparate(connectionId);
      return { sample, balance: { connectionId, interface: protocol, label: sample.label, separate, ...purse } };
    };
    const label = payerOf(connectionId);
    // A key that was removed is not read any more: its figure is the last that is known only where the account has none.
    if (label === undefined) return newest('soap') ?? newest('rest');
    // The account's may be another balance than that of a key that was not read yet.
    return newest('rest', label) ?? (newest('rest') ? undefined : newest('soap'));
  }

  /** When it runs out at this console's rate, and at the rate of the whole account. */
  function read(connectionId: string): Result<Forecast> {
    return attempt(() => {
      const servers = serversFor(connectionId);
      const figure = currentFigure(connectionId, servers);
      if (!figure) return { from: null, expires: null, unpriced: 0, console: null, account: null };
      const { balance, sample } = figure;
      const now = isoNow(clock);
      const today = dayNumber(localDay(now));
      // Of a balance behind an edited address nothing is known from before its first reading.
      const since = days.isReadElsewhere(connectionId, '', '9999', servers)
        ? days.firstReadAt(connectionId, sample.source, servers)
        : days.firstAt(connectionId);
      // The first day is known in part only.
      const first = Math.min(
        today,
        Math.max(today - daysLookedAt, since === null ? today : dayNumber(localDay(since)) + 1),
      );
      const from = dayText(first);
      /** What calls of this console took, and what else fell, on each day up to today. */
      const own = Array.from({ length: today - first + 1 }, () => 0);
      const others = [...own];
      let unpriced = 0;
      for (const { day, spent, ...other } of days.perDay(balance, from, dayText(today))) {
        const index = dayNumber(day) - first;
        own[index] = (own[index] ?? 0) + spent;
        unpriced += other.unpriced;
      }
      const begin = startOfDay(from);
      const range = {
        first: samples.lastCutBefore(balance, begin),
        last: Number.MAX_SAFE_INTEGER,
        from: begin,
        to: now,
      };
      // A fall across the expiry date may be what expired: it says nothing about a rate.
      for (const movement of days.movements(balance, range)) if (!movement.expired) spread(others, first, movement);
      const justBefore = new Date(Date.parse(sample.at) - 1).toISOString();
      const spentSince = days.spentByEntries(balance, justBefore, now).reduce((sum, { credits }) => sum + credits, 0);
      const expires = readExpiryDay(sample.expiryDate);
      const credits = sample.credits ?? 0;
      const account = withOthers(own, others, (Date.parse(sample.at) - Date.parse(begin)) / 86_400_000);
      const forecastOf = (balance: number, spentByDay: readonly number[]) =>
        forecastRunOut({
          balance: Math.max(0, balance),
          today: dayText(today),
          spentToday: spentByDay.at(-1) ?? 0,
          spentByDay: spentByDay.slice(0, -1),
          expires,
        });
      return {
        from: { label: sample.label, credits, at: sample.at, spentSince },
        expires,
        unpriced: unpriced + days.mayHaveDrawn(balance, begin, now),
        console: forecastOf(credits - spentSince, own),
        account: forecastOf(credits - spentSince - account.unseen, account.spentByDay),
      };
    });
  }

  return { read, currentFigure };
}

/** A fall that no call explains happened at some time between two readings: each day there gets its share by duration. */
function spread(days: number[], first: number, { since, at, fell }: Movement): void {
  const to = Date.parse(at);
  const from = Math.min(to - 1, Date.parse(since));
  for (let index = Math.max(0, dayNumber(localDay(from)) - first); index < days.length; index += 1) {
    const start = Date.parse(startOfDay(dayText(first + index)));
    const end = Date.parse(startOfDay(dayText(first + index + 1)));
    if (start >= to) return;
    const overlap = Math.min(to, end) - Math.max(from, start);
    days[index] = (days[index] ?? 0) + fell * Math.max(0, overlap / (to - from));
  }
}

/**
 * This console's days and the others' together. Pure. What others took shows in readings alone, so after the last reading (`seen` days
 * after the first day began, the last day being today) their previous mean is assumed to continue: `unseen` is what that comes to up to
 * today.
 */
function withOthers(
  own: readonly number[],
  others: readonly number[],
  seen: number,
): { spentByDay: number[]; unseen: number } {
  const mean = seen > 0 ? others.reduce((sum, one) => sum + one, 0) / seen : 0;
  const past = own.length - 1;
  const spentByDay = own.map((spent, day) => {
    const notSeen = day < past ? Math.min(1, Math.max(0, day + 1 - seen)) : 0;
    return spent + (others[day] ?? 0) + mean * notSeen;
  });
  return { spentByDay, unseen: mean * Math.max(0, past - Math.max(0, seen)) };
}
