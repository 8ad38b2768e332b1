import { priceOf, publishedCredits } from '../../../shared/catalogue/price.ts';
import type { FieldDef } from '../../../shared/catalogue/types.ts';
import type { RawAnswer, Timings } from '../../../shared/domain/call.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { ApiCall } from '../../core/calls/caller.ts';
import type { Arguments } from '../arguments.ts';
import type { CallingDesk } from '../calling-desk.ts';
import type { FieldInput } from '../fields.ts';
import type { Printed } from '../printed.ts';
import type { Session } from '../session.ts';

/** Records a call before it is sent, and returns a function to call with its outcome. After an error nothing may be sent. */
type Begin<T> = () => Result<(answer: Result<T>) => void>;

/** Makes one call at a desk. */
export async function makeCall<T>(
  { caller, connection }: CallingDesk,
  { signal }: Session,
  apiCall: Omit<ApiCall<T>, 'connection'>,
  begin: Begin<T> = () => ok(() => {}),
): Promise<Result<T>> {
  const begun = begin();
  if (!begun.ok) return begun;
  const done = await caller.execute({ ...apiCall, connection }, { signal });
  const answer = done.ok ? ok(done.value.value) : done;
  begun.value(answer);
  return answer;
}

const longestSubject = 200;

/** The subject of a call for the activity log: the given fields without the credentials, or the operation's name if there are none. */
export function describeSubject(name: string, given: FieldInput, fields: readonly FieldDef[]): string {
  const shown = fields
    .filter((field) => field.credential === undefined && given[field.name] !== undefined)
    .map((field) => String(given[field.name]));
  const text = shown.join(', ') || name;
  return text.length > longestSubject ? `${text.slice(0, longestSubject - 1)}…` : text;
}

interface Answer {
  value: unknown;
  request: unknown;
  timings: Timings;
  raw: RawAnswer;
}

/** An answer as it is printed: the value, its published price in credits, the request that was sent, and times in milliseconds with three decimals. */
export function print(
  name: string,
  fields: FieldInput,
  { value, request, timings, raw }: Answer,
  args: Arguments,
  more: Printed,
): Printed {
  const inMicroseconds = Object.entries(timings).map(([part, time]) => [
    part,
    typeof time === 'number' ? Math.round(time * 1000) / 1000 : time,
  ]);
  return {
    value,
    price: publishedCredits(priceOf(name), fields) ?? 'not published',
    request,
    timings: Object.fromEntries(inMicroseconds),
    ...more,
    ...(args.raw ? { raw } : {}),
  };
}
