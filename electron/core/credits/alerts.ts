import { readDay } from '../../../shared/claims/moment.ts';
import { isBesideAdded, renderMoneyClaims } from '../../../shared/claims/money-claims.ts';
import type { BalanceSample, LedgerEntry } from '../../../shared/domain/credits/credits.ts';
import type { Alert, AlertNotice, AlertState, Forecast } from '../../../shared/domain/credits/credits-history.ts';
import { localDay } from '../../../shared/domain/text/calendar-day.ts';
import { countOf, formatCredits as credits, roundFigure } from '../../../shared/domain/text/figures.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { type Clock, isoNow } from '../../ports.ts';
import type { Ledger, UnexplainedFall } from '../spend/ledger.ts';
import { openAlertsRepository } from '../storage/alerts-repository.ts';
import { openCreditHistoryRepository } from '../storage/credit-history-repository.ts';
import type { Database } from '../storage/database/database.ts';
import { attempt } from '../storage/database/errors.ts';
import type { OneBalance } from '../storage/one-balance.ts';
import { openSaidRepository } from '../storage/said-repository.ts';
import { dayNumber } from './forecast.ts';
import type { Forecaster } from './forecaster.ts';

export interface AlertParts {
  db: Database;
  clock: Clock;
  nameOf(connectionId: string): string;
  forecaster: Forecaster;
  ledger: Ledger;
  /** Shows it as a system notice and as one in the window. */
  notify(notice: AlertNotice): void;
}

/** The alerts of each connection, compared with every reading and reported once per crossing. Errors: `storage-failed`. */
export function createAlerts(parts: AlertParts) {
  const { db, clock, forecaster, ledger } = parts;
  const rows = openAlertsRepository(db.sql);
  const history = openCreditHistoryRepository(db.sql);
  const said = openSaidRepository(db.sql);
  const list = (connectionId: string): Result<AlertState[]> => attempt(() => withFigures(connectionId));

  /** With what each watches, by the last reading. */
  function withFigures(connectionId: string): AlertState[] {
    const states = rows.list(connectionId);
    const current = states.length === 0 ? undefined : forecaster.currentFigure(connectionId);
    const known = current && knownBy(current.balance, current.sample);
    return states.map((state) => ({ ...state, now: known ? watched(state, known) : null }));
  }

  /** null: the sample gave no figure. */
  function knownBy(of: OneBalance, { credits: balance, total, at }: BalanceSample): Known | null {
    if (balance === null) return null;
    let left: DaysLeft | null | undefined;
    return {
      balance,
      // What counts as 100 %: the total the service reports, else the balance after credits were last added to it.
      whole: () => total ?? history.figureAfterRise(of, at),
      left: () => {
        if (left !== undefined) return left;
        const forecast = forecaster.read(of.connectionId);
        left = forecast.ok ? daysLeft(forecast.value, balance, localDay(clock.now())) : null;
        return left;
      },
    };
  }

  /** Replaces the alerts. One that stays keeps whether it was reported. */
  function save(connectionId: string, wanted: readonly Alert[]): Result<AlertState[]> {
    const same = (a: Alert, b: Alert) => a.kind === b.kind && a.threshold === b.threshold;
    return db.transaction(() => {
      for (const old of rows.list(connectionId))
        if (!wanted.some((one) => same(one, old))) rows.remove(connectionId, old);
      for (const one of wanted) rows.add(connectionId, one);
      return ok(withFigures(connectionId));
    });
  }

  function turn(connectionId: string, alert: Alert, isOn: boolean): Result<AlertState[]> {
    return db.transaction(() => {
      rows.turn(connectionId, alert, isOn);
      return ok(withFigures(connectionId));
    });
  }

  function notice(connectionId: string, title: string, text: string, trial = false): AlertNotice {
    return { connectionId, connectionName: parts.nameOf(connectionId), title, text, at: isoNow(clock), trial };
  }

  /** After a reading: reports what was crossed, and rearms what was crossed back. Readings of what does not run out, and of keys that do not pay, are ignored. */
  function check(connectionId: string, sample: BalanceSample): Result<void> {
    return attempt(() => {
      const states = rows.list(connectionId).filter(({ isOn }) => isOn);
      const current = states.length === 0 ? undefined : forecaster.currentFigure(connectionId);
      if (current?.sample.source !== sample.source || current.sample.label !== sample.label) return;
      const known = knownBy(current.balance, sample);
      if (known === null) return;
      for (const state of states) {
        const words = crossed(state, known);
        if (words === null) {
          if (state.kind !== 'unexplained') rows.clearTold(connectionId, state);
        } else if (words !== undefined && rows.markTold(connectionId, state, isoNow(clock)))
          parts.notify(notice(connectionId, words, `${credits(known.balance)} left, ${sample.label}.`));
      }
    });
  }

  /** After a fall that no call explains. Each is a crossing of its own. The claims that are reported are stored. */
  function checkFall(connectionId: string, { entry, credits: fell }: UnexplainedFall): Result<void> {
    const crossing = db.transaction((): Result<AlertNotice | null> => {
      const at = isoNow(clock);
      // The lowest that can be set stands for any fall.
      const states = rows
        .list(connectionId)
        .filter(({ kind, threshold, isOn }) => isOn && kind === 'unexplained' && (threshold <= 1 || fell >= threshold));
      for (const state of states) {
        rows.clearTold(connectionId, state);
        rows.markTold(connectionId, state, at);
      }
      if (states.length === 0) return ok(null);
      const claims = JSON.stringify(entry.claims);
      said.add({ at, outlet: 'alert', connectionId, asOf: ledger.lastFact(), about: entry.id, range: null, claims });
      const moved =
        entry.balanceBefore === null
          ? ''
          : ` Read with ${entry.paidBy} it went from ${credits(entry.balanceBefore)} to ${credits(entry.balanceAfter ?? 0)}.`;
      return ok(
        notice(
          connectionId,
          `${entry.claims.some(isBesideAdded) ? 'The balance’s “used” rose' : 'The balance fell'} by ${credits(fell)} ${besideCalls(entry)}`,
          `${renderMoneyClaims(entry.claims, readDay(clock.now()))}${moved} See the ledger under Credits.`,
        ),
      );
    });
    if (!crossing.ok) return crossing;
    if (crossing.value) parts.notify(crossing.value);
    return ok(undefined);
  }

  /** A notice as an alert would send it. Nothing is crossed and nothing is stored. */
  const trial = (connectionId: string): AlertNotice =>
    notice(connectionId, 'This is how an alert looks', 'Nothing has been crossed: you asked to try one.', true);

  return { list, save, turn, check, checkFall, trial };
}

