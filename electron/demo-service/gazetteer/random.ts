/**
 * A seeded stream of numbers (mulberry32). It uses integer arithmetic only, so every platform draws the same numbers.
 * Math.random cannot be seeded, and tests and documentation need a demo that is the same at every start.
 */
export interface Random {
  /** A number from 0 up to but not including 1. */
  next(): number;
  /** A whole number from 0 up to but not including `bound`. */
  below(bound: number): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  /** True with the given probability. */
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
}

/** The stream numbered `stream` of a seed. Drawing from one stream does not change another. */
export function createRandom(seed: number, stream: number): Random {
  // Bit operations use 32 bits only, so the upper part of a large seed is mixed into the lower.
  const folded = (seed ^ Math.imul(Math.floor(seed / 4294967296), 0x27d4eb2f)) | 0;
  let state = Math.imul(folded ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(stream + 1, 0xc2b2ae35);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  return {
    next,
    below,
    between: (low, high) => low + below(high - low + 1),
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new RangeError('pick needs a list with something in it');
      return item;
    },
  };
}
