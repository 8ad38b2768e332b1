import type { Lines } from './indented-lines.ts';

/** Indents XML by its tags in one pass. An element that holds only text stays on one line, and the text is not touched. */
export function xmlLines(text: string, lines: Lines): void {
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
