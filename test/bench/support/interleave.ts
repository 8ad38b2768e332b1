/** Work to be timed; if it returns a promise, that is awaited. */
export type Work = () => unknown;

export interface InterleaveOptions {
  rounds: number;
  /** Times that a work runs within one sample, so that a sample is long enough for the clock. Default 1. */
  batch?: number;
  /** Rounds before the first that counts. Default 3. */
  warmUp?: number;
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
};

async function sample(work: Work, batch: number): Promise<number> {
  const began = performance.now();
  for (let turn = 0; turn < batch; turn += 1) {
    const given = work();
    if (given instanceof Promise) await given;
  }
  return (performance.now() - began) / batch;
}

/**
 * Times several works by turns, with the order rotated by one each round, so that other work on the machine affects all alike. Returns the
 * samples of each in milliseconds; samples with the same index are of the same round.
 */
export async function interleave<N extends string>(
  works: Record<N, Work>,
  { rounds, batch = 1, warmUp = 3 }: InterleaveOptions,
): Promise<Record<N, number[]>> {
  const names = Object.keys(works) as N[];
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<N, number[]>;
  for (let round = -warmUp; round < rounds; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(turn + round + warmUp) % names.length] as N;
      globalThis.gc?.({ type: 'minor' });
      const took = await sample(works[name], batch);
      if (round >= 0) samples[name].push(took);
    }
  }
  return samples;
}

/** Medians of two rows of samples, and the median of their ratios round by round. */
export function pair(
  ours: readonly number[],
  other: readonly number[],
): { ours: number; other: number; ratio: number } {
  return {
    ours: median(ours),
    other: median(other),
    ratio: median(ours.map((value, index) => value / (other[index] ?? Number.NaN))),
  };
}
