import { fail, ok, type Result } from '../../../../shared/result.ts';
import { type DecodeJob, decodeAnswer } from '../../soap/message/answer.ts';
import { findLines, layOut, type RawLines, readLines, wholeText } from './raw-lines.ts';
import { createRecent } from './recent.ts';
import type { RowView } from './row-view.ts';
import {
  type Apart,
  type ApartSummary,
  createRowPages,
  type RowPage,
  type SoapValueOf,
  takeApartJson,
  takeApartSoap,
  withoutRows,
  withUnknown,
} from './take-apart.ts';

/** What is opened: an answer to be taken apart, or a raw text to be laid out in lines. Plain data: it may cross into the worker. */
export type Source =
  | { kind: 'json'; text: string; operation: string }
  | { kind: 'soap'; job: DecodeJob }
  /** Decoded already. */
  | { kind: 'value'; value: SoapValueOf; operation: string }
  | { kind: 'raw'; head: string[]; body: string; indented: boolean };

export interface Questions {
  summary: { ask: 'summary' };
  rows: { ask: 'rows'; table: number; from: number; count: number; view: RowView };
  lines: { ask: 'lines'; from: number; count: number };
  find: { ask: 'find'; text: string };
  text: { ask: 'text' };
}
export interface Replies {
  summary: ApartSummary;
  rows: RowPage;
  lines: ReturnType<typeof readLines>;
  find: ReturnType<typeof findLines>;
  text: string;
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

function openSource(source: Source): Opened {
  switch (source.kind) {
    case 'json':
      return opened(takeApartJson(source.text, source.operation));
    case 'value':
      return opened(takeApartSoap(source.value, source.operation));
    case 'raw':
      return { lines: layOut(source.head, source.body, source.indented) };
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
    return ok(
      question.ask === 'rows'
        ? apart.pages(question.table, question.view, question.from, question.count)
        : withoutRows(apart),
    );
  }
  if (question.ask === 'lines') return ok(readLines(opened.lines, question.from, question.count));
  return ok(question.ask === 'find' ? findLines(opened.lines, question.text) : wholeText(opened.lines));
}

/** How many answers and raw texts stay open: one of 5 MB has a few hundred thousand lines. */
const kept = 12;

/**
 * Opens what it is given once, and answers questions about it. `keep`: what was read here, opened at once, before its lists are sent away.
 */
export function createShelf() {
  const open = createRecent<Opened>(kept);
  return {
    keep: (key: string, source: Source): void => open.set(key, openSource(source)),
    ask({ key, question, source }: BrowseJob): Browsed {
      let found = open.get(key);
      if (!found) {
        if (!source) return undefined;
        found = openSource(source);
        open.set(key, found);
      }
      return reply(found, question);
    },
  };
}
