import { type ChannelName, channels } from '../../shared/contract.ts';
import type { AppError } from '../../shared/errors.ts';
import { fail } from '../../shared/result.ts';
import type { Handlers } from './dispatcher.ts';

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

/**
 * Wraps handlers so that they ask back before a typed text that looks like a key (`question`) is sent or stored; `sendAnyway` in the
 * input is the answer, and no handler sees it.
 */
export function askFirst(handlers: Handlers, question: (texts: readonly string[]) => AppError | null): Handlers {
  const asking = Object.entries(channels).flatMap(([name, channel]) => {
    const except = 'typed' in channel ? new Set([...ownIds, ...channel.typed.except]) : null;
    if (!except) return [];
    const handle = handlers[name as ChannelName] as (input: object, context: unknown) => unknown;
    return [
      [
        name,
        ({ sendAnyway, ...input }: { sendAnyway: boolean }, context: unknown) => {
          const asked = sendAnyway ? null : question(textsOf(input, except));
          return asked ? fail(asked) : handle(input, context);
        },
      ],
    ];
  });
  return { ...handlers, ...Object.fromEntries(asking) };
}
