import type { BalanceReading, LedgerEntry } from '../../../shared/domain/credits.ts';
import type { Forecast } from '../../../shared/domain/credits-history.ts';
import type { Result } from '../../../shared/result.ts';
import { type Clock, isoNow } from '../../platform/clock.ts';
import { sourceOf } from '../calls/caller.ts';
import { openCreditHistoryRepository } from '../storage/credit-history-repository.ts';
import type { Database } from '../storage/database.ts';
import { attempt } from '../storage/errors.ts';
import { openLedgerRepository } from '../storage/ledger-repository.ts';
import { openReadingsRepository } from '../storage/readings-repository.ts';
import { localDay, startOfDay } from './day.ts';
import { dayNumber, daysLookedAt, dayText, forecastRunOut } from './forecast.ts';
import { movementOperation } from './movement.ts';

export type Forecaster = ReturnType<typeof createForecaster>;

/** Forecasts from what is stored. Errors: `storage-failed`. */
export function createForecaster(db: Database, clock: Clock) {
  const days = openCreditHistoryRepository(db.sql);
  const ledger = openLedgerRepository(db.sql);
  const readings = openReadingsRepository(db.sql);

  /** The figure that runs out: the key's where there is one, else the account's. */
  function currentFigure(connectionId: string): { face: 'rest' | 'soap'; reading: BalanceReading } | undefined {
    for (const face of ['rest', 'soap'] as const) {
      const [reading] = readings.newestFigures(connectionId, sourceOf[face], 1, isoNow(clock));
      if (reading) return { face, reading };
    }
    return undefined;
  }

  /** When it runs out at this console's rate, and at the whole account's. */
  function read(connectionId: string): Result<Forecast> {
    return attempt(() => {
      const figure = currentFigure(connectionId);
      if (!figure) return { from: null, expires: null, console: null, account: null };
      const { face, reading } = figure;
      const today = dayNumber(localDay(clock.now()));
      const since = days.firstAt(connectionId);
      // The first day is known in part only.
      const first = Math.max(today - daysLookedAt, since === null ? today : dayNumber(localDay(since)) + 1);
      const from = dayText(first);
      const count = Math.max(0, today - first);
      const own = Array.from({ length: count }, () => 0);
      const all = [...own];
      for (const { day, spent, more } of days.perDay(connectionId, face, from, dayText(today - 1), movementOperation)) {
        const index = dayNumber(day) - first;
        own[index] = (own[index] ?? 0) + spent;
        all[index] = (all[index] ?? 0) + spent + more;
      }
      if (count > 0) {
        const movements = ledger.unexplained(connectionId, startOfDay(from), new Date(clock.now()).toISOString());
        for (const movement of movements) spread(all, first, movement);
      }
      const expires = readDay(reading.expiryDate);
      const input = { balance: reading.credits ?? 0, today: dayText(today), expires };
      return {
        from: { label: reading.label, credits: input.balance, at: reading.at },
        expires,
        console: forecastRunOut({ ...input, spentByDay: own }),
        account: forecastRunOut({ ...input, spentByDay: all }),
      };
    });
  }

  return { read, currentFigure };
}

/** A fall that no call explains happened somewhere between two readings: each day there gets its share of the time. */
function spread(days: number[], first: number, { since, at, observed }: LedgerEntry): void {
  if (observed === null || observed <= 0) return;
  const to = Date.parse(at);
  const from = since === null ? to - 1 : Math.min(to - 1, Date.parse(since));
  for (let index = Math.max(0, dayNumber(localDay(from)) - first); index < days.length; index += 1) {
    const start = Date.parse(startOfDay(dayText(first + index)));
    const end = Date.parse(startOfDay(dayText(first + index + 1)));
    if (start >= to) return;
    const overlap = Math.min(to, end) - Math.max(from, start);
    days[index] = (days[index] ?? 0) + observed * Math.max(0, overlap / (to - from));
  }
}

const readDay = (text: string | null): string | null => {
  const day = /^(\d{4}-\d{2}-\d{2})/.exec(text ?? '')?.[1];
  return day !== undefined && !Number.isNaN(Date.parse(day)) ? day : null;
};
