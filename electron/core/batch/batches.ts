import type { MoneyClaim } from '../../../shared/claims/money-claims.ts';
import type {
  Batch,
  BatchRow,
  BatchWant,
  Bounds,
  Candidate,
  OpenTable,
  RowSource,
  Several,
} from '../../../shared/domain/batch.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { type Clock, isoNow } from '../../ports.ts';
import type { Connections } from '../connections/connections.ts';
import type { Secrets } from '../connections/secrets.ts';
import type { Pauses } from '../licences/change/change-deps.ts';
import type { Ledger } from '../spend/ledger.ts';
import type { Database } from '../storage/database/database.ts';
import { attempt } from '../storage/database/errors.ts';
import { makeBatch } from './make-batch.ts';
import type { JudgedCandidate } from './match/match-address.ts';
import { createOpenTables } from './open-tables.ts';
import { noRows, planOf } from './plan/plan.ts';
import type { RowFields } from './run/judge.ts';
import type { Questions } from './run/questions.ts';
import { createRunner, type Hold, type Runner } from './run/runner.ts';
import {
  type BatchFile,
  type FileRow,
  hasBatchFile,
  openBatchFile,
  type RowFilter,
  removeBatchFile,
} from './store/batch-file.ts';
import { type BatchFacts, type BatchRecord, openBatchesRepository } from './store/batches-repository.ts';
import type { Workbooks } from './table/workbooks.ts';

/** What a person sets before a batch runs, and may change whenever it stands. */
export interface Terms {
  limit: number;
  minimumBalance: number | null;
  rate: number;
  keyLabel: string | null;
  goOnUntil: string | null;
}

export interface BatchesParts {
  /** Of the program's data; the batches have one of their own in it. */
  folder: string;
  db: Database;
  clock: Clock;
  pauses: Pauses;
  connections: Pick<Connections, 'find'>;
  secrets: Pick<Secrets, 'list'>;
  questions: Questions;
  ledger: Ledger;
  workbooks: Workbooks;
  userName: string;
  onChange(batch: Batch): void;
  onReading(tableId: string, rows: number): void;
}

interface Running {
  runner: Runner;
  file: BatchFile;
  hold: Hold | null;
  ended: Promise<void>;
}

/** Rows of a batch are kept so long after its end. */
const keptMs = 30 * 86_400_000;
const hourMs = 3_600_000;
/** The end of the program waits so long at most for calls that are under way. */
const longestEndMs = 3000;
/** Told to the window at most so often. */
const toldEveryMs = 200;
/** Until so many rows what is left is counted anew with every change. */
const countedOften = 2000;

const unknownBatch = () =>
  appError('bad-input', {
    message: 'There is no such batch.',
    next: 'Open the list of batches again.',
    charge: 'not-applicable',
  });
const notNow = (message: string) =>
  appError('bad-input', { message, next: 'Look at the batch again.', charge: 'not-applicable' });
const textsGone = () => notNow('The rows of this batch are gone; the counts stay.');

export type Batches = ReturnType<typeof createBatches>;

/**
 * The batches of the data folder: made from a table, run by one process at a time, kept until their rows are forgotten. What one spends
 * goes through the caller and its ledger as every call does.
 */
