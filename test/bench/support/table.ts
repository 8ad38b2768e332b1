import type { Row } from './rows.ts';

const widths = { name: 46, ours: 24, other: 28, ratio: 9, aim: 11 } as const;

const write = ({ name, ours, other, ratio, aim }: Omit<Row, 'reached'>, verdict: string): string =>
  `  ${name.padEnd(widths.name)} ${ours.padStart(widths.ours)} ${other.padStart(widths.other)} ${ratio.padStart(widths.ratio)} ${aim.padStart(widths.aim)}  ${verdict}`.trimEnd();

export const writeHead = (): string =>
  write({ name: 'what', ours: 'ours', other: 'beside', ratio: 'ratio', aim: 'aim' }, 'met');

/** A row as a line of text; what misses its aim says so. */
export const writeRow = (row: Row): string => write(row, row.reached === null ? '' : row.reached <= 1 ? 'yes' : 'NO');
