import { type ChannelName, channels } from '../../shared/contract.ts';
import type { AppError } from '../../shared/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';

/** Input fields with ids of this console: they have the form of a GUID, but nobody types them, so they are not taken for keys. */
const ownIds: ReadonlySet<string> = new Set([
  'id',
  'connectionId',
  'savedId',
  'changeId',
  'bulkId',
  'answerId',
  'entryId',
]);

function textsOf(value: unknown, except: ReadonlySet<string>): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((one) => textsOf(one, except));
  return Object.entries(value).flatMap(([name, one]) => (except.has(name) ? [] : textsOf(one, except)));
}

/** The question to ask about texts that look like a key; null: there is none. */
export type KeyQuestion = (texts: readonly string[]) => AppError | null;

/**
 * What the handler of a channel is given. If a person types its texts and one of them looks like a key (`question`), the question comes
 * first, before anything is sent or stored; `sendAnyway` in the input is the answer, and no handler sees it.
 */
export function askFirst(name: ChannelName, given: object, question: KeyQuestion): Result<object> {
  const channel = channels[name];
  if (!('typed' in channel)) return ok(given);
  const { sendAnyway, ...input } = given as { sendAnyway: boolean };
  const asked = sendAnyway ? null : question(textsOf(input, new Set([...ownIds, ...channel.typed.except])));
  return asked ? fail(asked) : ok(input);
}
