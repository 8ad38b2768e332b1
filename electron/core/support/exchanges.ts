import type { Exchange, SharedText } from '../../../shared/domain/call.ts';
import { createLruCache } from '../decode/browse/lru-cache.ts';

/** How many exchanges of this run are kept in memory for a support file, including those of failed calls; and the longest text that is. */
const mostAtHand = 60;
const longest = 256_000;

export type Exchanges = ReturnType<typeof createExchanges>;

/** What was sent and received in the last calls, masked as it is shown. In memory: it ends with the program. */
export function createExchanges() {
  const recent = createLruCache<Exchange>(mostAtHand);
  const short = (text: string | SharedText, size: string): string =>
    typeof text === 'string' && text.length <= longest ? text : `(${size}, too long to be kept for a support file)`;
  return {
    note(callId: string, { request, raw, timings }: Exchange): void {
      recent.set(callId, {
        request: {
          ...request,
          ...(request.body === undefined ? {} : { body: short(request.body, `${request.body.length} characters`) }),
        },
        ...(raw === undefined ? {} : { raw: { ...raw, text: short(raw.text, `${raw.bytes} bytes`) } }),
        ...(timings === undefined ? {} : { timings }),
      });
    },
    find: (callId: string): Exchange | undefined => recent.get(callId),
  };
}
