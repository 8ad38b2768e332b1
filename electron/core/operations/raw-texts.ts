import { ok, type Result } from '../../../shared/result.ts';
import type { Exchange } from '../calls/clients.ts';
import { findLines, layOut, type RawLines } from './raw-lines.ts';
import { createRecent } from './recent.ts';

export interface RawOf {
  answerId: string;
  side: 'request' | 'answer';
  indented: boolean;
}

/** Laid-out texts kept at hand: one of 5 MB has some hundred thousand lines. */
const kept = 4;

const headersOf = (headers: Readonly<Record<string, string>>): string[] =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`);

/** Raw texts by lines. `find` gives the masked exchange of an answer or of a failed call. */
export function createRawTexts(find: (id: string) => Result<Exchange>) {
  const laidOut = createRecent<RawLines>(kept);

  function linesOf({ answerId, side, indented }: RawOf): Result<RawLines> {
    const name = `${answerId}/${side}/${indented}`;
    const ready = laidOut.get(name);
    if (ready) return ok(ready);
    const exchange = find(answerId);
    if (!exchange.ok) return exchange;
    const { request, raw } = exchange.value;
    const made =
      side === 'request'
        ? layOut([`${request.method} ${request.url}`, ...headersOf(request.headers), ''], request.body ?? '', indented)
        : raw
          ? layOut([`HTTP ${raw.status}`, ...headersOf(raw.headers), ''], raw.text, indented)
          : layOut(['No answer came.'], '', indented);
    laidOut.set(name, made);
    return ok(made);
  }

  return {
    lines(which: RawOf, from: number, count: number) {
      const lines = linesOf(which);
      if (!lines.ok) return lines;
      const { texts, ends, masked } = lines.value;
      return ok({
        total: texts.length,
        masked,
        lines: texts.slice(from, from + count).map((text, index) => {
          const end = ends[from + index] ?? -1;
          return { text, end: end < 0 ? null : end };
        }),
      });
    },
    find(which: RawOf, text: string) {
      const lines = linesOf(which);
      return lines.ok ? ok(findLines(lines.value, text)) : lines;
    },
    /** All of it as one text, for the clipboard; long lines whole. */
    text(which: RawOf): Result<string> {
      const lines = linesOf(which);
      if (!lines.ok) return lines;
      const { texts, cut } = lines.value;
      return ok(texts.map((text, index) => (cut.has(index) ? text : `${text}\n`)).join(''));
    },
  };
}
