/** The service's own time: the computer's, or a fixed start, moved on by tests. Milliseconds since 1970. */
export interface Clock {
  now(): number;
  advance(milliseconds: number): void;
}

/** A clock that starts at the given ISO 8601 time and stands still but for `advance`, or follows the computer's. */
export function createClock(fixed: string): Clock {
  const start = fixed === '' ? undefined : Date.parse(fixed);
  let shift = 0;
  return {
    now: () => (start ?? Date.now()) + shift,
    advance: (milliseconds) => {
      shift += milliseconds;
    },
  };
}

export const day = 86_400_000;