export function createBatches(parts: BatchesParts) {
  const { db, clock, connections, secrets, questions, ledger } = parts;
  const folder = `${parts.folder}/batches`;
  const records = openBatchesRepository(db);
  const running = new Map<string, Running>();
  const told = new Map<string, number>();
  let closing = false;
  const tables = createOpenTables({ folder, questions, workbooks: parts.workbooks, onReading: parts.onReading });

  const claimsOfCall = (callId: string): MoneyClaim[] => {
    const entry = ledger.findOfCall(callId);
    return entry.ok && entry.value ? entry.value.claims : [];
  };

  function find(batchId: string): Result<BatchRecord> {
    const found = attempt(() => records.find(batchId));
    if (!found.ok) return found;
    return found.value ? ok(found.value) : fail(unknownBatch());
  }

  /** Reads or changes the rows of a batch; the file is closed again unless it is being run here. Errors: 'storage-failed', 'bad-input'. */
  function withFile<T>(batchId: string, work: (file: BatchFile) => T): Result<T> {
    const open = running.get(batchId)?.file;
    if (open) return attempt(() => work(open));
    if (!hasBatchFile(folder, batchId)) return fail(textsGone());
    return attempt(() => {
      const file = openBatchFile(folder, batchId);
      try {
        return work(file);
      } finally {
        file.close();
      }
    });
  }

  /** The same for work that takes several turns. */
  async function withFileOpen<T>(batchId: string, work: (file: BatchFile) => Promise<Result<T>>): Promise<Result<T>> {
    if (!hasBatchFile(folder, batchId)) return fail(textsGone());
    // A handle of its own: the run may end meanwhile.
    const opened = attempt(() => openBatchFile(folder, batchId));
    if (!opened.ok) return opened;
    try {
      return await work(opened.value);
    } finally {
      opened.value.close();
    }
  }

  const isElsewhere = ({ state, runner }: BatchRecord): boolean =>
    state === 'running' && runner !== null && runner !== db.run && db.isRunAlive(runner);

  /** A run whose process is gone stands. */
  const stateOf = (record: BatchRecord): Batch['state'] =>
    record.state === 'running' && !running.has(record.id) && !isElsewhere(record) ? 'paused' : record.state;

  /** What is still to be asked, and its price, from the rows that wait. */
  function leftOf(file: BatchFile, record: BatchRecord): Batch['left'] {
    const { rows, asks, kinds } = file.left();
    const server = questions.server(record.connectionId);
    if (!server.ok || rows === 0) return { rows, credits: { least: 0, most: 0 } };
    const counts = noRows();
    counts.total = rows;
    counts.searches = asks;
    for (const { flat, bare, rows: some } of kinds) {
      if (bare) counts.known.set('', (counts.known.get('') ?? 0) + some);
      else counts[flat ? 'laterFlat' : 'laterPlain'] += some;
    }
    return { rows, credits: planOf(counts, record.facts.kind, record.facts.wants, server.value).credits };
  }

  /** The counts as they are now, for the record. */
  function countsOf(
    file: BatchFile,
    record: BatchRecord,
    always: boolean,
  ): Pick<BatchFacts, 'progress' | 'results' | 'unknown' | 'again' | 'left'> {
    const { progress, results } = file.tally();
    const isSmall = record.facts.plan.rows.total <= countedOften;
    return {
      progress,
      results,
      unknown: file.unknownCredits(),
      again: file.again(),
      left:
        always || isSmall
          ? leftOf(file, record)
          : { ...record.facts.left, rows: progress.waiting + progress['at-work'] + progress.stopped },
    };
  }

  /** A batch as the window shows it. */
  function describe(record: BatchRecord): Batch {
    const { facts } = record;
    const here = running.get(record.id);
    const state = stateOf(record);
    const elsewhere = isElsewhere(record);
    const live = here ?? (elsewhere && hasBatchFile(folder, record.id) ? null : undefined);
    const counted = live === undefined ? ok(facts) : withFile(record.id, (file) => countsOf(file, record, false));
    const counts = counted.ok ? counted.value : facts;
    const connection = connections.find(record.connectionId);
    const handles = secrets.list(record.connectionId);
    const keys = handles.ok ? handles.value.filter(({ role }) => role === 'lookup-key') : [];
    const key =
      facts.keyLabel === null
        ? keys.find(({ preferred }) => preferred)
        : keys.find(({ label }) => label === facts.keyLabel);
    const spent = ledger.countedOfBatch(record.id);
    const end = facts.endedAt === null ? null : Date.parse(facts.endedAt);
    return {
      id: record.id,
      connectionId: record.connectionId,
      connectionName: connection.ok ? connection.value.name : '',
      name: facts.name,
      kind: facts.kind,
      wants: facts.wants,
      state,
      wait: state === 'waiting' ? facts.wait : null,
      hold: here?.hold ?? null,
      elsewhere,
      createdAt: record.createdAt,
      startedAt: facts.startedAt,
      endedAt: facts.endedAt,
      plan: facts.plan,
      progress: counts.progress,
      results: counts.results,
      credits: { counted: spent.ok ? spent.value : 0, unknown: counts.unknown, limit: facts.limit },
      left: counts.left,
      again: counts.again,
      minimumBalance: facts.minimumBalance,
      rate: facts.rate,
      keyLabel: key?.label ?? facts.keyLabel ?? '',
      keyLastFour: key?.lastFour ?? '',
      goOnUntil: facts.goOnUntil,
      secondsLeft: state === 'running' ? secondsOf(record, counts.left) : null,
      claims: [],
      textsUntil: end === null || facts.forgotten ? null : new Date(end + keptMs).toISOString(),
      forgotten: facts.forgotten,
    };
  }

  /** At the rate allowed: what is left of the calls at most. */
  function secondsOf({ facts }: BatchRecord, left: Batch['left']): number | null {
    const { most } = facts.plan.calls;
    const share =
      facts.plan.rows.total === 0 ? 0 : left.rows / Math.max(1, facts.plan.rows.total - facts.plan.rows.malformed);
    return facts.rate > 0 ? Math.ceil((most * share) / facts.rate) : null;
  }

  function notify(batchId: string, always = true): void {
    const now = clock.now();
    if (!always && Math.abs(now - (told.get(batchId) ?? 0)) < toldEveryMs) return;
    told.set(batchId, now);
    const record = find(batchId);
    if (record.ok) parts.onChange(describe(record.value));
  }

  function save(record: BatchRecord): Result<Batch> {
    const saved = db.transaction(() => {
      records.update(record);
      return ok(undefined);
    });
    if (!saved.ok) return saved;
    notify(record.id);
    return ok(describe(record));
  }

  /** Makes a batch of an open table. Sends nothing. */
  async function plan(request: { tableId: string; wants: readonly BatchWant[] }): Promise<Result<Batch>> {
    const table = tables.find(request.tableId);
    if (!table.ok) return table;
    const { kind, connectionId, view } = table.value;
    for (const want of request.wants) {
      const price = view.wants.find((one) => one.want === want);
      if (price?.not)
        return fail(appError('bad-input', { message: price.not, field: 'wants', charge: 'not-applicable' }));
    }
    const id = crypto.randomUUID();
    const wants = [...new Set(request.wants)];
    const made = await makeBatch(folder, id, table.value, wants, questions, (rows) =>
      parts.onReading(request.tableId, rows),
    );
    if (!made.ok) return made;
    const counts = withFile(id, (file) => ({ ...file.tally() }));
    if (!counts.ok) return counts;
    const record: BatchRecord = {
      id,
      connectionId,
      createdAt: isoNow(clock),
      state: 'planned',
      runner: null,
      facts: {
        name: table.value.name,
        kind,
        wants,
        form: table.value.form,
        heads: table.value.heads,
        columns: table.value.columns.map(({ role }) => role),
        plan: made.value,
        startedAt: null,
        endedAt: null,
        wait: null,
        limit: made.value.credits?.most ?? 0,
        minimumBalance: null,
        rate: 5,
        keyLabel: null,
        goOnUntil: null,
        seenSegment: 0,
        ...counts.value,
        unknown: 0,
        again: 0,
        left: { rows: counts.value.progress.waiting, credits: made.value.credits },
        forgotten: false,
      },
    };
    const entered = db.transaction(() => {
      records.insert(record);
      return ok(undefined);
    });
    if (!entered.ok) {
      removeBatchFile(folder, id);
      return entered;
    }
    return ok(describe(record));
  }

  /** Takes the run of a batch for this process: one at a time, whichever window or command asks. */
  function take(batchId: string, terms: Terms): Result<BatchRecord> {
    return db.transaction(() => {
      const found = find(batchId);
      if (!found.ok) return found;
      const record = found.value;
      if (isElsewhere(record)) return fail(notNow('Another window or command runs this batch.'));
      if (running.has(batchId)) return fail(notNow('This batch is running.'));
      if (record.facts.forgotten || !hasBatchFile(folder, batchId)) return fail(textsGone());
      db.holdRun();
      const next: BatchRecord = {
        ...record,
        state: 'running',
        runner: db.run,
        facts: {
          ...record.facts,
          ...terms,
          startedAt: record.facts.startedAt ?? isoNow(clock),
          endedAt: null,
          wait: null,
          seenSegment: records.lastSegment(),
        },
      };
      records.update(next);
      return ok(next);
    });
  }

  /** Begins it, or goes on. Gives it as it is; it runs on by itself, its progress is told. */
  function run(batchId: string, terms: Terms): Result<Batch> {
    if (closing) return fail(notNow('The program is ending.'));
    const taken = take(batchId, terms);
    if (!taken.ok) return taken;
    const opened = attempt(() => {
      const file = openBatchFile(folder, batchId);
      // What a person lets go on waits again.
      file.changeAll(['stopped'], { progress: 'waiting', reason: '', text: '' });
      return file;
    });
    if (!opened.ok) {
      save({ ...taken.value, state: 'paused', runner: null });
      return opened;
    }
    begin(taken.value, opened.value);
    return ok(describe(taken.value));
  }

  function begin(record: BatchRecord, file: BatchFile): void {
    const { id, connectionId, facts } = record;
    let seen = facts.seenSegment;
    const runner = createRunner({
      batchId: id,
      connectionId,
      kind: facts.kind,
      wants: facts.wants,
      terms: facts,
      file,
      questions,
      clock,
      pauses: parts.pauses,
      callOf: (ask) => ledger.callOfAsk(id, ask),
      claimsOf: claimsOfCall,
      findOverrun: () => {
        const last = attempt(() => records.lastSegment());
        if (!last.ok) return last;
        if (last.value <= seen) return ok(undefined);
        const beyond = ledger.beyondBatch(id, seen);
        if (!beyond.ok) return beyond;
        seen = last.value;
        if (!beyond.value) return ok(undefined);
        return ok({ title: 'Stopped: the balance fell by more than was counted', claims: beyond.value.entry.claims });
      },
      onChange: () => notify(id, false),
      onHold: (hold) => {
        const here = running.get(id);
        if (here) here.hold = hold;
        notify(id);
      },
    });
    const ended = runner.run().then((end) => {
      const counts = attempt(() => countsOf(file, record, true));
      const now = find(id);
      running.delete(id);
      attempt(() => file.close());
      if (!now.ok) return;
      save({
        ...now.value,
        // Ended with the program: where a person let it go on by itself, the next start does.
        state: end.is === 'paused' && closing ? 'running' : end.is,
        runner: null,
        facts: {
          ...now.value.facts,
          ...(counts.ok ? counts.value : {}),
          wait: end.is === 'waiting' ? end.wait : null,
          endedAt: end.is === 'done' ? isoNow(clock) : null,
        },
      });
    });
    running.set(id, { runner, file, hold: null, ended });
    notify(id);
  }

  async function pause(batchId: string): Promise<Result<Batch>> {
    const here = running.get(batchId);
    if (here) {
      here.runner.pause();
      await here.ended;
    }
    const record = find(batchId);
    if (!record.ok) return record;
    return isElsewhere(record.value)
      ? fail(notNow('Another window or command runs this batch; it is paused there.'))
      : ok(describe(record.value));
  }

  /** Ends it with rows left. They can be run later, as the not done. */
  async function stop(batchId: string): Promise<Result<Batch>> {
    const paused = await pause(batchId);
    if (!paused.ok) return paused;
    const counts = withFile(batchId, (file) => {
      file.changeAll(['waiting', 'at-work'], { progress: 'stopped', reason: 'not-asked', text: '' });
      return file;
    });
    if (!counts.ok) return counts;
    const record = find(batchId);
    if (!record.ok) return record;
    return saveCounts({
      ...record.value,
      state: 'stopped',
      facts: { ...record.value.facts, wait: null, endedAt: isoNow(clock) },
    });
  }

  function saveCounts(record: BatchRecord): Result<Batch> {
    const counts = withFile(record.id, (file) => countsOf(file, record, true));
    return counts.ok ? save({ ...record, facts: { ...record.facts, ...counts.value } }) : counts;
  }

  /** Rows that are not done may be asked: those that wait, stopped and failed ones, and unknown ones that a person ticked. */
  function openNotDone(file: BatchFile, unknown: readonly number[]): void {
    file.openAgain(unknown);
  }

  /** What running the not done would take. */
  function notDone(batchId: string, unknown: readonly number[]): Result<{ rows: number; credits: Bounds | null }> {
    const record = find(batchId);
    if (!record.ok) return record;
    const left = withFile(batchId, (file) =>
      file.tryOut(() => {
        openNotDone(file, unknown);
        return leftOf(file, record.value);
      }),
    );
    return left;
  }

  function runNotDone(batchId: string, unknown: readonly number[], terms: Terms): Result<Batch> {
    const record = find(batchId);
    if (!record.ok) return record;
    if (running.has(batchId) || isElsewhere(record.value)) return fail(notNow('This batch is running.'));
    const opened = withFile(batchId, (file) => openNotDone(file, unknown));
    return opened.ok ? run(batchId, terms) : opened;
  }

  function rowOf(row: FileRow): BatchRow {
    const isUnknown = row.progress === 'unknown' || row.progress === 'stopped' || row.progress === 'failed';
    return {
      row: row.row,
      given: row.given,
      progress: row.progress,
      result: row.result,
      text: row.text,
      reason: row.reason,
      notUsed: JSON.parse(row.notUsed) as string[],
      source: sourceOf(row),
      credits: { least: row.least, most: row.most },
      premiseId: row.premiseId,
      chosenBy: row.chosenBy,
      claims: isUnknown && row.callId !== null ? claimsOfCall(row.callId) : [],
      callId: row.callId,
    };
  }

  function rows(
    batchId: string,
    filter: RowFilter,
    from: number,
    limit: number,
  ): Result<{ rows: BatchRow[]; total: number }> {
    const record = find(batchId);
    if (!record.ok) return record;
    const page = withFile(batchId, (file) => file.page(filter, from, limit));
    return page.ok ? ok({ rows: page.value.rows.map(rowOf), total: page.value.total }) : page;
  }

  function several(batchId: string, row: number): Result<Several> {
    const found = withFile(batchId, (file) => file.row(row));
    if (!found.ok) return found;
    if (!found.value?.candidates) return fail(notNow('Nothing is to be chosen in this row.'));
    return ok(severalOf(found.value));
  }

  /** Chooses among several; null: none of these. Free. */
  function choose(batchId: string, row: number, premiseId: string | null): Result<{ row: BatchRow; batch: Batch }> {
    const record = find(batchId);
    if (!record.ok) return record;
    const changed = withFile(batchId, (file) => {
      const found = file.row(row);
      const candidates = found?.candidates ? (JSON.parse(found.candidates) as JudgedCandidate[]) : [];
      const chosen = candidates.find(({ candidate }) => candidate.premiseId === premiseId);
      if (!found || (premiseId !== null && !chosen)) return undefined;
      const before = found.fields ? (JSON.parse(found.fields) as RowFields) : {};
      file.changeRow(
        row,
        chosen
          ? {
              progress: 'done',
              result: chosen.notUsed.length === 0 ? 'exact' : 'differs',
              reason: 'chosen',
              text: chosen.candidate.line,
              notUsed: JSON.stringify(chosen.notUsed),
              premiseId: chosen.candidate.premiseId,
              fields: JSON.stringify({ ...before, address: chosen.candidate.line }),
              chosenBy: parts.userName,
            }
          : {
              progress: 'done',
              result: 'several',
              reason: 'several-premises',
              text: `${candidates.length} premises fit`,
              notUsed: '[]',
              premiseId: '',
              chosenBy: '',
            },
      );
      return file.row(row);
    });
    if (!changed.ok) return changed;
    if (!changed.value) return fail(notNow('This row has no such premise to choose.'));
    const batch = running.has(batchId) ? ok(describe(record.value)) : saveCounts(record.value);
    return batch.ok ? ok({ row: rowOf(changed.value), batch: batch.value }) : batch;
  }

  /** The texts of its rows go now; counts stay. Of one that runs it is refused. */
  async function forget(batchId: string): Promise<Result<Batch>> {
    const record = find(batchId);
    if (!record.ok) return record;
    if (running.has(batchId) || isElsewhere(record.value)) return fail(notNow('This batch is running. Stop it first.'));
    const gone = attempt(() => removeBatchFile(folder, batchId));
    if (!gone.ok) return gone;
    const { facts } = record.value;
    return save({
      ...record.value,
      state: record.value.state === 'done' ? 'done' : 'stopped',
      facts: {
        ...facts,
        forgotten: true,
        wait: null,
        endedAt: facts.endedAt ?? isoNow(clock),
        plan: { ...facts.plan, malformed: [] },
        left: { rows: 0, credits: { least: 0, most: 0 } },
      },
    });
  }

  /** Takes away one that was planned and never run. */
  async function discard(batchId: string): Promise<Result<void>> {
    const record = find(batchId);
    if (!record.ok) return record;
    if (record.value.facts.startedAt !== null) return fail(notNow('This batch has run.'));
    removeBatchFile(folder, batchId);
    return attempt(() => records.remove(batchId));
  }

  /** Rows whose time is over go; what a program that has ended left open goes with them. Errors are ignored: the next hour tries again. */
  async function purge(): Promise<void> {
    await tables.sweep(clock.now());
    const all = attempt(() => records.all());
    if (!all.ok) return;
    for (const { id, facts } of all.value)
      if (!facts.forgotten && facts.endedAt !== null && clock.now() - Date.parse(facts.endedAt) > keptMs)
        await forget(id);
  }

  /** At the start: those that a person let go on by themselves, until their day and limit. */
  function goOn(): void {
    const all = attempt(() => records.all());
    if (!all.ok) return;
    for (const record of all.value) {
      const { facts } = record;
      if (record.state !== 'running' || isElsewhere(record) || running.has(record.id)) continue;
      const { limit, minimumBalance, rate, keyLabel, goOnUntil } = facts;
      if (goOnUntil !== null && Date.parse(goOnUntil) > clock.now())
        run(record.id, { limit, minimumBalance, rate, keyLabel, goOnUntil });
    }
  }

  const purging = setInterval(() => void purge(), hourMs);
  purging.unref();

  return {
    openFile: tables.openFile,
    openText: tables.openText,
    receive: tables.receive,
    readAs: tables.readAs,
    closeTable: tables.close,
    plan,
    run,
    pause,
    stop,
    notDone,
    runNotDone,
    rows,
    several,
    choose,
    forget,
    discard,
    purge,
    goOn,
    get: (batchId: string): Result<Batch> => {
      const record = find(batchId);
      return record.ok ? ok(describe(record.value)) : record;
    },
    record: find,
    withFile,
    withFileOpen,
    folder,
    workbooks: parts.workbooks,
    /** When a batch that runs here has ended, paused or come to wait. */
    ended: (batchId: string): Promise<void> => running.get(batchId)?.ended ?? Promise.resolve(),
    list(connectionId: string): Result<Batch[]> {
      const found = attempt(() => records.list(connectionId));
      if (!found.ok) return found;
      const order: Readonly<Record<Batch['state'], number>> = {
        waiting: 0,
        running: 1,
        paused: 2,
        planned: 3,
        stopped: 4,
        done: 4,
      };
      const batches = found.value.map(describe);
      return ok(batches.sort((a, b) => order[a.state] - order[b.state]));
    },
    openTable: (tableId: string): Result<OpenTable> => {
      const table = tables.find(tableId);
      return table.ok ? ok(table.value.view) : table;
    },
    /** What is under way ends; nothing more is sent. */
    async close(): Promise<void> {
      closing = true;
      clearInterval(purging);
      const all = [...running.values()];
      for (const { runner } of all) runner.pause();
      let timer: NodeJS.Timeout | undefined;
      const enough = new Promise<void>((done) => {
        timer = setTimeout(done, longestEndMs);
      });
      await Promise.race([Promise.allSettled(all.map(({ ended }) => ended)), enough]);
      clearTimeout(timer);
    },
  };
}

