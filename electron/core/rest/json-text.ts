/** Decodes the bytes of an answer to text and JSON, keeping every digit. */

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** The same without numbers: each is the text it was written as. */
export type TextJson = null | boolean | string | TextJson[] | { [name: string]: TextJson };

interface ReviverContext {
  source?: string;
}
/** The reviver's third argument (ES2026, in V8 since 2023) is not in the language library this project compiles against. */
type Reviver = (this: unknown, key: string, value: unknown, context: ReviverContext) => unknown;

/**
 * By byte order mark, then by the zero bytes of UTF-16 without one, then by the declared charset, else UTF-8. Invalid bytes become the
 * replacement character: an answer that was paid for is shown, not thrown away.
 */
export function decodeText(body: Uint8Array, contentType: string): string {
  return new TextDecoder(findCharset(body, contentType)).decode(body);
}

function findCharset(body: Uint8Array, contentType: string): string {
  const [first, second] = body;
  if (first === 0xef && second === 0xbb) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first !== 0 && second === 0 && body.length >= 2) return 'utf-16le';
  if (first === 0 && second !== 0 && body.length >= 2) return 'utf-16be';
  const declared = /charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(declared).encoding;
  } catch {
    return 'utf-8';
  }
}

function parseWith(text: string, reviver: Reviver): unknown {
  return JSON.parse(text, reviver as (this: unknown, key: string, value: unknown) => unknown);
}

/** Whether a number may occur in a JSON text: a quick check that spares a text without one the reviver, which is ten times slower. */
const mayHoldNumber = /(?:^|[[:,])\s*-?\d/;
/** An integer too long for a number, or one that is not finite. */
const mayBeInexact = /\d{16}|\d[eE]/;

/** As it came; an integer that a number cannot represent exactly becomes its digits as text. Throws SyntaxError, RangeError. */
export function parseJson(text: string): Json {
  if (!mayBeInexact.test(text)) return JSON.parse(text);
  return parseWith(text, (_key, value, { source }) =>
    typeof value === 'number' && !isExact(value, source) ? (source ?? String(value)) : value,
  ) as Json;
}

function isExact(value: number, source: string | undefined): boolean {
  if (!Number.isFinite(value)) return false;
  return Number.isSafeInteger(value) || source === undefined || !/^-?\d+$/.test(source);
}

/** The same with every number as it was written: `51.50` stays `51.50`. */
export function parseJsonTexts(text: string): TextJson {
  if (!mayHoldNumber.test(text)) return JSON.parse(text);
  return parseWith(text, (_key, value, { source }) =>
    typeof value === 'number' ? (source ?? String(value)) : value,
  ) as TextJson;
}
