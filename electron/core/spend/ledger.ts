import type { MoneyClaim } from '../../../shared/claims/money-claims.ts';
import type { Protocol } from '../../../shared/domain/connection.ts';
import type { LedgerEntry } from '../../../shared/domain/credits/credits.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { bootOf, type Clock, elapsedOf, isoNow } from '../../ports.ts';
import { openConnectionsRepository } from '../storage/connections-repository.ts';
import type { Database } from '../storage/database/database.ts';
import { attempt } from '../storage/database/errors.ts';
import type { Purse } from '../storage/one-balance.ts';
import { checkBatch, checkCaps, type NamedCaps } from './caps.ts';
import { openConclusions } from './conclusions.ts';
import { aDayOn, startOfToday } from './days.ts';
import { type Ending, horizonOf, isOverBefore, type Moment } from './facts.ts';
import { type NewCall, openLedgerRepository, type SpendSum } from './ledger-repository.ts';
import { openLedgerSearch } from './ledger-search.ts';
import { originsIn, serversOf } from './origins.ts';
import { claimsOfSpan, closeSegment } from './reconcile.ts';
import { openSegmentsRepository, type StoredSample } from './segments-repository.ts';
import { type CapScope, type Counted, openSpendSums } from './spend-sums.ts';

/** A call about to be sent. */
export type NewSpend = Pick<
  NewCall,
  'connectionId' | 'callId' | 'interface' | 'operation' | 'subject' | 'paidBy' | 'expected' | 'fingerprint' | 'origins'
> & {
  /** How long the call has to answer, in milliseconds. */
  timeoutMs: number;
};
/** Who pays for a call, over which interface. */
type Payer = Pick<NewSpend, 'connectionId' | 'interface' | 'fingerprint' | 'origins'>;

/** The batch that a call belongs to, with what a person lets it spend. */
export interface BatchBudget {
  id: string;
  /** Which of its questions. */
  ask: number;
  /** The most credits, every call of it at its highest price. */
  limit: number;
  /** Credits of earlier calls of it that are not in the ledger: an older copy of the database was put in its place. */
  lost: number;
  /** Credits; null: none. */
  minimumBalance: number | null;
}

/** A fall, or the part of it, that no call explains, with the entry that shows it. */
export interface UnexplainedFall {
  entry: LedgerEntry;
  credits: number;
}

/** How a call ended: `unsent`: nothing left this computer. `code`: of a refusal or a lost call (`endOf`); otherwise null. */
export interface CallEnd {
  how: Ending | 'unsent';
  code: string | null;
}

export type Ledger = ReturnType<typeof createLedger>;
/** The call that reads a balance and has no published price. */
const balanceCall = 'GetAvailableCredits';

/**
 * The facts of money and what follows from them (facts.ts, conclusions.ts). A call is entered before it is sent, and counts in full against
 * the caps until a clean reading of its balance shows no fall. Errors: `cap-reached`, `storage-failed`.
 */
