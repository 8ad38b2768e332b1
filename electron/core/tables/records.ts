import { CsvError, parse } from 'csv-parse/sync';
import type { TableProblem } from '../../../shared/domain/text/table.ts';

/** A record of a table in text form, where it begins, and what is wrong with it. */
export interface TableRecord {
  line: number;
  cells: string[];
  problem?: TableProblem;
}

export interface RecordForm {
  separator: string;
  /** Blanks before a cell are no part of it, so that a quote after one opens. */
  trim: boolean;
}

/** Bytes parsed before yielding to the main process. */
export const pieceBytes = 64 * 1024;
/** A record over more lines or bytes than this is a quote that was never closed, and rows would be lost in it. */
export const mostLines = 20;
export const mostQuotedBytes = 64 * 1024;
/** A line that is longer is none of a table. */
export const longestLine = 1024 * 1024;
/** How much is scanned again after a fault: a table full of stray quotes costs no more than this per line. */
const carefulBytes = 4 * 1024;

const cr = 13;
const lf = 10;

/** Where the first line ends, after its line end; -1: the block does not contain its end. */
function endOfLine(block: Buffer, isEnd: boolean): number {
  for (let at = 0; at < block.length; at += 1) {
    if (block[at] === lf) return at + 1;
    if (block[at] !== cr) continue;
    if (at + 1 === block.length && !isEnd) return -1;
    return block[at + 1] === lf ? at + 2 : at + 1;
  }
  return isEnd ? block.length : -1;
}

/** Line ends between two positions, counted up to `most`. */
function countLineEnds(block: Buffer, from: number, to: number, most = Number.POSITIVE_INFINITY): number {
  let count = 0;
  for (let at = from; at < to && count < most; at += 1)
    if (block[at] === lf || (block[at] === cr && block[at + 1] !== lf)) count += 1;
  return count;
}

/** The line itself, split at every separator: quotes mean nothing in it. */
const bareCells = (line: Buffer, separator: string): string[] =>
  line
    .toString()
    .replace(/[\r\n]+$/, '')
    .split(separator);

class OddQuote extends Error {}

interface Parsed {
  cells: string[];
  end: number;
}

/** What is wrong after the last complete record: a quote that is open at the block's end, or one that closed where RFC 4180 allows none. */
type Fault = 'open' | 'odd' | null;

const base = (form: RecordForm) => ({
  delimiter: form.separator,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  ltrim: form.trim,
});

function isStrict(raw: Buffer, form: RecordForm): boolean {
  try {
    parse(raw, base(form));
    return true;
  } catch {
    return false;
  }
}

/** Whether a record over several lines may be one: few lines, and its quotes close at the end of a cell. */
function isSound(cells: readonly string[], raw: Buffer, form: RecordForm): boolean {
  if (raw.length > mostQuotedBytes || countLineEnds(raw, 0, raw.length - 1, mostLines) >= mostLines) return false;
  // A quote that closes inside a cell was not this cell's: the next row's was taken for its end.
  return !cells.some((cell) => cell.startsWith('"') && /[\r\n]/.test(cell)) || isStrict(raw, form);
}

function parseBlock(block: Buffer, form: RecordForm): { parsed: Parsed[]; fault: Fault } {
  const parsed: Parsed[] = [];
  let start = 0;
  try {
    parse(block, {
      ...base(form),
      relax_quotes: true,
      on_record: (cells: string[], { bytes }) => {
        const overLines = cells.some((cell) => cell.includes('\n') || cell.includes('\r'));
        if (overLines && !isSound(cells, block.subarray(start, bytes), form)) throw new OddQuote();
        parsed.push({ cells, end: bytes });
        start = bytes;
        return null;
      },
    });
  } catch (cause) {
    if (cause instanceof OddQuote) return { parsed, fault: 'odd' };
    if (cause instanceof CsvError) return { parsed, fault: 'open' };
    throw cause;
  }
  return { parsed, fault: null };
}

/** What to do if no complete record begins a block: read more of it, or give up its line. */
function judge(block: Buffer, isLast: boolean, fault: Fault): 'more' | TableProblem {
  const hasLine = endOfLine(block, isLast) !== -1;
  if (hasLine && (isLast || fault === 'odd')) return 'quote';
  if (hasLine && fault === 'open') {
    const isTooMuch = block.length >= mostQuotedBytes || countLineEnds(block, 0, block.length, mostLines) >= mostLines;
    if (isTooMuch) return 'quote';
  }
  return block.length >= longestLine ? 'too-long' : 'more';
}

/**
 * The records of a table as UTF-8 without its byte order mark, some at a time. A quote that does not close within 20 lines or 64 kB makes
 * its line a record with a problem, as does a line over 1 MB; parsing continues at the next line, so that every line is in one record.
 */
export async function* readRecords(
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
  form: RecordForm,
): AsyncGenerator<TableRecord[]> {
  let pending: Buffer = Buffer.alloc(0);
  let line = 1;
  /** How much is parsed at once: little after a fault, more if a record does not end. */
  let span = pieceBytes;
  /** A line that is too long was given up; the rest of it is skipped. */
  let isPassing = false;

  function* take(isEnd: boolean): Generator<TableRecord[]> {
    while (pending.length > 0) {
      if (isPassing) {
        const end = endOfLine(pending, isEnd);
        pending = pending.subarray(end === -1 ? pending.length - 1 : end);
        if (end === -1) return;
        isPassing = false;
        line += 1;
        continue;
      }
      if (!isEnd && pending.length < span) return;
      const block = pending.subarray(0, span);
      const isLast = isEnd && block.length === pending.length;
      const { parsed, fault } = parseBlock(block, form);
      // A record that ends with its block may continue after it.
      if (fault === null && !isLast && parsed.at(-1)?.end === block.length) parsed.pop();
      const end = parsed.at(-1)?.end ?? 0;
      if (end > 0) {
        yield withLines(parsed, block);
        pending = pending.subarray(end);
        span = fault === null ? Math.min(span * 2, pieceBytes) : carefulBytes;
        continue;
      }
      const verdict = judge(block, isLast, fault);
      if (verdict === 'more') {
        span *= 2;
        continue;
      }
      const lineEnd = endOfLine(block, isLast);
      yield [
        { line, cells: bareCells(block.subarray(0, lineEnd === -1 ? 200 : lineEnd), form.separator), problem: verdict },
      ];
      if (lineEnd === -1) isPassing = true;
      else {
        pending = pending.subarray(lineEnd);
        line += 1;
      }
      span = carefulBytes;
    }
  }

  function withLines(parsed: readonly Parsed[], block: Buffer): TableRecord[] {
    let at = 0;
    return parsed.map(({ cells, end }) => {
      const record = { line, cells };
      line += countLineEnds(block, at, end);
      at = end;
      return record;
    });
  }

  for await (const piece of pieces) {
    pending = pending.length === 0 ? piece : Buffer.concat([pending, piece]);
    yield* take(false);
  }
  yield* take(true);
}
