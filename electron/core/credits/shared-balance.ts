import type { BalanceReading } from '../../../shared/domain/credits.ts';

/** Readings looked at: enough to see keys take turns several times. */
export const readingsLookedAt = 200;

export type SpentBetween = (from: string, to: string) => number;

/**
 * Whether two keys draw on one balance, by what was read. Pure; `readings` of one source, newest first. Neighbouring readings of
 * different keys are compared, with what this console spent between them taken off: keys of one balance agree to the credit, again
 * and again, unless others spend at that moment. They share where at least half of the last twenty such pairs agree, or the newest.
 * Undefined: no two keys were read, so nothing is known and nothing is assumed.
 */
export function findSharing(readings: readonly BalanceReading[], spentBetween: SpentBetween): boolean | undefined {
  const pairs: boolean[] = [];
  for (const [index, later] of readings.entries()) {
    const earlier = readings[index + 1];
    if (!earlier || pairs.length >= 20) break;
    if (earlier.keyLastFour === later.keyLastFour && earlier.label === later.label) continue;
    if (earlier.credits === null || later.credits === null) continue;
    pairs.push(earlier.credits - spentBetween(earlier.at, later.at) === later.credits);
  }
  if (pairs.length === 0) return undefined;
  return pairs[0] === true || pairs.filter(Boolean).length * 2 >= pairs.length;
}
