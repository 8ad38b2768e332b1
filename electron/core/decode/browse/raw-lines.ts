import { Lines } from './indented-lines.ts';
import { jsonLines } from './json-lines.ts';
import type { SavedPiece } from './take-apart.ts';
import { xmlLines } from './xml-lines.ts';

/** One raw text in lines: `ends` gives for a line the one that closes what it opens, −1 if it opens nothing. */
export interface RawLines {
  texts: string[];
  /** Lines before the body. */
  head: number;
  ends: Int32Array;
  /** Lines that continue in the next one: they were cut only because they are long. */
  cut: ReadonlySet<number>;
  /** Places where a secret is masked. */
  masked: number;
}

/** A line is drawn as one piece: a longer one would block the window. */
const longestLine = 1000;

const mask = /••••/g;

/**
 * A head (status or request line and headers) and a body as lines; the body is indented if it is JSON or XML and indenting is asked for.
 */
export function layOut(head: readonly string[], body: string, indented: boolean): RawLines {
  const lines = new Lines();
  for (const text of head) lines.add(0, text);
  const before = lines.texts.length;
  const start = body.trimStart();
  const first = start[0];
  if (indented && (first === '{' || first === '[')) jsonLines(body, lines);
  else if (indented && first === '<' && !/^<!doctype html|^<html/i.test(start.slice(0, 20))) xmlLines(body, lines);
  else for (const text of body === '' ? [] : body.split(/\r?\n/)) lines.add(0, text);
  return cutLong(lines, before);
}

/** Cuts lines that are too long to draw into several, and moves the folds accordingly. */
function cutLong({ texts, pairs }: Lines, before: number): RawLines {
  const out: string[] = [];
  const cut = new Set<number>();
  const moved = new Int32Array(texts.length);
  let masked = 0;
  texts.forEach((text, index) => {
    moved[index] = out.length;
    if (text.includes('••••')) masked += text.match(mask)?.length ?? 0;
    for (let from = 0; from === 0 || from < text.length; ) {
      let to = Math.min(text.length, from + longestLine);
      // Never between the two halves of a surrogate pair.
      if (to < text.length && (text.charCodeAt(to) & 0xfc00) === 0xdc00) to -= 1;
      if (to < text.length) cut.add(out.length);
      out.push(from === 0 && to === text.length ? text : text.slice(from, to));
      from = Math.max(to, from + 1);
    }
  });
  const ends = new Int32Array(out.length).fill(-1);
  for (const [from, to] of pairs) ends[moved[from] ?? 0] = moved[to] ?? -1;
  return { texts: out, head: moved[before] ?? out.length, ends, cut, masked };
}

/** Lines from a given one on, each with the line that closes what it opens. */
export function readLines({ texts, head, ends, masked }: RawLines, from: number, count: number) {
  return {
    total: texts.length,
    head,
    masked,
    lines: texts.slice(from, from + count).map((text, index) => {
      const end = ends[from + index] ?? -1;
      return { text, end: end < 0 ? null : end };
    }),
  };
}

/** Characters of lines put into a file, or onto the clipboard, in one go. */
const mostOfPiece = 1_000_000;

/** The text from a line on, with long lines uncut, as much as is written in one go: about a million characters. */
export function textFrom({ texts, cut }: RawLines, from: number): SavedPiece {
  const parts: string[] = [];
  let length = 0;
  let next = from;
  while (next < texts.length && length < mostOfPiece) {
    const text = texts[next] ?? '';
    parts.push(cut.has(next) ? text : `${text}\n`);
    length += text.length;
    next += 1;
  }
  return { text: parts.join(''), next, total: texts.length };
}

const mostFound = 5000;

/** Numbers of the lines that contain a text, ignoring case, also with a cut in between; the first 5,000, and whether there are `more`. */
export function findLines({ texts, cut }: RawLines, sought: string): { lines: number[]; more: boolean } {
  const wanted = sought.toLowerCase();
  const lines: number[] = [];
  for (let index = 0; index < texts.length; index += 1) {
    const text = texts[index] ?? '';
    const across = cut.has(index) ? text + (texts[index + 1] ?? '').slice(0, wanted.length - 1) : text;
    if (!across.toLowerCase().includes(wanted)) continue;
    if (lines.length >= mostFound) return { lines, more: true };
    lines.push(index);
  }
  return { lines, more: false };
}