export function createLedger(db: Database, clock: Clock) {
  const rows = openLedgerRepository(db.sql);
  const segments = openSegmentsRepository(db.sql);
  const sums = openSpendSums(db.sql);
  const connections = openConnectionsRepository(db.sql);
  const { closeAt, rebuildSegments } = openConclusions(db, { rows, segments, sums });
  const processStart = { sequence: segments.lastSequence(), elapsedMs: elapsedOf(clock) };

  const today = () => ({ from: startOfToday(clock), to: aDayOn(clock) });

  /** Ends of calls that are still to be written. */
  const unwritten = new Map<string, CallEnd>();

  const momentNow = (sequence: number): Moment => ({
    sequence,
    at: isoNow(clock),
    boot: bootOf(clock),
    elapsedMs: elapsedOf(clock),
  });

  /**
   * Checks the caps and enters the call in one transaction, so that two calls at once, or the window and the command line, cannot both
   * spend the last credit. null: published as free, which needs no entry.
   */
  function admit(spend: NewSpend, caps: readonly NamedCaps[] = [], batch?: BatchBudget): Result<{ id: string } | null> {
    if (spend.expected === 0) return ok(null);
    writeEnds();
    return db.transaction(() => {
      endDead();
      const set = spend.expected === null ? sums.setPrice(spend.connectionId, spend.operation) : null;
      const counted = spend.expected ?? set;
      const balance = () => {
        const least = leastBalance(spend);
        return least && { credits: least.credits, readAt: least.sample.answered.at };
      };
      for (const cap of caps) {
        const allowed = checkCaps(cap, {
          counted,
          operation: spend.operation,
          readsBalance: spend.operation === balanceCall,
          spentThisRun: () => sums.counted(cap.scope, { run: db.run }),
          spentToday: () => sums.counted(cap.scope, today()),
          balance,
        });
        if (!allowed.ok) return allowed;
      }
      if (batch) {
        const allowed = checkBatch(batch, {
          counted,
          operation: spend.operation,
          spent: () => rows.countedOfBatch(batch.id) + batch.lost,
          balance,
        });
        if (!allowed.ok) return allowed;
      }
      const id = crypto.randomUUID();
      db.acquireRunLock();
      const { timeoutMs, ...call } = spend;
      rows.insertCall({
        ...call,
        id,
        run: db.run,
        at: isoNow(clock),
        admitted: counted ?? 0,
        sent: momentNow(segments.nextSequence()),
        horizonMs: horizonOf(timeoutMs),
        batch: batch && { id: batch.id, ask: batch.ask },
      });
      return ok({ id });
    });
  }

  /**
   * How a call ended; once. A call that never left has no charge window. An end that cannot be written is written before the next call or
   * reading: that lengthens the window, and without an end nothing would be concluded until the next start.
   */
  function endCall(id: string, end: CallEnd): Result<void> {
    unwritten.set(id, end);
    return writeEnds();
  }

  function writeEnds(): Result<void> {
    if (unwritten.size === 0) return ok(undefined);
    const written = db.transaction(() => {
      for (const [id, { how, code }] of unwritten) {
        if (how === 'unsent') rows.neverLeft(id);
        else rows.endCall(id, how, code, momentNow(segments.nextSequence()));
      }
      return ok(undefined);
    });
    if (written.ok) unwritten.clear();
    return written;
  }

  /** Ends calls of processes that no longer run, at the time at which that was first found. Inside a transaction. */
  function endDead(): void {
    for (const run of rows.runsWithoutEnd()) {
      if (run === db.run || db.isRunAlive(run)) continue;
      for (const id of rows.withoutEnd(run)) rows.endCall(id, 'dead', null, momentNow(segments.nextSequence()));
    }
  }

  /** Ends calls of processes that no longer run, before it is said of a call whether it is under way. */
  const findDead = (): Result<void> =>
    db.transaction(() => {
      endDead();
      return ok(undefined);
    });

  /**
   * The least that the calls of this console leave of the balance that pays for a call: the last sample less everything that it may not
   * show yet, each call at its highest price. What others spend is not in it. undefined: it was never read. A licence has no reading of its
   * own: the balance that is read with the account's GUID stands for it, also where it may draw on another.
   */
  function leastBalance({ connectionId, interface: protocol, fingerprint, origins }: Payer) {
    const own = origins.flatMap((origin) => segments.lastSample({ origin, fingerprint }) ?? []);
    const [server = ''] = origins;
    const ofAccount =
      own.length === 0 && protocol === 'soap' ? segments.lastOfAccount(connectionId, server) : undefined;
    const left = (ofAccount ? [ofAccount] : own).map((sample) => {
      const open = segments
        .callsThatMayMeet(sample, segments.callsBeside(sample))
        .filter((call) => !isOverBefore(call, sample, segments.firstOfBoot(sample, call)));
      const before = new Set(open.filter(({ sent }) => sent.sequence <= sample.asked.sequence).map(({ id }) => id));
      return {
        sample,
        credits: sample.credits - sums.countedAfter(sample, sample.asked.sequence) - sums.countedOf([...before]),
      };
    });
    return left.sort((a, b) => a.credits - b.credits)[0];
  }

  /** The sample from which `leastBalance` of a connection's calls goes where no key is chosen; null: there is none, or no such connection. */
  function lastOfPayer(connectionId: string): Pick<StoredSample, 'credits' | 'answered'> | null {
    const connection = connections.find(connectionId);
    if (!connection) return null;
    const servers = serversOf(connection);
    // The demo's key is stored nowhere, and it has no other that its balance is read with over REST.
    const payer =
      connection.kind === 'demo'
        ? { interface: 'rest' as const, fingerprint: segments.lastReadKey(connectionId, servers.rest) }
        : segments.firstPayer(connectionId, servers.rest !== '');
    return leastBalance({ connectionId, ...payer, origins: originsIn(servers, payer.interface) })?.sample ?? null;
  }

  /** The current position in the facts, taken before a balance is requested; pass it back with the figure. */
  function beginSample(): Result<Moment> {
    writeEnds();
    return db.transaction(() => {
      endDead();
      return ok(momentNow(segments.lastSequence()));
    });
  }

  /**
   * Numbers a reading that has just been stored, and closes the segment that ends with it if it is a clean cut. Inside the
   * transaction that stored it. Returns what no call explains of a fall, never of a rise. Throws where SQLite does.
   */
  function takeSample(sequence: number, asked: Moment, purse: Purse, ownCall: string | null): UnexplainedFall[] {
    sums.numberSample(sequence, {
      ...purse,
      ownCall,
      asked,
      answered: momentNow(segments.nextSequence()),
      processStart,
    });
    const sample = segments.sample(sequence);
    const falls = sample ? closeAt(sample, segments.callsBeside(sample)) : [];
    return falls.flatMap(({ id, credits }) => {
      const entry = rows.find(id);
      return entry ? [{ entry, credits }] : [];
    });
  }

  /** The first entries of one interface between two moments (ISO 8601 UTC, inclusive), oldest first. */
  const listBetween = (
    connectionId: string,
    protocol: Protocol,
    from: string,
    to: string,
    limit: number,
  ): Result<LedgerEntry[]> => attempt(() => rows.between(connectionId, protocol, from, to, limit));

  /** The entry of a call, with its connection; undefined: it has none, as a call that is published as free. */
  const findOfCall = (callId: string): Result<(LedgerEntry & { connectionId: string }) | undefined> =>
    attempt(() => rows.ofCall(callId));

  /** Stores a person's note on an entry; empty removes it. It changes no claim. Error `bad-input`. */
  function annotate(connectionId: string, id: string, note: string): Result<LedgerEntry> {
    return db.transaction(() => {
      const changed = rows.annotate(connectionId, id, note.trim());
      const entry = changed ? rows.find(id) : undefined;
      return entry
        ? ok(entry)
        : fail(appError('bad-input', { message: 'The ledger has no such entry.', charge: 'not-applicable' }));
    });
  }

  /**
   * What each balance did from its last clean cut before the calls of a batch to its first one after them. A sentence about the whole
   * stretch and all calls of this console in it: nothing follows for any one of them.
   */
  const claimsOfBatch = (batch: string): Result<MoneyClaim[]> =>
    attempt(() =>
      rows.spansOfBatch(batch).flatMap(({ origin, fingerprint, first, last }): MoneyClaim[] => {
        const purse = { origin, fingerprint };
        const from = segments.lastCutBefore(purse, first);
        if (!from) return [{ kind: 'not-read-before' }];
        const to = last === null ? undefined : segments.firstCutAfter(purse, last);
        if (!to) return [{ kind: 'not-read-since' }];
        return claimsOfSpan(closeSegment(from, to, segments.callsOf(from, to)));
      }),
    );

  return {
    search: openLedgerSearch(db.sql),
    admit,
    endCall,
    writeEnds,
    beginSample,
    findDead,
    takeSample,
    leastBalance: (payer: Payer): Result<number | null> => attempt(() => leastBalance(payer)?.credits ?? null),
    lastOfPayer: (connectionId: string) => attempt(() => lastOfPayer(connectionId)),
    rebuildSegments,
    /** A person says whether the keys of an origin have separate balances. Everything is computed anew from that. */
    declareSeparate: (origin: string, separate: boolean): Result<void> =>
      db.transaction(() => {
        segments.declareSeparate(origin, separate, isoNow(clock));
        return rebuildSegments();
      }),
    /** Whether a person has said of one of these origins that its keys have separate balances. Not while that cannot be read. */
    isAnySeparate(origins: readonly string[]): boolean {
      const separate = attempt(() => origins.some(segments.isSeparate));
      return separate.ok && separate.value;
    },
    /** The current position in the facts. Throws where SQLite does. */
    lastFact: () => segments.lastSequence(),
    /** The newest call, whose it ever was; null: none. Throws where SQLite does, as `hasCall`. */
    newestCall: () => rows.newestCall(),
    hasCall: (id: string) => rows.find(id) !== undefined,
    countedOfBatch: (batch: string): Result<number> => attempt(() => rows.countedOfBatch(batch)),
    callOfAsk: (batch: string, ask: number) => attempt(() => rows.callOfAsk(batch, ask)),
    callsOfBatch: (batch: string) => attempt(() => rows.callsOfBatch(batch)),
    beyondBatch: (batch: string, after: number, free: readonly string[]) =>
      attempt(() => rows.beyondBatch(batch, after, free)),
    claimsOfBatch,
    listBetween,
    findOfCall,
    annotate,
    /** By connection alone; what the caps count is in `countedNow`. */
    spentToday: (connectionId: string): Result<SpendSum> =>
      attempt(() => rows.sumBetween(connectionId, today().from, today().to)),
    /** What the caps of a scope count now: the same sums that admit a call. */
    countedNow: (scope: CapScope): Result<{ perDay: Counted; perRun: Counted }> =>
      attempt(() => ({
        perDay: sums.countedWithOpen(scope, today()),
        perRun: sums.countedWithOpen(scope, { run: db.run }),
      })),
  };
}
