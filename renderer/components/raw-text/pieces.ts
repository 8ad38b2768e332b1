interface Piece {
  text: string;
  kind: 'plain' | 'tag' | 'name' | 'mask' | 'found';
  at: number;
}

const tokens = /(••••[\p{L}\p{N}._-]{0,4})|(<\/?[\w:.-]+|\/?>)|("(?:[^"\\]|\\.)*"(?=\s*:))|(^[\w-]+(?=: ))/gu;

/** Cuts a line at masked secrets, tags, names and search hits; the pieces joined are the line again. */
export function cutLine(line: string, sought: string): Piece[] {
  const pieces: Piece[] = [];
  const found = sought === '' ? null : new RegExp(RegExp.escape(sought), 'giu');
  const add = (text: string, kind: Piece['kind'], at: number) => {
    if (text === '') return;
    if (!found) {
      pieces.push({ text, kind, at });
      return;
    }
    let from = 0;
    for (const match of text.matchAll(found)) {
      if (match.index > from) pieces.push({ text: text.slice(from, match.index), kind, at: at + from });
      pieces.push({ text: match[0], kind: 'found', at: at + match.index });
      from = match.index + match[0].length;
    }
    if (from < text.length) pieces.push({ text: text.slice(from), kind, at: at + from });
  };
  let from = 0;
  for (const token of line.matchAll(tokens)) {
    add(line.slice(from, token.index), 'plain', from);
    add(token[0], token[1] ? 'mask' : token[2] ? 'tag' : 'name', token.index);
    from = token.index + token[0].length;
  }
  add(line.slice(from), 'plain', from);
  return pieces;
}
