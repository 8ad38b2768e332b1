import type { Condition } from '../gazetteer/conditions.ts';
import { findSearchField, searchFieldNames } from './search-fields.ts';

/**
 * The grammar of sSearchExpression. Nothing about it is published, so it is the demo service's invention.
 *
 *   expression = term { "OR" term }
 *   term       = factor { [ "AND" ] factor }
 *   factor     = [ "NOT" ] ( "(" expression ")" | field ( ":" | "=" ) value | value )
 *   value      = word | '"' text '"'          a value without a field is searched for in all fields
 */
export const expressionHelp = `Fields of sField and sSearchExpression: ${searchFieldNames.join(', ')} (any case).
sSearchExpression: Field:value or Field:"several words", joined by AND (or nothing), OR and NOT, with brackets;
a value without a field is looked for anywhere, and a star ends a word: Town:Hereford AND (Street:tann* OR Organisation:"Weir End").`;

type Token =
  | { readonly kind: 'value'; readonly text: string; readonly quoted: boolean }
  | { readonly kind: '(' | ')' | ':' };

const tokenPattern = /\s*(?:([()])|([:=])|"([^"]*)"|([^\s()":=]+))/y;

/** Expressions nested deeper than this are refused: nobody writes them, and reading one must not exhaust the stack. */
const deepest = 20;

class Unreadable extends Error {}

/** The condition of an expression, or its fault in a few words. */
export function readExpression(text: string): { condition: Condition } | { problem: string } {
  try {
    const tokens = tokenise(text.trim());
    if (tokens.length === 0) return { problem: 'the expression is empty.' };
    const reader = { tokens, next: 0 };
    const condition = readAny(reader, 0);
    if (reader.next < tokens.length) throw new Unreadable('there is a closing bracket too many.');
    return { condition };
  } catch (error) {
    if (error instanceof Unreadable) return { problem: error.message };
    throw error;
  }
}

function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < text.length) {
    const match = tokenPattern.exec(text);
    if (!match) throw new Unreadable('a quotation mark is not closed.');
    const [, bracket, colon, quoted, word] = match;
    if (bracket === '(' || bracket === ')') tokens.push({ kind: bracket });
    else if (colon !== undefined) tokens.push({ kind: ':' });
    else tokens.push({ kind: 'value', text: quoted ?? word ?? '', quoted: quoted !== undefined });
  }
  return tokens;
}

interface Reader {
  readonly tokens: readonly Token[];
  next: number;
}

const isWord = (token: Token | undefined, word: string): boolean =>
  token?.kind === 'value' && !token.quoted && token.text.toUpperCase() === word;

function take(reader: Reader, word: string): boolean {
  if (!isWord(reader.tokens[reader.next], word)) return false;
  reader.next += 1;
  return true;
}

function readAny(reader: Reader, depth: number): Condition {
  const any = [readAll(reader, depth)];
  while (take(reader, 'OR')) any.push(readAll(reader, depth));
  return any.length === 1 && any[0] ? any[0] : { any };
}

function readAll(reader: Reader, depth: number): Condition {
  const all = [readFactor(reader, depth)];
  for (;;) {
    const next = reader.tokens[reader.next];
    if (!next || next.kind === ')' || isWord(next, 'OR')) break;
    take(reader, 'AND');
    all.push(readFactor(reader, depth));
  }
  return all.length === 1 && all[0] ? all[0] : { all };
}

function readFactor(reader: Reader, depth: number): Condition {
  if (depth > deepest) throw new Unreadable('it is nested too deeply.');
  if (take(reader, 'NOT')) return { not: readFactor(reader, depth + 1) };
  const token = reader.tokens[reader.next];
  reader.next += 1;
  if (token?.kind === '(') {
    const inner = readAny(reader, depth + 1);
    if (reader.tokens[reader.next]?.kind !== ')') throw new Unreadable('a bracket is not closed.');
    reader.next += 1;
    return inner;
  }
  if (token?.kind !== 'value' || (!token.quoted && /^(AND|OR)$/i.test(token.text)))
    throw new Unreadable('a value is missing.');
  if (token.quoted || reader.tokens[reader.next]?.kind !== ':') return { field: 'all', value: token.text };
  const field = findSearchField(token.text);
  if (!field) throw new Unreadable(`there is no field ${token.text}.`);
  const value = reader.tokens[reader.next + 1];
  if (value?.kind !== 'value') throw new Unreadable(`the value of ${token.text} is missing.`);
  reader.next += 2;
  return { field, value: value.text };
}
