import { StringDecoder } from 'node:string_decoder';
import type { RawAnswer, SharedText } from '../../../shared/domain/call.ts';

/** Characters; a shorter text crosses as it is. */
const longText = 256 * 1024;

/** A long text in memory that both threads see. It came out of bytes, so no half of a character is in it. */
export function shareText(text: string): RawAnswer['text'] {
  if (text.length <= longText) return text;
  const bytes = new SharedArrayBuffer(Buffer.byteLength(text));
  Buffer.from(bytes).write(text);
  return { bytes, length: text.length } satisfies SharedText;
}

/** As a string, in one turn: for a text that is known to be short enough, or for the thread that reads answers. */
export const textOf = (text: RawAnswer['text']): string =>
  typeof text === 'string' ? text : Buffer.from(text.bytes).toString();

/** Its UTF-8; of a shared one nothing is copied. */
export const bytesOf = (text: RawAnswer['text']): Uint8Array =>
  typeof text === 'string' ? new TextEncoder().encode(text) : new Uint8Array(text.bytes);

/** Bytes made into a string at once. */
const stretch = 1_000_000;

/** The text from its beginning to its end in strings, none of which takes long to make. */
export function* stretchesOf(text: RawAnswer['text']): Generator<string> {
  if (typeof text === 'string') {
    yield text;
    return;
  }
  const decoder = new StringDecoder('utf8');
  for (let from = 0; from < text.bytes.byteLength; from += stretch)
    yield decoder.write(Buffer.from(text.bytes, from, Math.min(stretch, text.bytes.byteLength - from)));
  yield decoder.end();
}
