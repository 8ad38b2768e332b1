/** A first-come first-served limit on how many calls run at once to one origin. Waiting calls leave the queue when they are cancelled. */
export interface Pool<T> {
  /** Null: cancelled while waiting. */
  acquire(signal: AbortSignal): Promise<T | null>;
  release(item: T): void;
  all(): readonly T[];
}

/** `make` is called at most `limit` times; the most recently used item is handed out first, so that open connections are reused. */
export function createPool<T>(limit: number, make: () => T): Pool<T> {
  const made: T[] = [];
  const free: T[] = [];
  const waiting: ((item: T) => void)[] = [];
  return {
    acquire(signal) {
      if (signal.aborted) return Promise.resolve(null);
      const item = free.pop();
      if (item !== undefined) return Promise.resolve(item);
      if (made.length < limit) {
        const fresh = make();
        made.push(fresh);
        return Promise.resolve(fresh);
      }
      return new Promise((resolve) => {
        const onAbort = (): void => {
          const index = waiting.indexOf(take);
          if (index >= 0) waiting.splice(index, 1);
          resolve(null);
        };
        const take = (given: T): void => {
          signal.removeEventListener('abort', onAbort);
          resolve(given);
        };
        waiting.push(take);
        signal.addEventListener('abort', onAbort, { once: true });
      });
    },
    release(item) {
      const next = waiting.shift();
      if (next === undefined) free.push(item);
      else next(item);
    },
    all: () => made,
  };
}
