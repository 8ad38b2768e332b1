import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredSizes, Tidied, TidyProgress } from '../../../shared/domain/stored-data.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { Clock, Logger } from '../../ports.ts';
import type { Database } from '../storage/database/database.ts';
import { attempt } from '../storage/database/errors.ts';
import { openReadingThinner, thinAfterDays } from './thin-readings.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** After the start, so that the window comes first. */
const startMs = 20_000;
/** Between two turns everything else comes first. */
const restMs = 20;

export interface UpkeepParts {
  db: Database;
  clock: Clock;
  logger: Logger;
  /** Removes some saved answers that are out of date, in one turn; returns how many, 0 once there are none. */
  removeAnswers(): Result<number>;
  /** Removes the rows of batches that were kept long enough; returns how many batches. Never rejects. */
  removeBatches(): Promise<number>;
  /** Reads how large each part is, in a thread of its own. */
  measure(): Promise<Result<StoredSizes>>;
  /** Called once answers or batches were removed, which a window may still show. */
  onRemoved(): void;
  /** How it waits between two turns. */
  rest?(ms: number): Promise<void>;
}

interface Tidying {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: TidyProgress) => void) | undefined;
}

/**
 * What is kept, and how long: applies the rules each hour, a few milliseconds at a time, and makes the file smaller where enough of it is
 * unused. Errors: `storage-failed`.
 */
export function createUpkeep(parts: UpkeepParts) {
  const { db, clock } = parts;
  const rest = parts.rest ?? ((ms: number) => sleep(ms, undefined, { ref: false }));
  const thinner = openReadingThinner(db);
  const compactor = openCompactor(db.sql);
  let closed = false;
  let underWay: Promise<Result<Tidied>> | null = null;
  let thinnedUpTo = 0;

  const isOver = (signal: AbortSignal | undefined): boolean => closed || signal?.aborted === true;

  async function thin(from: number, { signal, onProgress }: Tidying): Promise<Result<number>> {
    const before = new Date(clock.now() - thinAfterDays * dayMs).toISOString();
    let removed = 0;
    const begun = attempt(() => thinner.begin());
    if (!begun.ok) return begun;
    for (let after: number | null = from; after !== null && !isOver(signal); ) {
      const turn = thinner.turn(after, before);
      if (!turn.ok) return turn;
      removed += turn.value.removed;
      thinnedUpTo = Math.max(thinnedUpTo, turn.value.next ?? after);
      after = turn.value.next;
      if (turn.value.removed > 0) onProgress?.({ step: 'readings', done: removed });
      await rest(restMs);
    }
    return ok(removed);
  }

  async function removeAnswers(signal: AbortSignal | undefined): Promise<Result<number>> {
    for (let removed = 0; ; ) {
      const turn = parts.removeAnswers();
      if (!turn.ok) return turn;
      removed += turn.value;
      if (turn.value === 0 || isOver(signal)) return ok(removed);
      await rest(restMs);
    }
  }

  async function compact({ signal, onProgress }: Tidying): Promise<Result<number>> {
    const began = attempt(() => compactor.size());
    if (!began.ok) return began;
    for (let left = 1; left > 0 && !isOver(signal); ) {
      const turn = attempt(() => compactor.turn());
      if (!turn.ok) return turn;
      left = turn.value;
      onProgress?.({ step: 'file', done: left });
      await rest(restMs);
    }
    const ended = attempt(() => compactor.size());
    return ended.ok ? ok(Math.max(0, began.value - ended.value)) : ended;
  }

  /** `all`: from the first reading on, and the file made smaller whatever it gains. */
  async function apply(all: boolean, tidying: Tidying): Promise<Result<Tidied>> {
    const answers = await removeAnswers(tidying.signal);
    if (!answers.ok) return answers;
    const batches = await parts.removeBatches();
    if (answers.value + batches > 0) parts.onRemoved();
    const readings = await thin(all ? 0 : thinnedUpTo, tidying);
    if (!readings.ok) return readings;
    const due = attempt(() => all || compactor.isDue());
    if (!due.ok) return due;
    const bytes = due.value ? await compact(tidying) : ok(0);
    if (!bytes.ok) return bytes;
    return ok({
      answers: answers.value,
      batches,
      readings: readings.value,
      bytes: bytes.value,
      stopped: tidying.signal?.aborted === true,
    });
  }

  /** One at a time: who asks while the rules are applied gets that one's end. */
  function tidy(all: boolean, tidying: Tidying): Promise<Result<Tidied>> {
    if (underWay) return underWay;
    underWay = apply(all, tidying).finally(() => {
      underWay = null;
    });
    return underWay;
  }

  /** Unseen. Errors are written down: the next hour tries again. */
  async function run(): Promise<void> {
    const done = await tidy(false, {});
    if (!done.ok) parts.logger.error('upkeep', done.error.code);
  }
  let timer: NodeJS.Timeout | undefined;

  return {
    /** At the start, when everything else has begun, and then each hour. */
    start(): void {
      void rest(startMs).then(() => (closed ? undefined : run()));
      timer = setInterval(() => void run(), hourMs);
      timer.unref();
    },
    run,
    measure: parts.measure,
    /** By a person, to its end or until it is stopped. What the hourly run does meanwhile is not reported to `onProgress`. */
    async tidyNow(tidying: Tidying = {}): Promise<Result<Tidied>> {
      await underWay;
      return tidy(true, tidying);
    },
    /** No turn begins any more; resolves when the one under way has ended. The database stays open. */
    async close(): Promise<void> {
      closed = true;
      clearInterval(timer);
      await underWay;
    },
  };
}

/** Pages given back in one turn: what main can do between two frames, with the wait for the disk. */
const pagesAtOnce = 40;
/** Less than this, of bytes and of the file, is left for what is written next. */
const leastBytes = 4 * 2 ** 20;
const leastShare = 0.1;

/** Gives pages that nothing uses back to the disk, from the end of the file. Throws where SQLite does. */
function openCompactor(sql: DatabaseSync) {
  const number = (name: string): number => Number(Object.values(sql.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
  const pageSize = number('page_size');
  const unused = (): number => number('freelist_count') * pageSize;
  const size = (): number => number('page_count') * pageSize;

  return {
    size,
    unused,
    /** Whether it is worth while by itself. */
    isDue: (): boolean => unused() >= Math.max(leastBytes, size() * leastShare),
    /** One turn; returns the bytes that are still unused. */
    turn(): number {
      const before = unused();
      sql.exec(`PRAGMA incremental_vacuum(${pagesAtOnce})`);
      const after = unused();
      // A file that cannot be made smaller in pieces stays as it is.
      return after < before ? after : 0;
    },
  };
}
