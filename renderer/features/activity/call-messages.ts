import {
  type CallOutcome,
  type CallRecord,
  describeOutcome,
  publishedPriceOf,
} from '../../../shared/domain/activity.ts';
import { protocolNames } from '../../../shared/domain/connection.ts';
import type { Tone } from '../../components/marks.tsx';
import { formatCredits, formatDuration, formatMoment } from '../../lib/text/format.ts';

export const outcomeText: Record<CallOutcome, string> = {
  answered: 'answered',
  'nothing-found': 'nothing found',
  held: 'saved',
  refused: 'refused',
  failed: 'failed',
  unknown: 'unknown',
  cancelled: 'cancelled',
};

/** Colour only if it says something: saved is free, unknown brought no answer, refused and failed went wrong. */
export const outcomeTones: Partial<Record<CallOutcome, Tone>> = {
  held: 'good',
  unknown: 'warn',
  refused: 'danger',
  failed: 'danger',
};

/** "free" as on buttons; null: not published. */
export function priceText(call: CallRecord): string | number | null {
  const price = publishedPriceOf(call);
  return price === undefined ? 'saved, free' : price === 0 ? 'free' : price;
}

/** The facts of a call in the order in which they are shown and copied. */
export function factsOf(call: CallRecord): { label: string; value: string; note?: string }[] {
  const price = priceText(call);
  return [
    { label: 'Time', value: formatMoment(call.at) },
    { label: 'Operation', value: call.operation, note: protocolNames[call.interface] },
    { label: 'Subject', value: call.subject },
    { label: 'Connection', value: call.connectionName },
    { label: 'Paid by', value: call.paidBy },
    { label: 'Outcome', value: outcomeText[call.outcome], note: describeOutcome(call) },
    ...(call.errorCode === null ? [] : [{ label: 'Code', value: call.errorCode }]),
    {
      label: 'Published price',
      value: typeof price === 'string' ? price : formatCredits(price, 'not published'),
    },
    { label: 'Duration', value: formatDuration(call.durationMs) },
    { label: 'Call', value: call.id },
  ];
}

/** A call as lines of label, tab, value. It contains no secret: the log has none. */
export const callText = (call: CallRecord): string =>
  factsOf(call)
    .map(({ label, value }) => `${label}\t${value}`)
    .join('\n');
