import type {
  Batch,
  BatchKind,
  BatchPlan,
  BatchWait,
  BatchWant,
  Bounds,
  ColumnRole,
} from '../../../../shared/domain/batch.ts';
import type { TableForm } from '../../../../shared/domain/text/table.ts';
import type { Database } from '../../storage/database/database.ts';
import type { Terms } from '../terms.ts';

/** All that is kept of a batch besides its rows; the counts stay when the rows' texts are deleted. */
export interface BatchFacts extends Terms {
  name: string;
  /** The real path of the table; null: it was pasted, or came in parts. Absent: a batch of an earlier version. */
  original?: string | null;
  kind: BatchKind;
  wants: BatchWant[];
  form: TableForm;
  heads: string[];
  columns: ColumnRole[];
  plan: BatchPlan;
  /** Credits that an earlier result file says of its rows. Absent: a batch of an earlier version. */
  earlier?: Bounds;
  startedAt: string | null;
  /** The last run of the program that ran it. Absent: a batch of an earlier version, or not run yet. */
  run?: string;
  /** The run that its file had when that one began: it may not have been written there. */
  runBefore?: string | null;
  endedAt: string | null;
  wait: BatchWait | null;
  /** The last stretch of the balance that was checked for a fall beyond what was counted. */
  seenSegment: number;
  progress: Batch['progress'];
  results: Batch['results'];
  /** Credits, as `credits.unknown` of a batch. */
  unknown: number;
  again: number;
  /** Credits of calls that the ledger lacks, because an older copy of the database took its place. Absent: a batch of an earlier version. */
  lost?: number;
  left: Batch['left'];
  /** The texts of its rows have been deleted. */
  forgotten: boolean;
  /** The services that its answers came from; earlier versions noted their origins. Absent: a batch of an earlier version still, or not run yet. */
  servers?: { rest: string; soap: string };
}

export interface BatchRecord {
  id: string;
  connectionId: string;
  createdAt: string;
  state: Batch['state'];
  /** The run of the program that has it; null: none. */
  runner: string | null;
  facts: BatchFacts;
}

/** What another process asks of the one that runs a batch. */
export type BatchRequest = 'pause' | 'stop';

/** `interrupt`: a person has interrupted the command that ran it. It counts as paused, and `batch resume` takes it without its ID. */
type StoredRequest = BatchRequest | 'interrupt';

/** The batches of the data folder. Throws where SQLite does. */
export function openBatchesRepository({ sql }: Pick<Database, 'sql'>) {
  const columns = 'id, connection_id AS connectionId, created_at AS createdAt, state, runner, facts';
  const insert = sql.prepare(
    'INSERT INTO batches (id, connection_id, created_at, state, runner, facts) VALUES (:id, :connectionId, :createdAt, :state, :runner, :facts)',
  );
  const find = sql.prepare(`SELECT ${columns} FROM batches WHERE id = ?`);
  // Those that stand first: one that waits for a person is not lost behind 200 later ones.
  const list = sql.prepare(
    `SELECT ${columns} FROM batches WHERE connection_id = ?
      ORDER BY state IN ('waiting', 'running', 'paused') DESC, created_at DESC LIMIT 200`,
  );
  const all = sql.prepare(`SELECT ${columns} FROM batches ORDER BY created_at`);
  const update = sql.prepare('UPDATE batches SET state = :state, runner = :runner, facts = :facts WHERE id = :id');
  const request = sql.prepare('UPDATE batches SET request = :request WHERE id = :id');
  const requestOf = sql.prepare('SELECT request FROM batches WHERE id = ?');
  const remove = sql.prepare('DELETE FROM batches WHERE id = ?');
  const lastSegment = sql.prepare('SELECT coalesce(max(to_reading), 0) AS last FROM segments');
  function read(row: Record<string, unknown>): BatchRecord {
    const facts = JSON.parse(String(row.facts)) as BatchFacts & { wait: (BatchWait & { what?: string }) | null };
    // Earlier versions had their own words and the service's in one place.
    const wait =
      facts.wait && facts.wait.what === undefined
        ? { ...facts.wait, what: facts.wait.serviceText, serviceText: '' }
        : facts.wait;
    return { ...(row as unknown as BatchRecord), facts: { ...facts, wait } };
  }
  return {
    insert: ({ facts, ...batch }: BatchRecord): void => void insert.run({ ...batch, facts: JSON.stringify(facts) }),
    find(id: string): BatchRecord | undefined {
      const row = find.get(id);
      return row && read(row);
    },
    list: (connectionId: string): BatchRecord[] => list.all(connectionId).map(read),
    all: (): BatchRecord[] => all.all().map(read),
    update: ({ id, state, runner, facts }: Pick<BatchRecord, 'id' | 'state' | 'runner' | 'facts'>): void =>
      void update.run({ id, state, runner, facts: JSON.stringify(facts) }),
    request: (id: string, what: StoredRequest | null): void => void request.run({ id, request: what }),
    requestOf: (id: string): StoredRequest | null => (requestOf.get(id)?.request ?? null) as StoredRequest | null,
    remove: (id: string): void => void remove.run(id),
    lastSegment: (): number => Number(lastSegment.get()?.last),
  };
}
