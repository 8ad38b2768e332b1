import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningCall } from '../../../shared/domain/activity.ts';
import { type Clock, isoNow } from '../../ports.ts';

/** A call waiting for a keychain prompt does not keep the program from ending. */
const longestEndMs = 3000;

/** The calls of this process that have begun and not ended: which are shown, which may cost something, which to wait for. */
export function watchCalls(clock: Clock, onRunning: (calls: RunningCall[]) => void) {
  const shown = new Map<string, RunningCall>();
  const paid = new Map<string, number>();
  const underWay = new Set<Promise<unknown>>();

  const waiting = new Set<() => void>();

  const isQuiet = (connectionId: string): boolean => (paid.get(connectionId) ?? 0) === 0;

  function count(connectionId: string, change: 1 | -1): void {
    paid.set(connectionId, (paid.get(connectionId) ?? 0) + change);
    if (!isQuiet(connectionId)) return;
    for (const done of waiting) done();
    waiting.clear();
  }

  return {
    /** Until a call has ended and is written down. */
    track<T>(call: Promise<T>): Promise<T> {
      const tracked = call.finally(() => underWay.delete(tracked));
      underWay.add(tracked);
      return tracked;
    },
    /** In the status bar; one without a request is not shown. */
    show(requestId: string | undefined, call: Pick<RunningCall, 'operation' | 'subject'>): void {
      if (requestId === undefined) return;
      shown.set(requestId, { requestId, ...call, startedAt: isoNow(clock) });
      onRunning([...shown.values()]);
    },
    hide(requestId: string | undefined): void {
      if (requestId !== undefined && shown.delete(requestId)) onRunning([...shown.values()]);
    },
    /** A call that may cost something has begun, and later ended. */
    beginPaid: (connectionId: string): void => count(connectionId, 1),
    endPaid: (connectionId: string): void => count(connectionId, -1),
    /** True while no call that may cost something is under way. */
    isQuiet,
    /** Resolves when the calls that may cost something have ended. */
    async whenQuiet(connectionId: string): Promise<void> {
      while (!isQuiet(connectionId)) await new Promise<void>((done) => waiting.add(done));
    },
    /** Resolves when all calls under way have ended and are written down, or after a while: the end of the program waits no longer. */
    async ended(): Promise<void> {
      await Promise.race([Promise.allSettled(underWay), sleep(longestEndMs, undefined, { ref: false })]);
    },
    running: (): RunningCall[] => [...shown.values()],
  };
}
