import type { SharedText } from '../../../shared/domain/call.ts';
import type { Exchange } from '../calls/clients.ts';
import { createRecent } from '../decode/browse/recent.ts';

/** Exchanges of this run at hand for a support file, also of calls that failed; and the length up to which a text is. */
const mostAtHand = 60;
const longest = 256_000;

export type Exchanges = ReturnType<typeof createExchanges>;

/** What left and what came back of the last calls, masked as it is shown. In memory: it ends with the program. */
export function createExchanges() {
  const recent = createRecent<Exchange>(mostAtHand);
  const short = (text: string | SharedText, whole: number): string =>
    typeof text === 'string' && text.length <= longest
      ? text
      : `(${whole} bytes, too long to be kept for a support file)`;
  return {
    note(callId: string, { request, raw, timings }: Exchange): void {
      recent.set(callId, {
        request: {
          ...request,
          ...(request.body === undefined ? {} : { body: short(request.body, request.body.length) }),
        },
        ...(raw === undefined ? {} : { raw: { ...raw, text: short(raw.text, raw.bytes) } }),
        ...(timings === undefined ? {} : { timings }),
      });
    },
    find: (callId: string): Exchange | undefined => recent.get(callId),
  };
}
