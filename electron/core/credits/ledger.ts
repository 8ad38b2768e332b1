import type { LedgerEntry, SpendingCaps, SpendVerdict } from '../../../shared/domain/credits.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { type Clock, isoNow } from '../../platform/clock.ts';
import type { Database } from '../storage/database.ts';
import { attempt } from '../storage/errors.ts';
import { type LedgerRow, openLedgerRepository, type SpendSum } from '../storage/ledger-repository.ts';
import { checkCaps } from './caps.ts';
import { aDayOn, startOfToday } from './day.ts';

/** A spend about to happen. */
export type NewSpend = Pick<
  LedgerRow,
  'connectionId' | 'callId' | 'interface' | 'operation' | 'subject' | 'paidBy' | 'expected' | 'balanceBefore'
> &
  Partial<Pick<LedgerRow, 'at' | 'since' | 'explained'>>;

/** What was learned of a spend after its call; a verdict that is not given follows from the figures. */
export interface SpendOutcome {
  /** Credits by the balance's movement or the answer; null: not read. */
  observed: number | null;
  balanceBefore?: number | null;
  balanceAfter: number | null;
  /** No other call of this console was between the two readings: only then is a price measured. */
  alone?: boolean;
  verdict?: SpendVerdict;
}

export type Ledger = ReturnType<typeof createLedger>;
export const longestLedgerPage = 500;

/** Observed against expected. Without either figure nothing is claimed. */
export function compareSpend(expected: number | null, observed: number | null): SpendVerdict {
  if (observed === null) return 'not-read';
  if (expected === null) return 'measured';
  if (observed === expected) return 'matches';
  return observed > expected ? 'more' : 'less';
}

/**
 * Every spend, one entry each. A spend is entered before its call is sent, as `unsettled`, and counts in full against the caps
 * until it is settled, also when the program is killed in between. Errors: `cap-reached`, `storage-failed`.
 */
export function createLedger(db: Database, clock: Clock) {
  const rows = openLedgerRepository(db.sql);

  function enter(
    spend: NewSpend,
    known: Pick<LedgerRow, 'observed' | 'balanceAfter' | 'alone' | 'verdict'>,
  ): LedgerEntry {
    const { connectionId, interface: face, since = null, explained = null, ...shown } = spend;
    const entry: LedgerEntry = {
      ...shown,
      since,
      explained,
      id: crypto.randomUUID(),
      at: spend.at ?? isoNow(clock),
      observed: known.observed,
      balanceAfter: known.balanceAfter,
      verdict: known.verdict,
      note: '',
      madeUp: false,
    };
    rows.insert({ ...entry, connectionId, interface: face, alone: known.alone, run: db.run });
    return entry;
  }

  /**
   * Checks the caps and enters the spend in one step, so that two calls at once, or the window and the command line, cannot both
   * pass on the last credit. null: the call is known to be free and needs no entry.
   */
  function admitSpend(
    spend: NewSpend,
    caps: SpendingCaps,
    known: { lastBalance: number | null; readsBalance?: boolean },
  ): Result<LedgerEntry | null> {
    if (spend.expected === 0) return ok(null);
    return db.transaction(() => {
      const allowed = checkCaps(caps, {
        ...known,
        expected: spend.expected,
        spentThisRun: rows.sumOfRun(spend.connectionId, db.run).credits,
        spentToday: rows.sumSince(spend.connectionId, startOfToday(clock), aDayOn(clock)).credits,
      });
      if (!allowed.ok) return allowed;
      return ok(enter(spend, { observed: null, balanceAfter: null, alone: false, verdict: 'unsettled' }));
    });
  }

  /** Tells a spend what came of it. Again when a later balance read proves more. */
  function settleSpend(id: string, outcome: SpendOutcome): Result<LedgerEntry> {
    return db.transaction(() => {
      const before = rows.find(id);
      if (!before) {
        return fail(appError('bad-input', { message: 'The ledger has no such entry.', charge: 'not-applicable' }));
      }
      const { observed, balanceBefore = null, balanceAfter, alone = false } = outcome;
      const verdict = outcome.verdict ?? compareSpend(before.expected, observed);
      rows.settle(id, { observed, balanceBefore, balanceAfter, alone, verdict });
      return ok({ ...before, observed, balanceBefore: balanceBefore ?? before.balanceBefore, balanceAfter, verdict });
    });
  }

  /** Enters what is known in full: an answer that was held, or a movement that no call explains. */
  function recordSpend(spend: NewSpend, outcome: SpendOutcome): Result<LedgerEntry> {
    const { observed, balanceAfter, alone = false } = outcome;
    const verdict = outcome.verdict ?? compareSpend(spend.expected, observed);
    const balanceBefore = outcome.balanceBefore ?? spend.balanceBefore;
    return attempt(() => enter({ ...spend, balanceBefore }, { observed, balanceAfter, alone, verdict }));
  }

  /** Newest first; `before` is the id of the last entry of the page before. */
  function listEntries(query: {
    connectionId: string;
    before?: string | undefined;
    limit: number;
  }): Result<LedgerEntry[]> {
    const limit = Math.min(Math.max(1, query.limit), longestLedgerPage);
    return attempt(() => rows.list(query.connectionId, query.before, limit));
  }

  /** Spends whose outcome is unknown, oldest first: after a crash these are the calls that may have been charged. */
  const listUnsettled = (connectionId: string): Result<LedgerEntry[]> => attempt(() => rows.unsettled(connectionId));

  /** Entries of one interface between two moments (ISO 8601 UTC, inclusive), oldest first. */
  const listBetween = (connectionId: string, face: 'rest' | 'soap', from: string, to: string): Result<LedgerEntry[]> =>
    attempt(() => rows.between(connectionId, face, from, to));

  /** The entry of a call, with its connection; undefined where the call was known to be free. */
  const findOfCall = (callId: string): Result<(LedgerEntry & { connectionId: string }) | undefined> =>
    attempt(() => rows.ofCall(callId));

  /** Says of an entry what it was, in a person's own words; empty takes the words back. Error `bad-input`: no such entry. */
  function annotate(connectionId: string, id: string, note: string): Result<LedgerEntry> {
    return db.transaction(() => {
      const changed = rows.annotate(connectionId, id, note.trim());
      const entry = changed ? rows.find(id) : undefined;
      return entry
        ? ok(entry)
        : fail(appError('bad-input', { message: 'The ledger has no such entry.', charge: 'not-applicable' }));
    });
  }

  /** Movements of the balance that no call explains (ISO 8601 UTC, inclusive), oldest first. */
  const listUnexplained = (connectionId: string, from: string, to: string): Result<LedgerEntry[]> =>
    attempt(() => rows.unexplained(connectionId, from, to));

  const spentThisRun = (connectionId: string): Result<SpendSum> => attempt(() => rows.sumOfRun(connectionId, db.run));
  const spentToday = (connectionId: string): Result<SpendSum> =>
    attempt(() => rows.sumSince(connectionId, startOfToday(clock), aDayOn(clock)));
  /** What to take off a balance read at that moment (ISO 8601 UTC): spends since, and calls that were then under way. */
  const spentAfterReading = (connectionId: string, at: string): Result<SpendSum> =>
    attempt(() => rows.sumAfterReading(connectionId, at, db.run, aDayOn(clock)));

  return {
    admitSpend,
    settleSpend,
    recordSpend,
    listEntries,
    listUnsettled,
    listBetween,
    findOfCall,
    annotate,
    listUnexplained,
    spentThisRun,
    spentToday,
    spentAfterReading,
  };
}
