/** What every subject is told. `quick`: fewer rounds, for a look rather than a record. */
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
  /** How much of its aim it takes: 1 is the aim itself, more misses it. Null: nothing is aimed at. */
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

/** A time held against another's of the same run. `atMost`: the highest ratio ours to other that meets the aim; none: no aim. */
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

/** A figure held against a limit. */
export function holdAgainst(name: string, value: number, limit: number, write: (value: number) => string): Row {
  return {
    name,
    ours: write(value),
    other: '',
    ratio: times(value / limit),
    aim: `≤ ${write(limit)}`,
    reached: value / limit,
  };
}

/** A figure that nothing is aimed at. */
export const reportFigure = (name: string, ours: string, other = '', ratio = ''): Row => ({
  name,
  ours,
  other,
  ratio,
  aim: '',
  reached: null,
});
