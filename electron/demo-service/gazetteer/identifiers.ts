import { createRandom } from './random.ts';

/**
 * Identifiers that look random yet never repeat: a linear function of the position modulo a prime that is larger than the count.
 * All products stay below 2^53 up to the limit of two million premises.
 */
const halfPrime = 49_999_991;
const fullPrime = 99_999_989;

const pad = (value: number, digits: number): string => String(value).padStart(digits, '0');

function makeScramble(seed: number, stream: number, prime: number): (position: number) => number {
  const random = createRandom(seed, stream);
  const factor = random.between(1_000_003, prime - 1);
  const offset = random.below(prime);
  return (position) => (factor * position + offset) % prime;
}

export interface IdentifierMaker {
  premiseId(position: number): string;
  udprn(position: number): string;
  /** `authority` is the town's index in its list; it begins the UPRN, as real UPRNs begin with the number of their authority. */
  uprn(position: number, authority: number): string;
  thoroughfareId(position: number): string;
}

/** Premise ids are even and UDPRNs odd, so that a client which confuses them never finds a premise by luck. */
export function createIdentifierMaker(seed: number): IdentifierMaker {
  const premise = makeScramble(seed, 1_000_001, halfPrime);
  const delivery = makeScramble(seed, 1_000_002, halfPrime);
  const property = makeScramble(seed, 1_000_003, fullPrime);
  const street = makeScramble(seed, 1_000_004, fullPrime);
  return {
    premiseId: (position) => pad(2 * premise(position), 8),
    udprn: (position) => pad(2 * delivery(position) + 1, 8),
    uprn: (position, authority) =>
      (authority % 2 === 0 ? `00${71 + (authority % 20)}` : `0${701 + (authority % 200)}`) + pad(property(position), 8),
    thoroughfareId: (position) => pad(street(position), 8),
  };
}
