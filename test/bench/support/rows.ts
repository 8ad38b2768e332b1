/** Options of every subject. `quick` means fewer rounds, for a first impression. */
export interface BenchOptions {
  quick: boolean;
}

/** One line of the table. Figures are texts with their unit. */
export interface Row {
  name: string;
  ours: string;
  other: string;
  ratio: string;
  aim: string;
  /** The figure divided by its aim: more than 1 misses the aim. Null if there is no aim. */
  reached: number | null;
}

/** The one function that a subject's file exports. */
export type Subject = (options: BenchOptions) => Promise<Row[]> | Row[];

export const milliseconds = (value: number): string =>
  Math.abs(value) < 0.01
    ? `${(value * 1000).toFixed(1)} µs`
    : `${value.toFixed(value < 1 ? 3 : value < 100 ? 2 : 0)} ms`;
export const kilobytes = (bytes: number): string => `${Math.round(bytes / 1024).toLocaleString('en-GB')} kB`;
export const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`;
export const times = (ratio: number): string => `${ratio.toFixed(2)} ×`;

/** Compares a time with another one of the same run. `atMost`: the aim for the ratio of the program's time to the other, if there is one. */
export function compareTimes(
  name: string,
  { ours, other, ratio }: { ours: number; other: number; ratio: number },
  otherName: string,
  atMost?: number,
): Row {
  return {
    name,
    ours: milliseconds(ours),
    other: `${milliseconds(other)} ${otherName}`,
    ratio: times(ratio),
    aim: atMost === undefined ? '' : `≤ ${times(atMost)}`,
    reached: atMost === undefined ? null : ratio / atMost,
  };
}

/** Compares a figure with a limit. */
export function compareWithLimit(name: string, value: number, limit: number, write: (value: number) => string): Row {
  return {
    name,
    ours: write(value),
    other: '',
    ratio: times(value / limit),
    aim: `≤ ${write(limit)}`,
    reached: value / limit,
  };
}

/** A figure without an aim. */
export const reportFigure = (name: string, ours: string, other = '', ratio = ''): Row => ({
  name,
  ours,
  other,
  ratio,
  aim: '',
  reached: null,
});
