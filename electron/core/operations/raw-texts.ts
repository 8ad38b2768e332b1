import type { Exchange } from '../../../shared/domain/call.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { Question, Reply, Source } from '../decode/browse/browse.ts';
import type { Browser } from './browser.ts';

export interface RawOf {
  answerId: string;
  side: 'request' | 'answer';
  indented: boolean;
}

const headersOf = (headers: Readonly<Record<string, string>>): string[] =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`);

function sourceOf({ request, raw }: Exchange, { side, indented }: RawOf): Source & { kind: 'raw' } {
  const lines = (first: string, headers: Readonly<Record<string, string>>) => [first, ...headersOf(headers), ''];
  if (side === 'request')
    return {
      kind: 'raw',
      head: lines(`${request.method} ${request.url}`, request.headers),
      body: request.body ?? '',
      indented,
    };
  return raw
    ? { kind: 'raw', head: lines(`HTTP ${raw.status}`, raw.headers), body: raw.text, indented }
    : { kind: 'raw', head: ['No answer came.', ''], body: '', indented };
}

/** A masked exchange: the length of its texts, and all of it, which is read when it is laid out. */
export interface Exchanged {
  requestLength: number;
  answerLength: number;
  read(): Promise<Result<Exchange>>;
}

/** Raw texts by lines. `find` gives the exchange of an answer or of a failed call. Errors: those of `find`. */
export function createRawTexts(find: (id: string) => Result<Exchanged>, browser: Browser) {
  async function ask<Q extends 'lines' | 'find' | 'piece'>(
    which: RawOf,
    question: Question<Q>,
  ): Promise<Result<Reply<Q>>> {
    const exchange = find(which.answerId);
    if (!exchange.ok) return exchange;
    const { requestLength, answerLength, read } = exchange.value;
    const key = `${which.answerId}/${which.side}/${which.indented}`;
    return browser.ask<Q>(key, question, which.side === 'request' ? requestLength : answerLength, async () => {
      const whole = await read();
      return whole.ok ? ok(sourceOf(whole.value, which)) : whole;
    });
  }
  return {
    lines: (which: RawOf, from: number, count: number) => ask<'lines'>(which, { ask: 'lines', from, count }),
    find: (which: RawOf, text: string) => ask<'find'>(which, { ask: 'find', text }),
    /** Nobody looks at the lines of this one any more. */
    close: (answerId: string): void => browser.release([`${answerId}/request`, `${answerId}/answer`]),
    /** The text from a line on, with long lines uncut, for a file or the clipboard. */
    piece: (which: RawOf, from: number) => ask<'piece'>(which, { ask: 'piece', from }),
  };
}
