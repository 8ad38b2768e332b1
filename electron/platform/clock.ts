/** Time is injected, so that days can pass in a test. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** ISO 8601 in UTC, as stored everywhere. */
export const isoNow = (clock: Clock): string => new Date(clock.now()).toISOString();
