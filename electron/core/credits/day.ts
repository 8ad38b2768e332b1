import type { Clock } from '../../platform/clock.ts';

/** Midnight at which the user's day began, in this computer's zone, as ISO 8601 in UTC. Days of 23 or 25 hours are days. */
export function startOfToday(clock: Clock): string {
  const midnight = new Date(clock.now());
  midnight.setHours(0, 0, 0, 0);
  return midnight.toISOString();
}
