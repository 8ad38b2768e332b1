export interface Piece {
  text: string;
  /** Number of the match, from 0; null: the text between matches. */
  match: number | null;
  /** A masked secret. */
  masked: boolean;
  /** Position in the text. */
  at: number;
}

const mask = /••••[\p{L}\p{N}._-]{0,4}/gu;
const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Most matches marked at once; more are counted no further, and the count says so. */
export const mostMatches = 1000;

/** Cuts a text at what is looked for (any case) and at masked secrets, in order and without loss. */
export function findInText(text: string, sought: string): { pieces: Piece[]; matches: number } {
  const spans: { from: number; to: number; masked: boolean }[] = [];
  if (sought !== '') {
    for (const found of text.matchAll(new RegExp(escapePattern(sought), 'giu'))) {
      spans.push({ from: found.index, to: found.index + found[0].length, masked: false });
      if (spans.length >= mostMatches) break;
    }
  }
  const matches = spans.length;
  let masks = 0;
  let before = 0;
  for (const found of text.matchAll(mask)) {
    masks += 1;
    if (masks > mostMatches) break;
    const from = found.index;
    const to = from + found[0].length;
    // A match over a mask is the more useful of the two.
    while (before < matches && (spans[before]?.to ?? 0) <= from) before += 1;
    if ((spans[before]?.from ?? to) >= to || before >= matches) spans.push({ from, to, masked: true });
  }
  spans.sort((a, b) => a.from - b.from);

  const pieces: Piece[] = [];
  let at = 0;
  let match = 0;
  for (const span of spans) {
    if (span.from > at) pieces.push({ text: text.slice(at, span.from), match: null, masked: false, at });
    const own = text.slice(span.from, span.to);
    pieces.push({ text: own, match: span.masked ? null : match++, masked: span.masked, at: span.from });
    at = span.to;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), match: null, masked: false, at });
  return { pieces, matches };
}
