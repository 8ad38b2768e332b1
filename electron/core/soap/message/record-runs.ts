import { randomUUID } from 'node:crypto';
import { type RecordName, records } from '../../../../shared/catalogue/records.ts';
import type { RecordDef } from '../../../../shared/catalogue/types.ts';
import { answerLimits } from '../xml/guard.ts';
import type { FoldedRecord, UnknownElement } from './fold.ts';
import { learnPattern, type RecordPattern } from './record-pattern.ts';

/**
 * Long lists without a tree. A list of ten thousand records is one record ten thousand times: its pattern is learnt from the first one and
 * matched against each of the others by the engine's own matcher, a few milliseconds for ten megabytes. Adjacent records that match form a
 * run. A run is taken out of the text and replaced by one record that carries a mark nobody can guess. What is left, the frame, is an
 * ordinary answer and is parsed like any other, by fast-xml-parser: whether it is well formed, what it is the answer to, whose namespace it
 * is in, what it says of itself, and all records that are written differently. Each run then goes where its mark came out as a record. So
 * only the reading of a plain record is done in two ways, and a property test checks that both give the same result. If a mark did not come
 * out (it was inside something other than the list), or the frame is an error, the whole text is parsed as it is. Why this is equivalent: a
 * run consists of whole elements of one name and level, as its mark does, with fields that the definition knows, each once, of its type,
 * without elements in them. No comment, CDATA section or instruction begins in one, since it contains no `<` except those of its tags; if a
 * run is inside one, so is its mark, which then does not come out. The first two records stay in the frame, so that what is judged by the
 * first record, or by there being only one, is judged by them.
 */
export interface RecordRuns {
  frame: string;
  /** The runs need no search for fields that carry secrets, by tag or inside a text. */
  isPlain: boolean;
  /** Records of all runs. */
  count: number;
  /** Undefined: a mark did not come out. */
  putBack(list: readonly FoldedRecord[], unknown: readonly UnknownElement[]): Whole | undefined;
}

/** Records that are decoded when they are asked for. */
export interface LongList {
  length: number;
  slice(from: number, to: number): FoldedRecord[];
}

interface Whole {
  list: LongList;
  unknown: UnknownElement[];
}

/** Positions of records in the text: where each of a run begins, one run after the other. */
interface Found {
  starts: Uint32Array;
  count: number;
  runs: { from: number; to: number; first: number; count: number }[];
}

/** Records unlike the first, after which it is not worth continuing if they are the majority. */
const mostStrange = 1000;
const inFrame = 2;

function findRuns(text: string, { whole, begins }: RecordPattern): Found | undefined {
  let starts = new Uint32Array(4096);
  const runs: Found['runs'] = [];
  let count = 0;
  let strange = 0;
  let at = text.indexOf(begins);
  for (let index = 0; index < inFrame; index += 1) {
    whole.lastIndex = at;
    if (at === -1 || !whole.test(text)) return undefined;
    at = whole.lastIndex;
  }
  while (at !== -1) {
    const first = count;
    let to = at;
    whole.lastIndex = at;
    while (whole.test(text)) {
      if (count === starts.length) {
        const longer = new Uint32Array(2 * count);
        longer.set(starts);
        starts = longer;
      }
      starts[count] = to;
      count += 1;
      to = whole.lastIndex;
    }
    if (count > first) runs.push({ from: at, to, first, count: count - first });
    else strange += 1;
    if (strange > mostStrange && strange > count) return undefined;
    at = text.indexOf(begins, count > first ? to : at + 1);
  }
  return { starts, count, runs };
}

/** Takes the runs out of an answer. null: it is parsed as it is. */
export function takeOutRuns(name: RecordName, text: string): RecordRuns | null {
  const child = (records[name] as RecordDef).listOf as RecordName | undefined;
  if (child === undefined || text.length > answerLimits.length) return null;
  const pattern = learnPattern(child, text);
  const found = pattern && findRuns(text, pattern);
  if (!found || found.count === 0) return null;
  const mark = randomUUID();
  let frame = '';
  let from = 0;
  for (const [index, run] of found.runs.entries()) {
    frame += text.slice(from, run.from) + pattern.write(`${mark} ${index}`);
    from = run.to;
  }
  frame += text.slice(from);
  if (frame.length > text.length / 2) return null;
  return {
    frame,
    isPlain: pattern.isPlain,
    count: found.count,
    putBack: (list, unknown) => putBack(text, pattern, found, mark, list, unknown),
  };
}

/** The frame's list with each run in place of its mark. Undefined: a mark is missing, or is where the frame was judged by it. */
function putBack(
  text: string,
  pattern: RecordPattern,
  { starts, runs }: Found,
  mark: string,
  list: readonly FoldedRecord[],
  unknown: readonly UnknownElement[],
): Whole | undefined {
  const pieces: Piece[] = [];
  const moved: number[] = [];
  let next = 0;
  let length = 0;
  for (const [index, record] of list.entries()) {
    moved.push(length);
    const run = runs[next];
    if (run === undefined || pattern.textOf(record) !== `${mark} ${next}`) {
      pieces.push({ from: length, count: 1, read: () => record });
      length += 1;
    } else {
      if (index < inFrame) return undefined;
      next += 1;
      const read = (place: number) => pattern.read(text, starts[run.first + place] ?? 0);
      pieces.push({ from: length, count: run.count, read });
      length += run.count;
    }
  }
  if (next !== runs.length) return undefined;
  return {
    list: { length, slice: (from, to) => sliceOf(pieces, from, to) },
    unknown: unknown.map(({ path, value }) => ({
      path: path.replace(/^List\[(\d+)\]/, (_all, index: string) => `List[${moved[Number(index)] ?? index}]`),
      value,
    })),
  };
}

interface Piece {
  from: number;
  count: number;
  read(place: number): FoldedRecord;
}

function sliceOf(pieces: readonly Piece[], from: number, to: number): FoldedRecord[] {
  const slice: FoldedRecord[] = [];
  for (const piece of pieces) {
    const end = Math.min(to, piece.from + piece.count);
    for (let index = Math.max(from, piece.from); index < end; index += 1) slice.push(piece.read(index - piece.from));
  }
  return slice;
}

const longLists = new WeakMap<object, LongList>();

/** Attaches a list to its record; its members are decoded when they are first read. */
export function giveList(record: FoldedRecord, list: LongList): void {
  longLists.set(record, list);
  Object.defineProperty(record, 'List', {
    enumerable: true,
    configurable: true,
    get() {
      const value = list.slice(0, list.length);
      Object.defineProperty(record, 'List', { value, enumerable: true, configurable: true, writable: true });
      return value;
    },
  });
}

/** The list of an answer that was read by runs, to be processed piece by piece. */
export const longListOf = (value: unknown): LongList | undefined =>
  typeof value === 'object' && value !== null ? longLists.get(value) : undefined;
