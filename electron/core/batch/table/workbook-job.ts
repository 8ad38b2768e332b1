/** One sheet of so many rows, below its header. */
export const mostWorkbookRows = 200_000;
export const mostPackedBytes = 50 * 1024 * 1024;
export const mostUnpackedBytes = 500 * 1024 * 1024;

/** read: the first sheet of a workbook that is not hidden, into a table in text form (UTF-8, commas). write: the reverse. */
export interface WorkbookJob {
  does: 'read' | 'write';
  from: string;
  to: string;
  /** Rows below the header. */
  mostRows: number;
}

/**
 * notes: what a person should know of how a sheet was read. too-large: in bytes, or for the memory of the thread. too-long: in rows.
 * row-too-long: in columns, in characters of a cell, or for our own reader.
 */
export type WorkbookReport =
  | { is: 'done'; notes: string[] }
  | { is: 'no-workbook' | 'too-large' | 'too-long' | 'row-too-long' }
  | { is: 'failed'; why: string };
