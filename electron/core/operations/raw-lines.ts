/** One raw text in lines: `ends` says for a line which one closes what it opens, −1 where it opens nothing. */
export interface RawLines {
  texts: string[];
  ends: Int32Array;
  /** Lines that go on in the next one: they were only cut because they are long. */
  cut: ReadonlySet<number>;
  /** Places where a secret is masked. */
  masked: number;
}

const step = '  ';
/** A line is drawn as one piece: a longer one would hold the window up. */
const longestLine = 1000;

class Lines {
  readonly texts: string[] = [];
  readonly pairs: [number, number][] = [];
  private readonly open: number[] = [];
  private readonly margins: string[] = [''];

  add(depth: number, text: string): number {
    let margin = this.margins[depth];
    if (margin === undefined) {
      margin = step.repeat(depth);
      this.margins[depth] = margin;
    }
    this.texts.push(margin + text);
    return this.texts.length - 1;
  }
  opened(line: number): void {
    this.open.push(line);
  }
  closed(line: number): void {
    const from = this.open.pop();
    if (from !== undefined && line > from) this.pairs.push([from, line]);
  }
}

const isBlank = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

/**
 * Indents JSON in one pass without reading its values: numbers, escapes and doubled names stay exactly as they came, which parsing and
 * writing again would lose. Text that is none comes out broken at its brackets and commas, whole all the same.
 */
function jsonLines(text: string, lines: Lines): void {
  let depth = 0;
  let current = '';
  const length = text.length;
  const skip = (from: number) => {
    let at = from;
    while (at < length && isBlank(text.charCodeAt(at))) at += 1;
    return at;
  };
  let at = skip(0);
  while (at < length) {
    const character = text[at] as string;
    if (character === '"') {
      let end = at + 1;
      while (end < length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
      current += text.slice(at, end + 1);
      at = end + 1;
    } else if (character === '{' || character === '[') {
      const next = skip(at + 1);
      const closing = character === '{' ? '}' : ']';
      if (text[next] === closing) {
        current += character + closing;
        at = next + 1;
      } else {
        lines.opened(lines.add(depth, current + character));
        current = '';
        depth += 1;
        at = next;
      }
    } else if (character === '}' || character === ']') {
      if (current !== '') lines.add(depth, current);
      depth = Math.max(0, depth - 1);
      current = character;
      const next = skip(at + 1);
      const comma = text[next] === ',';
      lines.closed(lines.add(depth, comma ? `${character},` : character));
      current = '';
      at = comma ? next + 1 : at + 1;
    } else if (character === ',') {
      lines.add(depth, `${current},`);
      current = '';
      at += 1;
    } else if (character === ':') {
      current += ': ';
      at += 1;
    } else {
      let end = at;
      while (end < length && !/[\s{}[\],:"]/.test(text[end] as string)) end += 1;
      current += text.slice(at, Math.max(end, at + 1));
      at = Math.max(end, at + 1);
    }
    at = skip(at);
  }
  if (current !== '') lines.add(depth, current);
}

/** Indents XML by its tags in one pass. An element that holds text alone stays on one line, and the text is not touched. */
function xmlLines(text: string, lines: Lines): void {
  let depth = 0;
  let at = 0;
  const length = text.length;
  const endOf = (mark: string, from: number) => {
    const found = text.indexOf(mark, from);
    return found < 0 ? length : found + mark.length;
  };
  while (at < length) {
    if (text[at] !== '<') {
      const next = text.indexOf('<', at);
      const end = next < 0 ? length : next;
      const words = text.slice(at, end);
      if (words.trim() !== '') for (const part of words.trim().split('\n')) lines.add(depth, part);
      at = end;
      continue;
    }
    if (text.startsWith('<!--', at) || text.startsWith('<![CDATA[', at)) {
      const end = endOf(text.startsWith('<!--', at) ? '-->' : ']]>', at);
      for (const part of text.slice(at, end).split('\n')) lines.add(depth, part);
      at = end;
      continue;
    }
    const end = endOf('>', at);
    const tag = text.slice(at, end);
    if (tag.startsWith('</')) {
      depth = Math.max(0, depth - 1);
      lines.closed(lines.add(depth, tag));
      at = end;
    } else if (tag.startsWith('<?') || tag.startsWith('<!') || tag.endsWith('/>')) {
      lines.add(depth, tag);
      at = end;
    } else {
      const next = text.indexOf('<', end);
      const name = /^<([^\s/>]+)/.exec(tag)?.[1] ?? '';
      if (next >= 0 && text.startsWith(`</${name}`, next)) {
        const close = endOf('>', next);
        const parts = text.slice(at, close).split('\n');
        for (const part of parts) lines.add(depth, part);
        at = close;
      } else {
        lines.opened(lines.add(depth, tag));
        depth += 1;
        at = end;
      }
    }
  }
}

const mask = /••••/g;

/** A head (status or request line and headers) and a body as lines; the body indented where it is JSON or XML and that is wished. */
export function layOut(head: readonly string[], body: string, indented: boolean): RawLines {
  const lines = new Lines();
  for (const text of head) lines.add(0, text);
  const start = body.trimStart();
  const first = start[0];
  if (indented && (first === '{' || first === '[')) jsonLines(body, lines);
  else if (indented && first === '<' && !/^<!doctype html|^<html/i.test(start.slice(0, 20))) xmlLines(body, lines);
  else for (const text of body === '' ? [] : body.split(/\r?\n/)) lines.add(0, text);
  return cutLong(lines);
}

/** Cuts lines that are too long to draw into several, and moves the folds along. */
function cutLong({ texts, pairs }: Lines): RawLines {
  const out: string[] = [];
  const cut = new Set<number>();
  const moved = new Int32Array(texts.length);
  let masked = 0;
  texts.forEach((text, index) => {
    moved[index] = out.length;
    if (text.includes('••••')) masked += text.match(mask)?.length ?? 0;
    for (let from = 0; from === 0 || from < text.length; ) {
      let to = Math.min(text.length, from + longestLine);
      // Never between the two halves of one character.
      if (to < text.length && (text.charCodeAt(to) & 0xfc00) === 0xdc00) to -= 1;
      if (to < text.length) cut.add(out.length);
      out.push(from === 0 && to === text.length ? text : text.slice(from, to));
      from = Math.max(to, from + 1);
    }
  });
  const ends = new Int32Array(out.length).fill(-1);
  for (const [from, to] of pairs) ends[moved[from] ?? 0] = moved[to] ?? -1;
  return { texts: out, ends, cut, masked };
}

const mostFound = 5000;

/** Numbers of the lines that hold a text, in any letter case; also where a cut goes through it. */
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
