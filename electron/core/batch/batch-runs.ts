import { setTimeout as sleep } from 'node:timers/promises';
import type { MoneyClaim } from '../../../shared/claims/money-claims.ts';
import type { Batch } from '../../../shared/domain/batch.ts';
import { isSameService, serviceOf } from '../../../shared/domain/connection.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { type Clock, isoNow, type Pauses } from '../../ports.ts';
import type { Connections } from '../connections/connections.ts';
import type { Ledger } from '../spend/ledger.ts';
import { originsOf } from '../spend/origins.ts';
import type { Database } from '../storage/database/database.ts';
import { attempt } from '../storage/database/errors.ts';
import type { BatchView } from './batch-view.ts';
import type { Backoff } from './run/pacer.ts';
import type { Questions } from './run/questions.ts';
import { createRunner, type Runner } from './run/runner.ts';
import type { RunnerParts } from './run/runner-parts.ts';
import { waitForOlderLedger } from './run/waits.ts';
import type { Again } from './store/batch-counts.ts';
import type { BatchFile } from './store/batch-file.ts';
import { type BatchFiles, rowsGone } from './store/batch-files.ts';
import type { LedgerSeen } from './store/batch-records.ts';
import type { BatchFacts, BatchRecord, BatchRequest, openBatchesRepository } from './store/batches-repository.ts';
import type { Terms } from './terms.ts';

interface BatchRunsParts {
  db: Database;
  clock: Clock;
  pauses: Pauses;
  questions: Questions;
  ledger: Ledger;
  files: BatchFiles;
  records: ReturnType<typeof openBatchesRepository>;
  view: BatchView;
  find(batchId: string): Result<BatchRecord>;
  connections: Pick<Connections, 'find'>;
  claimsOfCall(callId: string): MoneyClaim[];
  /** Reads the balance of a connection, if that is free. Never rejects. */
  sampleBalance(connectionId: string): Promise<void>;
  /** Stores what `next` makes of a batch as it is at that moment, sends a notification, and returns it as it is shown. */
  change(batchId: string, next: (record: BatchRecord) => Result<BatchRecord>): Result<Batch>;
  onChange(batchId: string): void;
  /** It has changed, as it often does: several such changes need one notification. */
  onProgress(batchId: string): void;
  /** Whether this process runs any that does not wait for long, each time that one begins, ends or waits. */
  onRunning(isAny: boolean): void;
}

export interface Running {
  runner: Runner;
  backoff: Backoff | null;
  /** When it began to back off, in milliseconds; null: it does not. */
  backsOffSince: number | null;
  ended: Promise<void>;
}

/** How long the end of the program waits for calls under way. */
const longestEndMs = 3000;
/** A wait of this long, however often it was lengthened, keeps no computer awake: a network may be gone until its battery is empty. */
const longWaitMs = 600_000;
/** After this long the end of a run that could not be stored is tried again. */
const storeAgainMs = 1000;
/** How often a run checks whether its time is over or another process has asked it to pause or stop, and that process whether it has. */
const lookEveryMs = 250;
/** How long another process is waited for; after that the request itself is reported. */
const longestAnswerMs = 10_000;

/** What is stored is from before a run: without a price the rows are counted each time they are shown, until a run has stored its own counts. */
const countedWhenShown = (facts: BatchFacts): BatchFacts => ({ ...facts, left: { ...facts.left, credits: null } });

/** One address in the place of another; one that was added or taken out is none. */
const hasMoved = (before = '', now = ''): boolean => before !== '' && now !== '' && !isSameService(before, now);

export const notNow = (message: string) =>
  appError('bad-input', { message, next: 'Look at the batch again.', charge: 'not-applicable' });