/** What a fall that is not explained is beside, after "The balance fell by 5 credits" or "The balance’s “used” rose by 5 credits". Pure. */
function besideCalls({ kind, operation, claims }: LedgerEntry): string {
  if (kind === 'call') return `more than the published price of ${operation}`;
  // The prices of its calls may explain it, or are not published: it is entered because no call's own balance showed it.
  if (claims.some((claim) => claim.kind === 'shared')) return 'that no call in the ledger shows';
  return 'beyond what the calls of this console explain';
}

/** Functions, so that a forecast is made only if an alert needs it: this runs at every reading. */
interface Known {
  balance: number;
  whole(): number | null;
  left(): DaysLeft | null;
}

const percentOf = (balance: number, whole: number): number => roundFigure((balance / whole) * 100);

/** What an alert watches, in its own unit; null: not known, or nothing that has a current value. Pure. */
function watched({ kind }: Alert, known: Known): number | null {
  switch (kind) {
    case 'below-credits':
      return known.balance;
    case 'below-percent': {
      const whole = known.whole();
      return whole === null || whole <= 0 ? null : percentOf(known.balance, whole);
    }
    case 'days-left':
      return known.left()?.days ?? null;
    case 'unexplained':
      return null;
  }
}

/** The text for an alert whose threshold is crossed; null: it is not; undefined: not known, and then nothing changes. Pure. */
function crossed({ kind, threshold }: Alert, known: Known): string | null | undefined {
  switch (kind) {
    case 'below-credits':
      return known.balance < threshold ? `Fewer than ${credits(threshold)} left` : null;
    case 'below-percent': {
      const whole = known.whole();
      if (whole === null || whole <= 0) return undefined;
      return percentOf(known.balance, whole) < threshold ? `Less than ${threshold} % of ${credits(whole)} left` : null;
    }
    case 'days-left': {
      const left = known.left();
      if (left === null) return undefined;
      return left.days <= threshold ? left.words : null;
    }
    case 'unexplained':
      return null;
  }
}

export interface DaysLeft {
  /** Whole days; 0: they run out or expire today, or have expired. */
  days: number;
  words: string;
}

/** Until credits are likely to run out at the account's rate or expire, whichever is earlier; null: unknown. Pure. */
function daysLeft({ account, expires }: Forecast, balance: number, today: string): DaysLeft | null {
  const until = (day: string): number => dayNumber(day) - dayNumber(today);
  const daysOf = (days: number): string => countOf(days, 'day');
  const runsOut = account?.kind === 'runs-out' && account.likely !== null ? Math.max(0, until(account.likely)) : null;
  const expire = expires === null || balance <= 0 ? null : until(expires);
  if (expire !== null && (runsOut === null || expire < runsOut)) {
    const when = expire === 0 ? 'expire today' : expire === 1 ? 'expire tomorrow' : `expire in ${daysOf(expire)}`;
    const words =
      expire < 0 ? `${credits(balance)} expired ${daysOf(-expire)} ago, by their date` : `${credits(balance)} ${when}`;
    return { days: Math.max(0, expire), words };
  }
  return runsOut === null ? null : { days: runsOut, words: `About ${daysOf(runsOut)} of credits left` };
}
