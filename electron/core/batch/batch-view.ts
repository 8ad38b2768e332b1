import type { Batch } from '../../../shared/domain/batch.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { Connections } from '../connections/connections.ts';
import type { Secrets } from '../connections/secrets.ts';
import type { Ledger } from '../spend/ledger.ts';
import type { Database } from '../storage/database/database.ts';
import { noRows, planOf } from './plan/plan.ts';
import type { Backoff } from './run/pacer.ts';
import { type Questions, searchOf } from './run/questions.ts';
import type { LeftRows } from './store/batch-counts.ts';
import type { BatchFile } from './store/batch-file.ts';
import type { BatchFiles } from './store/batch-files.ts';
import type { BatchFacts, BatchRecord } from './store/batches-repository.ts';
import type { Terms } from './terms.ts';

export interface BatchViewParts {
  db: Pick<Database, 'run' | 'isRunAlive'>;
  connections: Pick<Connections, 'find'>;
  secrets: Pick<Secrets, 'list'>;
  questions: Questions;
  ledger: Pick<Ledger, 'countedOfBatch' | 'claimsOfBatch'>;
  files: BatchFiles;
  /** Whether it runs in this process, and what it waits for; undefined: it does not. */
  runningHere(batchId: string): { backoff: Backoff | null } | undefined;
  /** Days for which rows are kept after their batch has ended. */
  keptDays(): number;
}

const dayMs = 86_400_000;

export type BatchView = ReturnType<typeof createBatchView>;

/** Batches as shown: the record, the counts of their rows, and what the ledger counts for them. */
export function createBatchView(parts: BatchViewParts) {
  const { db, connections, secrets, questions, ledger, files, runningHere } = parts;

  const isElsewhere = ({ state, runner }: BatchRecord): boolean =>
    state === 'running' && runner !== null && runner !== db.run && db.isRunAlive(runner);

  /** A batch is paused if the process that ran it no longer runs. */
  const stateOf = (record: BatchRecord): Batch['state'] =>
    record.state === 'running' && !runningHere(record.id) && !isElsewhere(record) ? 'paused' : record.state;

  /** The price of rows of a file that are still to be asked; null: the connection cannot be read, or make the calls for them, now. */
  function leftOf(
    file: BatchFile,
    { rows, searches, bare, flat, plain }: LeftRows,
    record: BatchRecord,
  ): Batch['left'] {
    const server = questions.server(record.connectionId);
    if (rows === 0) return { rows, credits: { least: 0, most: 0 } };
    if (!server.ok) return { rows, credits: null };
    const call = file.searchCall();
    const search = call && searchOf[call];
    const counts = noRows(false);
    counts.total = rows;
    counts.searches = searches;
    counts.laterFlat = flat;
    counts.laterPlain = plain;
    if (bare > 0) counts.known.set('', bare);
    return {
      rows,
      credits: planOf(counts, record.facts.kind, record.facts.wants, { ...server.value, search }).credits,
    };
  }

  /**
   * What is left now. A question that was under way in a run that was killed, or whose end its file did not take, is asked again only if it
   * had not left.
   */
  function leftNow(file: BatchFile, record: BatchRecord): Batch['left'] {
    const left = file.left();
    const unanswered = stateOf(record) === 'running' ? [] : file.asksUnderWay();
    const searches = unanswered.filter(({ stage }) => stage in searchOf).length;
    const bare = Math.max(0, left.bare - (unanswered.length - searches));
    const { credits: least } = leftOf(file, { ...left, bare }, record);
    const { rows, credits: most } = leftOf(file, { ...left, searches: left.searches + searches }, record);
    return { rows, credits: least && most && { least: least.least, most: most.most } };
  }

  /** The current counts, for the record. */
  function countsOf(
    file: BatchFile,
    record: BatchRecord,
  ): Pick<BatchFacts, 'progress' | 'results' | 'unknown' | 'again' | 'lost' | 'left'> {
    const { progress, results } = file.tally();
    return {
      progress,
      results,
      unknown: file.unknownCredits(),
      again: file.again(),
      lost: file.lost(),
      left: leftNow(file, record),
    };
  }

  /** At the allowed rate: the most that is left of the calls. */
  function secondsOf({ facts }: BatchRecord, left: Batch['left']): number | null {
    const { most } = facts.plan.calls;
    const share =
      facts.plan.rows.total === 0 ? 0 : left.rows / Math.max(1, facts.plan.rows.total - facts.plan.rows.malformed);
    return facts.rate > 0 ? Math.ceil((most * share) / facts.rate) : null;
  }

  /**
   * Fresh counts if its rows are changing now, here or in another process, or were when that was killed: they are stored only when a run
   * ends. Also if a price was unknown when they were stored.
   */
  function currentCounts(record: BatchRecord): Result<ReturnType<typeof countsOf>> {
    return record.state === 'running' || record.facts.left.credits === null
      ? files.use(record.id, (file) => countsOf(file, record))
      : ok(record.facts);
  }

  /** The key that its terms name; the preferred one if they name none. Undefined if the connection has no such key. */
  function keyOf(connectionId: string, { keyLabel }: Pick<Terms, 'keyLabel'>) {
    const handles = secrets.list(connectionId);
    const keys = handles.ok ? handles.value.filter(({ role }) => role === 'lookup-key') : [];
    return keyLabel === null ? keys.find(({ preferred }) => preferred) : keys.find(({ label }) => label === keyLabel);
  }

  /**
   * Never fails: counts that cannot be read are those last stored, what the ledger has is null, anything else is 0 or empty. Without claims,
   * for a list: each batch has them by all calls that it ever made.
   */
  function describeInList(record: BatchRecord): Batch {
    const { facts } = record;
    const state = stateOf(record);
    const counted = currentCounts(record);
    const counts = counted.ok ? counted.value : facts;
    const connection = connections.find(record.connectionId);
    const key = keyOf(record.connectionId, facts);
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
      backoff: runningHere(record.id)?.backoff ?? null,
      elsewhere: isElsewhere(record),
      createdAt: record.createdAt,
      startedAt: facts.startedAt,
      endedAt: facts.endedAt,
      plan: facts.plan,
      progress: counts.progress,
      results: counts.results,
      credits: {
        counted: spent.ok ? spent.value + (counts.lost ?? 0) : null,
        unknown: counts.unknown,
        limit: facts.limit,
        ...(facts.earlier && facts.earlier.most > 0 ? { earlier: facts.earlier } : {}),
      },
      left: counts.left,
      again: counts.again,
      minimumBalance: facts.minimumBalance,
      rate: facts.rate,
      keyLabel: key?.label ?? facts.keyLabel ?? '',
      keyLastFour: key?.lastFour ?? '',
      goOnUntil: facts.goOnUntil,
      secondsLeft: state === 'running' ? secondsOf(record, counts.left) : null,
      claims: [],
      textsUntil: end === null || facts.forgotten ? null : new Date(end + parts.keptDays() * dayMs).toISOString(),
      forgotten: facts.forgotten,
    };
  }

  /** The same with what the balance did during the batch, once it has ended. */
  function describe(record: BatchRecord): Batch {
    const batch = describeInList(record);
    if (batch.state !== 'done' && batch.state !== 'stopped') return batch;
    const claims = ledger.claimsOfBatch(record.id);
    return { ...batch, claims: claims.ok ? claims.value : null };
  }

  return { describe, describeInList, isElsewhere, countsOf, leftOf, keyOf };
}
