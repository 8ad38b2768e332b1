import type { ResultColumn, RowResult, TableFormat } from '../batch.ts';

// What is known of a table that a person opened, and how its rows are parsed: for the window, the command line and main.

/** Rows and columns that a sheet of a spreadsheet has. A table may have as many rows at most. */
export const mostRows = 1_048_576;
export const mostColumns = 16_384;

export type TableEncoding = TableFormat['encoding'];

/** The likelier first. */
export const tableSeparators = [',', ';', '\t', '|'] as const;
export type TableSeparator = (typeof tableSeparators)[number];

/** A first line by which spreadsheets are told the separator, with the separator it names. */
export const separatorLine = /^"?sep=(.)"?[,;\t| ]*(?:\r\n|\r|\n)/i;

export type LineEnd = '\r\n' | '\n' | '\r';

/**
 * How a table is read. As recognised, then as changed by a person. A workbook has no encoding and no separator of its own: UTF-8, commas.
 */
export interface TableForm {
  kind: 'text' | 'workbook';
  encoding: TableEncoding;
  byteOrderMark: boolean;
  separator: TableSeparator;
  lineEnd: LineEnd;
  /** Whether the first line has the names of the columns; the second where `separatorLine` is set. */
  header: boolean;
  /** The first line says only which separator follows (`sep=;`), as spreadsheets have it: it is no row. */
  separatorLine?: true;
  /** Whether blanks before a quote are dropped: "a", "b". */
  blanksBeforeQuotes: boolean;
  /** Set for the result file of a batch, whose columns say which rows are done. */
  result?: ResultShape;
}

/** The columns of a result file: the input's, then those that the batch added. */
export interface ResultShape {
  /** How many columns are the input's. */
  given: number;
  /** By the column's name. */
  added: Partial<Record<ResultColumn, number>>;
}

/** One row as it was read. `problem`: an unclosed quote, or an absurdly long line; its cells are then the bare line's. */
export interface TableRow {
  /** Of the rows below the header, from 1. */
  row: number;
  /** Of the file, from 1: where it begins. */
  line: number;
  cells: string[];
  problem?: TableProblem;
  /** For a result file, unless the row was changed since: what its columns say. */
  earlier?: Partial<Record<ResultColumn, string>>;
}

export type TableProblem = 'quote' | 'too-long';

/** The parts of a row that are asked for; a part not given is empty. */
export interface GivenAddress {
  organisation: string;
  /** Flat, building, number, street and locality as given, separated by ", ". */
  premise: string;
  town: string;
  /** Upper case, one space. */
  postcode: string;
}

/** Why a row cannot be asked for: stable, written into result files as `malformed-…`. */
export type RowProblem =
  | TableProblem
  | 'empty'
  | 'cells'
  | 'postcode'
  | 'no-postcode'
  | 'no-premise'
  | 'no-town'
  | 'no-organisation'
  | 'number-date'
  | 'identifier'
  | 'identifier-number';

/** `text`: what is asked for, in one line; of a row that cannot be asked for, the row as given. */
export type UnderstoodRow =
  | { ok: true; kind: 'addresses' | 'organisations' | 'postcodes'; given: GivenAddress; text: string }
  | { ok: true; kind: 'premise-ids' | 'udprns'; id: string; text: string }
  | { ok: false; problem: RowProblem; text: string };

/** What matching says of a row that was asked. */
export type MatchResult = Exclude<RowResult, 'not-asked'>;

/** Why: stable, written into result files. */
export type MatchReason =
  | 'exact'
  | 'differs-organisation'
  | 'differs-street'
  | 'differs-number'
  | 'differs-town'
  | 'differs-words'
  | 'differs-order'
  | 'name-not-whole'
  | 'premise-not-given'
  | 'several-flats'
  | 'several-premises'
  | 'flat-not-given'
  | 'flat-not-known'
  | 'not-found-number'
  | 'not-found-flat'
  | 'not-found-po-box'
  | 'not-found-premise'
  | 'none';