/** Runs batches, each in one process at a time, whichever window or command asks; another process may ask that one to pause or stop. */
export function createBatchRuns(running: Map<string, Running>, parts: BatchRunsParts) {
  const { db, clock, pauses, questions, ledger, files, records, view, find, change } = parts;
  let closing = false;
  let isInterrupted = false;
  /** Ends of runs that could not be stored yet. */
  const unstored = new Map<string, () => void>();

  const isRunning = (record: BatchRecord): boolean => running.has(record.id) || view.isElsewhere(record);
  /** Of a batch that this process has claimed: no other one writes to its record. */
  const save = (record: BatchRecord): Result<Batch> => change(record.id, () => ok(record));

  /** Claims the run of a batch for this process. */
  function take(batchId: string, terms: Terms): Result<BatchRecord> {
    return db.transaction(() => {
      const found = find(batchId);
      if (!found.ok) return found;
      const record = found.value;
      if (view.isElsewhere(record)) return fail(notNow('Another window or command runs this batch.'));
      if (running.has(batchId)) return fail(notNow('This batch is running.'));
      if (record.facts.forgotten || !files.has(batchId)) return fail(rowsGone());
      db.acquireRunLock();
      const next: BatchRecord = {
        ...record,
        state: 'running',
        runner: db.run,
        facts: {
          ...countedWhenShown(record.facts),
          ...terms,
          // A key preferred while it runs is not the one that it was started with.
          keyLabel: view.keyOf(record.connectionId, terms)?.label ?? terms.keyLabel,
          startedAt: record.facts.startedAt ?? isoNow(clock),
          endedAt: null,
          wait: null,
          seenSegment: records.lastSegment(),
        },
      };
      records.update(next);
      records.request(batchId, null);
      return ok(next);
    });
  }

  /**
   * Starts or resumes it. Returns it as it is; it runs on by itself and reports its progress. `again`: ended rows that it opens first.
   * `until`: a time, in ms, at which it is paused.
   */
  function run(
    batchId: string,
    terms: Terms,
    { again, until = Number.POSITIVE_INFINITY }: { again?: Again; until?: number } = {},
  ): Result<Batch> {
    if (closing) return fail(notNow('The program is ending.'));
    const taken = take(batchId, terms);
    if (!taken.ok) return taken;
    const unable = (failed: Result<never>, record: BatchRecord): Result<never> => {
      files.close(batchId);
      save({ ...record, state: 'paused', runner: null });
      return failed;
    };
    const file = files.open(batchId);
    if (!file.ok) return unable(file, taken.value);
    // Noted before anything that may fail: else its next start would take this run for one that the database has lost. Its file cannot be
    // written at the same moment, and may still have the run before.
    const noted = db.transaction(() => {
      const isOlder = isLedgerOlder(taken.value, file.value);
      const runBefore = isOlder ? null : file.value.ledgerSeen().run;
      const record = { ...taken.value, facts: { ...taken.value.facts, run: db.run, runBefore } };
      records.update(record);
      return ok({ record, isOlder });
    });
    if (!noted.ok) return unable(noted, taken.value);
    const { record, isOlder } = noted.value;
    const seen = attempt(() => (isOlder ? undefined : file.value.seeLedger(ledgerNow())));
    if (!seen.ok) return unable(seen, record);
    begin(runnerOf(record, file.value, isOlder, again), record, file.value, until);
    return ok(view.describe(record));
  }

  /**
   * Whether the database was replaced by a copy from before what the file knows: it lacks a call that was there, or, with questions under way,
   * the run that marked them. The first question after a copy made during a run cannot be told from one that has not left.
   */
  function isLedgerOlder({ facts }: BatchRecord, file: BatchFile): boolean {
    const seen = file.ledgerSeen();
    if (seen.call !== null && !ledger.hasCall(seen.call)) return true;
    const known = [null, facts.run, facts.runBefore];
    return !known.includes(seen.run) && file.asksUnderWay().length > 0;
  }

  const ledgerNow = (): LedgerSeen => ({ run: db.run, call: ledger.newestCall() });

  function runnerOf(record: BatchRecord, file: BatchFile, isOlder: boolean, again?: Again): Runner {
    const { id, connectionId, facts } = record;
    return createRunner({
      batchId: id,
      connectionId,
      kind: facts.kind,
      wants: facts.wants,
      terms: facts,
      again,
      file,
      questions,
      clock,
      pauses,
      callsOf: () => ledger.callsOfBatch(id),
      callOf: (ask) => ledger.callOfAsk(id, ask),
      claimsOf: parts.claimsOfCall,
      ledgerNow,
      isLedgerOlder: isOlder,
      countedByLedger: () => ledger.countedOfBatch(id),
      findMove: movesAfter(record, file),
      findOverrun: overrunsAfter(record),
      sampleBalance: () => parts.sampleBalance(connectionId),
      onChange: () => parts.onProgress(id),
      onBackoff: (backoff) => {
        const here = running.get(id);
        if (here) {
          here.backsOffSince = backoff && (here.backsOffSince ?? clock.now());
          here.backoff = backoff;
        }
        reportRunning();
        parts.onChange(id);
      },
    });
  }

  function reportRunning(): void {
    const waitsLong = ({ backoff, backsOffSince }: Running): boolean =>
      backoff !== null && backsOffSince !== null && Date.parse(backoff.until) - backsOffSince >= longWaitMs;
    parts.onRunning([...running.values()].some((one) => !waitsLong(one)));
  }

  function begin(runner: Runner, record: BatchRecord, file: BatchFile, until: number): void {
    const { id } = record;
    const looking = setInterval(() => {
      const asked = attempt(() => records.requestOf(id));
      if ((asked.ok && asked.value !== null) || clock.now() >= until) runner.pause();
    }, lookEveryMs);
    looking.unref();
    const ended = runner.run().then(async (end) => {
      clearInterval(looking);
      const asked = attempt(() => records.requestOf(id));
      const isStopped = end.is === 'paused' && asked.ok && asked.value === 'stop';
      if (isStopped) attempt(() => file.stopAll());
      // Before it is counted: what then is still under way has no end in the file, and may be asked again.
      running.delete(id);
      reportRunning();
      const counts = attempt(() => view.countsOf(file, record));
      // Ended with the program, and not by a person: if one allowed it to continue by itself, the next start resumes it.
      const isOfProgram = end.is === 'paused' && closing && !isInterrupted && asked.ok && asked.value === null;
      const state = isStopped ? 'stopped' : isOfProgram ? 'running' : end.is;
      const endedAt = end.is === 'done' || isStopped ? isoNow(clock) : null;
      files.close(id);
      storeEnd(id, (now) => ({
        ...now,
        state,
        runner: null,
        facts: {
          ...now.facts,
          ...(counts.ok ? counts.value : {}),
          wait: end.is === 'waiting' ? end.wait : null,
          endedAt,
        },
      }));
    });
    running.set(id, { runner, backoff: null, backsOffSince: null, ended });
    reportRunning();
    parts.onChange(id);
  }

  /**
   * Stores how a run ended. Where that fails it is tried again, also as the program ends: the next start would resume by itself what waits
   * for a person.
   */
  function storeEnd(id: string, endOf: (record: BatchRecord) => BatchRecord): void {
    const now = find(id);
    // It was resumed, stopped or removed meanwhile.
    const isOver = now.ok ? now.value.runner !== db.run || running.has(id) : now.error.code !== 'storage-failed';
    const isStored = isOver || (now.ok && save(endOf(now.value)).ok);
    if (isStored) unstored.delete(id);
    else unstored.set(id, () => storeEnd(id, endOf));
    if (!isStored && !closing) setTimeout(() => unstored.get(id)?.(), storeAgainMs).unref();
  }

  /** The service behind each interface is noted before the batch has an answer, and looked at again before each further question. */
  function movesAfter({ id, connectionId, facts }: BatchRecord, file: BatchFile): RunnerParts['findMove'] {
    let { servers } = facts;
    return () => {
      const found = parts.connections.find(connectionId);
      if (!found.ok) return found.error;
      const now = { rest: serviceOf(found.value, 'rest'), soap: serviceOf(found.value, 'soap') };
      if (servers?.rest === now.rest && servers.soap === now.soap) return undefined;
      const moved = servers && (['rest', 'soap'] as const).find((one) => hasMoved(servers?.[one], now[one]));
      if (servers && moved && file.hasAnswers())
        return appError('wrong-origin', {
          message: `The connection’s address has changed since this batch began: its answers came from ${servers[moved]}, and the next call would go to ${now[moved]}.`,
          next: 'Set the address back under Connections, or open the table again and plan it for the new one.',
          charge: 'not-charged',
        });
      const next = { rest: now.rest || (servers?.rest ?? ''), soap: now.soap || (servers?.soap ?? '') };
      const record = find(id);
      if (!record.ok) return record.error;
      const noted = db.transaction(() => {
        records.update({ ...record.value, facts: { ...record.value.facts, servers: next } });
        return ok(undefined);
      });
      if (!noted.ok) return noted.error;
      servers = next;
      return undefined;
    };
  }

  /** Falls beyond what a batch's calls account for, each looked for once a stretch of the balance has closed. */
  function overrunsAfter({ id, connectionId, facts }: BatchRecord): RunnerParts['findOverrun'] {
    let seen = facts.seenSegment;
    return (hasFreeCalls) => {
      const last = attempt(() => records.lastSegment());
      if (!last.ok) return last;
      if (last.value <= seen) return ok(undefined);
      const beyond = ledger.beyondBatch(id, seen, hasFreeCalls ? freeOrigins(connectionId) : []);
      if (!beyond.ok) return beyond;
      seen = last.value;
      return ok(beyond.value?.entry.claims);
    };
  }

  /** The balances a free search may draw on all the same: over SOAP, until a person has said that they are separate. */
  function freeOrigins(connectionId: string): string[] {
    const connection = parts.connections.find(connectionId);
    if (!connection.ok) return [];
    const origins = originsOf(connection.value, 'soap');
    return ledger.isAnySeparate(origins) ? [] : origins;
  }

  /** Pauses it if it runs here; otherwise asks the process that runs it. `request`: what a person wants of it. */
  async function pause(batchId: string, request: BatchRequest = 'pause'): Promise<Result<Batch>> {
    const here = running.get(batchId);
    if (here) {
      // Its call under way may outlast the program, which must not resume at its next start what a person has paused.
      attempt(() => records.request(batchId, request));
      here.runner.pause();
      await here.ended;
    }
    const record = find(batchId);
    if (!record.ok) return record;
    return view.isElsewhere(record.value) ? askRunner(batchId, request) : ok(view.describe(record.value));
  }

  /** Ends it with rows left over. They can be run later, as the rows not done. */
  async function stop(batchId: string): Promise<Result<Batch>> {
    const found = find(batchId);
    if (!found.ok) return found;
    const wasElsewhere = view.isElsewhere(found.value);
    const paused = await pause(batchId, 'stop');
    if (!paused.ok) return paused;
    const { state } = paused.value;
    // Its last row has ended meanwhile, or the process that ran it has stopped it; one that ended by itself there waits.
    if (state === 'done' || (state === 'stopped' && wasElsewhere)) return paused;
    const claimed = claimToStop(batchId);
    if (!claimed.ok) return claimed;
    if (claimed.value === 'elsewhere') return stop(batchId);
    const record = claimed.value;
    const unable = (failed: Result<never>): Result<never> => {
      if (!running.has(batchId)) save(record);
      return failed;
    };
    // Of a run that was killed: else rows whose call was under way would read “not asked”.
    if (state !== 'stopped') {
      const recovered = await files.withHandle(batchId, async (file) =>
        ok(await runnerOf(record, file, isLedgerOlder(record, file)).recover()),
      );
      if (!recovered.ok) return unable(recovered);
      if (running.has(batchId)) return fail(notNow('This batch is running.'));
    }
    const counts = files.use(batchId, (file) => {
      if (file.left().rows > 0) file.stopAll();
      return view.countsOf(file, record);
    });
    if (!counts.ok) return unable(counts);
    return save({
      ...record,
      state: counts.value.left.rows > 0 ? 'stopped' : 'done',
      runner: null,
      facts: { ...record.facts, ...counts.value, wait: null, endedAt: isoNow(clock) },
    });
  }

  /**
   * Claims a batch for this process while it is stopped: else another one that begins it meanwhile would send on under “stopped”. Killed
   * with the claim it is paused, and does not go on by itself. Returns it as it was before.
   */
  function claimToStop(batchId: string): Result<BatchRecord | 'elsewhere'> {
    return db.transaction((): Result<BatchRecord | 'elsewhere'> => {
      const found = find(batchId);
      if (!found.ok) return found;
      if (running.has(batchId)) return fail(notNow('This batch is running.'));
      if (view.isElsewhere(found.value)) return ok('elsewhere');
      db.acquireRunLock();
      records.update({ ...found.value, state: 'running', runner: db.run });
      records.request(batchId, 'stop');
      return ok(found.value);
    });
  }

  /** Asks the process that runs it and waits until it has stopped: its call under way ends first. */
  async function askRunner(batchId: string, request: BatchRequest): Promise<Result<Batch>> {
    const asked = db.transaction(() => {
      records.request(batchId, request);
      return ok(undefined);
    });
    if (!asked.ok) return asked;
    for (let waited = 0; waited < longestAnswerMs; waited += lookEveryMs) {
      await sleep(lookEveryMs);
      const record = find(batchId);
      if (!record.ok) return record;
      if (view.isElsewhere(record.value)) continue;
      parts.onChange(batchId);
      return ok(view.describe(record.value));
    }
    return fail(
      notNow(`The window or command that runs this batch was asked to ${request} it and has not done so yet.`),
    );
  }

  /** At the start: those that a person allowed to continue by themselves, until their date and limit. */
  function goOn(): void {
    const all = attempt(() => records.all());
    if (!all.ok) return;
    for (const record of all.value) {
      const { facts } = record;
      if (record.state !== 'running' || isRunning(record)) continue;
      const { limit, minimumBalance, rate, keyLabel, goOnUntil } = facts;
      const asked = attempt(() => records.requestOf(record.id));
      if (!asked.ok || asked.value !== null) continue;
      if (goOnUntil === null || Date.parse(goOnUntil) <= clock.now()) continue;
      // A clock that stands before its start has been set back: whether the day is over is not known.
      if (facts.startedAt !== null && clock.now() < Date.parse(facts.startedAt)) continue;
      const isOlder = files.use(record.id, (file) => isLedgerOlder(record, file));
      if (!isOlder.ok) continue;
      if (isOlder.value)
        change(record.id, (now) => {
          if (now.state !== 'running' || isRunning(now)) return ok(now);
          const facts = { ...countedWhenShown(now.facts), wait: waitForOlderLedger };
          return ok({ ...now, state: 'waiting', runner: null, facts });
        });
      else {
        const until = Date.parse(goOnUntil);
        run(record.id, { limit, minimumBalance, rate, keyLabel, goOnUntil }, { until });
      }
    }
  }

  return {
    run,
    pause,
    stop,
    goOn,
    isRunning,
    /** Resolves when a batch that runs here has ended, paused or begun to wait. */
    ended: (batchId: string): Promise<void> => running.get(batchId)?.ended ?? Promise.resolve(),
    /** What is under way ends; nothing more is sent. `byPerson`: no start resumes it by itself, even if this process is killed meanwhile. */
    async close(byPerson = false): Promise<void> {
      closing = true;
      isInterrupted ||= byPerson;
      for (const id of byPerson ? running.keys() : [])
        attempt(() => records.requestOf(id) ?? records.request(id, 'interrupt'));
      const all = [...running.values()];
      for (const { runner } of all) runner.pause();
      await Promise.race([
        Promise.allSettled(all.map(({ ended }) => ended)),
        sleep(longestEndMs, undefined, { ref: false }),
      ]);
      for (const store of [...unstored.values()]) store();
    },
  };
}
