import { type CsvColumn, csvHead, csvRow } from '../../../../shared/domain/text/csv.ts';
import { parseJsonTexts } from '../../rest/json-text.ts';
import { isEmptySearch } from '../../rest/transform.ts';
import type { Outcome } from '../../soap/message/outcome.ts';
import { maskGuids } from '../../transport/redact/service-text.ts';
import { type RowView, viewRows } from './row-view.ts';
import { cut, fieldsOf, type Listed, type Table, tablesOf } from './tables.ts';

/** An answer taken apart for the window. */
export interface Apart {
  outcome: Outcome;
  tables: Table[];
  listed: Listed;
}

/** The same without its rows, which are requested page by page. */
export interface ApartSummary {
  outcome: Outcome;
  tables: { name: string; columns: string[]; rows: number }[];
  listed: Listed;
}

/** A decoded SOAP answer as it came from the client. */
export interface SoapValueOf {
  value: unknown;
  outcome: Outcome;
}

/** For REST the masked raw text is read: it keeps each number as it was written. */
export function takeApartJson(text: string, operation: string): Apart {
  const value = readJson(text);
  return {
    outcome: { found: operation === 'Search' && isEmptySearch(value) ? 'nothing' : 'something' },
    tables: tablesOf(value, operation),
    listed: fieldsOf(value),
  };
}

/** A decoded SOAP answer as tables, and as fields with their paths. */
export function takeApartSoap({ value, outcome }: SoapValueOf, operation: string): Apart {
  return { outcome, tables: tablesOf(value, nameOfResult(operation, value)), listed: fieldsOf(value) };
}

function readJson(text: string): unknown {
  try {
    return parseJsonTexts(text);
  } catch {
    // Masking may have left text that is no longer JSON; the raw view shows it.
    return text;
  }
}

const nameOfResult = (operation: string, value: unknown): string => (typeof value === 'object' ? operation : 'Answer');

/**
 * Elements that no definition knows are placed beside the record's own, where a person would look for them; one that came before under its
 * name is the first of them.
 */
export function withUnknown(value: unknown, unknown: readonly { path: string; value: unknown }[]): unknown {
  if (unknown.length === 0 || typeof value !== 'object' || value === null) return value;
  const members = new Map<string, unknown>(Object.entries(value));
  for (const one of unknown) {
    let path = one.path;
    for (let nth = 1; members.has(path); nth += 1) path = `${one.path}[${nth}]`;
    members.set(path, one.value);
  }
  return Object.fromEntries(members);
}

/** The same with the number of rows in place of the rows, which stay where the answer is. */
export const withoutRows = ({ outcome, tables, listed }: Apart): ApartSummary => ({
  outcome,
  tables: tables.map(({ name, columns, rows }) => ({ name, columns, rows: rows.length })),
  listed,
});

/** Characters of one page of rows: a few hundred rows of an address, whole. */
const mostOfPage = 1_000_000;
const longestCell = 5000;
const shortestCell = 40;

/** A column of a file: by its position, or the number of the row among all as they came. */
export interface SavedColumn {
  at: number | null;
  head: string;
}

/** A part of what goes into a file; all of it is there once `next` is `total`. */
export interface SavedPiece {
  text: string;
  next: number;
  total: number;
}

export interface RowPage {
  rows: (string | null)[][];
  /** For each row, its position among all as they came. */
  places: number[];
  /** Rows of the view. */
  total: number;
}

/** Characters of rows written for a file in one go. */
const mostOfPiece = 500_000;

/** Pages of an answer's tables, each in the requested order and filter; the last view is kept while it is paged through. */
export function createRowPages({ tables }: Apart) {
  let last: { name: string; places: Uint32Array } | undefined;
  const placesOf = (tableAt: number, table: Table, view: RowView): Uint32Array => {
    const name = JSON.stringify([tableAt, view]);
    if (last?.name !== name) last = { name, places: viewRows(table, view) };
    return last.places;
  };
  return {
    page(tableAt: number, view: RowView, from: number, count: number): RowPage {
      const table = tables[tableAt];
      if (!table) return { rows: [], places: [], total: 0 };
      const all = placesOf(tableAt, table, view);
      const places = [...all.subarray(from, from + count)];
      return { rows: cutCells(places.map((place) => table.rows[place] ?? [])), places, total: all.length };
    },
    /** Rows for a file from a given one on, cells whole; GUIDs masked by their form, as in every export. */
    csv(tableAt: number, view: RowView, columns: readonly SavedColumn[], from: number): SavedPiece {
      const table = tables[tableAt];
      if (!table) return { text: '', next: 0, total: 0 };
      const places = placesOf(tableAt, table, view);
      const heads = columns.map(({ head }): CsvColumn => ({ head, kind: 'identifier' }));
      let text = from === 0 ? csvHead(heads) : '';
      let next = from;
      while (next < places.length && text.length < mostOfPiece) {
        const place = places[next] ?? 0;
        const row = table.rows[place] ?? [];
        text += csvRow(
          columns.map(({ at }) => (at === null ? place + 1 : (row[at] ?? null))),
          heads,
        );
        next += 1;
      }
      return { text: maskGuids(text), next, total: places.length };
    },
  };
}

/** Cells too long to draw are cut, and more of each if the page would be too much; a file and the raw text have them whole. */
function cutCells(rows: readonly (string | null)[][]): (string | null)[][] {
  let length = 0;
  for (const row of rows) for (const cell of row) length += Math.min(longestCell, cell?.length ?? 0);
  const cells = rows.length * (rows[0]?.length ?? 1);
  const most = length <= mostOfPage ? longestCell : Math.max(shortestCell, Math.floor(mostOfPage / Math.max(1, cells)));
  return rows.map((row) => row.map((cell) => (cell === null ? null : cut(cell, most))));
}
