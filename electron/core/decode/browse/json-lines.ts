import type { Lines } from './indented-lines.ts';

const isBlank = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

/**
 * Indents JSON in one pass without reading its values: numbers, escapes and duplicate names stay exactly as they came, which parsing and
 * writing again would lose. Text that is not JSON is broken at its brackets and commas, complete all the same.
 */
export function jsonLines(text: string, lines: Lines): void {
  let depth = 0;
  let current = '';
  const length = text.length;
  const skip = (from: number) => {
    let at = from;
    while (at < length && isBlank(text.charCodeAt(at))) at += 1;
    return at;
  };
  const isWord = (at: number) => at < length && !/[{}[\],:]/.test(text[at] as string);
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
    const next = skip(at);
    // Two words stay two: joined, they could form a value that was not masked anywhere.
    if (next > at && current !== '' && !current.endsWith(' ') && isWord(next)) current += ' ';
    at = next;
  }
  if (current !== '') lines.add(depth, current);
}
