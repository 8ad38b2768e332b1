import type { LicenceChange } from '../../../../shared/domain/licences/licence-change.ts';
import type { ReadBy } from './change-states.ts';

export interface SchedulePart {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** A clock that cannot be set (ms). */
  uptime(): number;
  /** The changes that are not over. May throw: the database may be closing. */
  due(): LicenceChange[];
  /** Does not reject. */
  read(changeId: string, by: ReadBy): Promise<void>;
}

/** A longer timer is checked again before it is due: it may stand still while the computer sleeps (ms). */
const longestTimer = 60_000;

/** A bulk change reports many at once: they are gathered for this long and looked through together (ms). */
const gatherMs = 200;

/** Rereads changes on their way when they are due. Reads only, and at most the few times that the change shows. */
export function createReadSchedule({ now, uptime, due, read }: SchedulePart) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let underWay: Promise<void> = Promise.resolve();
  let stopped = false;

  const list = (): LicenceChange[] => {
    try {
      return due().filter(({ state, nextRead }) => state === 'interrupted' && nextRead !== null);
    } catch {
      // Shown where the changes are asked for.
      return [];
    }
  };
  /** When each was last tried: one that cannot even be read, for want of its connection, is not tried continuously. */
  const tried = new Map<string, number>();
  /** When each is due by the clock that cannot be set, from when its time was first seen. */
  const known = new Map<string, { nextRead: string | null; at: number }>();

  /** How long until it is due: a clock set back must not postpone it, nor one that stood still while the computer slept. NaN: at no time. */
  function untilDue({ id, nextRead }: LicenceChange): number {
    const left = Date.parse(nextRead ?? '') - now();
    const seen = known.get(id);
    const at = seen?.nextRead === nextRead ? seen.at : uptime() + left;
    known.set(id, { nextRead, at });
    return Math.max(
      Math.min(left, at - uptime()),
      (tried.get(id) ?? Number.NEGATIVE_INFINITY) + longestTimer - uptime(),
    );
  }

  /** Resets the timer, once for all changes reported together. */
  function look(): void {
    if (stopped) return;
    clearTimeout(timer);
    timer = setTimeout(setTimer, gatherMs);
    timer.unref();
  }

  function setTimer(): void {
    if (stopped) return;
    const next = Math.min(...list().map(untilDue).filter(Number.isFinite));
    if (!Number.isFinite(next)) return;
    timer = setTimeout(() => void readDue(), Math.min(longestTimer, Math.max(0, next)));
    timer.unref();
  }

  function readDue(): Promise<void> {
    const ids = list()
      .filter((change) => untilDue(change) <= 0)
      .map(({ id }) => id);
    return readAll(ids, 'schedule');
  }

  function readAll(ids: readonly string[], by: ReadBy): Promise<void> {
    underWay = underWay.then(async () => {
      for (const id of ids) {
        if (stopped) return;
        tried.set(id, uptime());
        await read(id, by);
      }
      look();
    });
    return underWay;
  }

  return {
    look,
    readAtStart: (): Promise<void> =>
      readAll(
        list().map(({ id }) => id),
        'start',
      ),
    stop(): void {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