function sourceOf(row: FileRow): RowSource | null {
  if (row.source === 'same') return { kind: 'same', row: row.sameAs ?? row.row };
  if (row.source === 'earlier-file') return { kind: 'earlier-file' };
  return row.source === null ? null : { kind: row.source, at: row.at ?? '' };
}

const emptyParts = { organisation: '', number: '', street: '', town: '', postcode: '' };

/** Candidates of a row in the columns in which they stand under each other. */
function severalOf(row: FileRow): Several {
  const { given } = JSON.parse(row.understood) as {
    given?: { organisation: string; premise: string; town: string; postcode: string };
  };
  const candidates = JSON.parse(row.candidates ?? '[]') as JudgedCandidate[];
  return {
    row: row.row,
    given: given
      ? { ...splitPremise(given.premise), organisation: given.organisation, town: given.town, postcode: given.postcode }
      : emptyParts,
    candidates: candidates.map(({ candidate, notUsed, notGiven }): Candidate => {
      const parts = candidate.line.split(',').map((part) => part.trim());
      const postcode = parts.at(-1) ?? '';
      const town = parts.at(-2) ?? '';
      return {
        premiseId: candidate.premiseId,
        line: candidate.line,
        parts: { ...splitPremise(parts.slice(0, -2).join(', ')), organisation: '', town, postcode },
        over: notGiven,
        notUsed,
      };
    }),
    chosen: row.chosenBy === '' ? '' : row.premiseId,
  };
}

/** A premise on one line: what stands before its street, and the street. */
function splitPremise(premise: string): { number: string; street: string } {
  const parts = premise.split(',').map((part) => part.trim());
  const last = parts.pop() ?? '';
  const numbered = /^(\d+[a-z]?(?:\s*[-–/]\s*\d+[a-z]?)?)\s+(.+)$/i.exec(last);
  const number = [...parts, numbered?.[1] ?? ''].filter(Boolean).join(', ');
  return { number, street: numbered?.[2] ?? last };
}
