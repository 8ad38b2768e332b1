/** The service's own time in milliseconds since 1970: the computer's, or a fixed start that tests move forward. */
export interface Clock {
  now(): number;
  advance(milliseconds: number): void;
}

/** A clock that stands still at the given ISO 8601 time, or the computer's for ''. `advance` moves either forward. */
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

/** In milliseconds. */
export const day = 86_400_000;
