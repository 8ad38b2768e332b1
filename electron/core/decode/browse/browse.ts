import type { RawAnswer } from '../../../../shared/domain/call.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { type DecodeJob, decodeAnswer } from '../../soap/message/answer.ts';
import { textOf } from '../shared-text.ts';
import { createLruCache } from './lru-cache.ts';
import { findLines, layOut, type RawLines, readLines, textFrom } from './raw-lines.ts';
import type { RowView } from './row-view.ts';
import {
  type Apart,
  type ApartSummary,
  createRowPages,
  type RowPage,
  type SavedColumn,
  type SavedPiece,
  type SoapValueOf,
  takeApartJson,
  takeApartSoap,
  withoutRows,
  withUnknown,
} from './take-apart.ts';

/** What is opened: an answer to be taken apart, or a raw text to be laid out in lines. Plain data: it may cross into the worker. */
export type Source =
  | { kind: 'json'; text: RawAnswer['text']; operation: string }
  | { kind: 'soap'; job: DecodeJob }
  /** Decoded already, from a text of that length. */
  | { kind: 'value'; value: SoapValueOf; operation: string; length: number }
  | { kind: 'raw'; head: string[]; body: RawAnswer['text']; indented: boolean };

export interface Questions {
  summary: { ask: 'summary' };
  rows: { ask: 'rows'; table: number; from: number; count: number; view: RowView };
  lines: { ask: 'lines'; from: number; count: number };
  find: { ask: 'find'; text: string };
  /** Of rows or of a raw text, what goes into a file or onto the clipboard next. */
  csv: { ask: 'csv'; table: number; view: RowView; columns: readonly SavedColumn[]; from: number };
  piece: { ask: 'piece'; from: number };
}
export interface Replies {
  summary: ApartSummary;
  rows: RowPage;
  lines: ReturnType<typeof readLines>;
  find: ReturnType<typeof findLines>;
  csv: SavedPiece;
  piece: SavedPiece;
}

export type Question<Q extends keyof Questions> = Questions[Q];
export type Reply<Q extends keyof Replies> = Replies[Q];

export interface BrowseJob {
  /** Names the source. */
  key: string;
  question: Questions[keyof Questions];
  /** Absent at the first try: megabytes are not sent again while they are still open. */
  source?: Source;
}

/** undefined: it is not open, or no longer; ask again with the source. */
export type Browsed = Result<Replies[keyof Replies]> | undefined;

type Opened = { apart: Result<Apart & { pages: ReturnType<typeof createRowPages> }> } | { lines: RawLines };

const opened = (apart: Apart): Opened => ({ apart: ok({ ...apart, pages: createRowPages(apart) }) });

/** Bytes or characters of what is opened: about what is kept of it. */
function lengthOf(source: Source): number {
  switch (source.kind) {
    case 'json':
      return source.text.length;
    case 'raw':
      return source.body.length;
    case 'soap':
      return source.job.body.byteLength;
    case 'value':
      return source.length;
  }
}

function openSource(source: Source): Opened {
  switch (source.kind) {
    case 'json':
      return opened(takeApartJson(textOf(source.text), source.operation));
    case 'value':
      return opened(takeApartSoap(source.value, source.operation));
    case 'raw':
      return { lines: layOut(source.head, textOf(source.body), source.indented) };
    case 'soap': {
      const { result } = decodeAnswer(source.job);
      if (!result.ok)
        return { apart: fail({ ...result.error, charge: 'not-applicable', money: 'Nothing was asked.' }) };
      const { value, unknown, ...outcome } = result.value;
      return opened(takeApartSoap({ value: withUnknown(value, unknown), outcome }, source.job.operation));
    }
  }
}

function reply(opened: Opened, question: BrowseJob['question']): Result<Replies[keyof Replies]> {
  if ('apart' in opened) {
    if (!opened.apart.ok) return opened.apart;
    const apart = opened.apart.value;
    if (question.ask === 'csv')
      return ok(apart.pages.csv(question.table, question.view, question.columns, question.from));
    return ok(
      question.ask === 'rows'
        ? apart.pages.page(question.table, question.view, question.from, question.count)
        : withoutRows(apart),
    );
  }
  if (question.ask === 'piece') return ok(textFrom(opened.lines, question.from));
  if (question.ask === 'find') return ok(findLines(opened.lines, question.text));
  const { from, count } = question.ask === 'lines' ? question : { from: 0, count: 0 };
  return ok(readLines(opened.lines, from, count));
}

/** How many answers and raw texts stay open; others are opened again on request: one of 5 MB has a few hundred thousand lines. */
const kept = 12;
/** Characters of all of them: in rows and lines they take some three times that. */
const mostKept = 160_000_000;

/**
 * Opens what it is given once, and answers questions about it. `keep`: what was read here, opened at once, before its lists are sent away.
 * `release`: of what is opened under these names, or under one of them and a `/`, nothing is left; returns how many are still open.
 */
export function createShelf() {
  const open = createLruCache<{ opened: Opened; length: number }>(kept, { of: ({ length }) => length, most: mostKept });
  const put = (key: string, source: Source): Opened => {
    const opened = openSource(source);
    open.set(key, { opened, length: lengthOf(source) });
    return opened;
  };
  return {
    keep: (key: string, source: Source): void => void put(key, source),
    release(names: readonly string[]): number {
      for (const id of open.ids()) if (names.some((name) => id === name || id.startsWith(`${name}/`))) open.remove(id);
      return open.ids().length;
    },
    ask({ key, question, source }: BrowseJob): Browsed {
      const found = open.get(key)?.opened ?? (source && put(key, source));
      return found && reply(found, question);
    },
  };
}
