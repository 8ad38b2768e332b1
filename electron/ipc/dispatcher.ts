import { setImmediate as turn } from 'node:timers/promises';
import type { z } from 'zod';
import { type ChannelName, type ChannelOutput, channels, type ParsedInput } from '../../shared/contract.ts';
import { type AppError, appError } from '../../shared/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';

interface CallContext {
  requestId: string;
  /** The number of the window that calls. */
  window: number;
  signal: AbortSignal;
}

/** The question to ask about texts that look like a key; null: there is none. */
type KeyQuestion = (texts: readonly string[]) => AppError | null;

/** One handler for every channel of the contract: a missing one does not compile. */
export type Handlers = {
  [C in ChannelName]: (
    input: ParsedInput<C>,
    context: CallContext,
  ) => Promise<Result<ChannelOutput<C>>> | Result<ChannelOutput<C>>;
};

/** The handlers of some of the contract's channels. */
export type HandlersOf<Table> = Pick<Handlers, keyof Table & ChannelName>;

export interface Dispatcher {
  /** Parses the input, runs the handler, shapes the output. Never throws. */
  dispatch(channel: string, requestId: unknown, input: unknown, window?: number): Promise<Result<unknown>>;
  /** Cancels a call under way; unknown ids are ignored, because an answer may have crossed the cancel. */
  cancel(requestId: unknown): void;
  cancelAll(): void;
}

const isChannel = (name: string): name is ChannelName => Object.hasOwn(channels, name);

/**
 * Independent of the transport: Electron's IPC, the development host and the tests all call it. `question` is asked about what a person
 * typed; `report` receives what handlers throw.
 */
export function createDispatcher(
  handlers: Handlers,
  question: KeyQuestion,
  report: (error: unknown) => void,
): Dispatcher {
  const running = new Map<string, AbortController>();

  async function run<C extends ChannelName>(
    channel: C,
    requestId: string,
    raw: unknown,
    window: number,
  ): Promise<Result<unknown>> {
    const { input, output } = channels[channel] as { input: z.ZodType; output: z.ZodType };
    const parsed = input.safeParse(raw);
    if (!parsed.success) return fail(badInput(channel, parsed.error));
    const controller = new AbortController();
    running.set(requestId, controller);
    try {
      const looked = askFirst(channel, parsed.data as object, question);
      // A handler of short texts is called at once: a cancel in the same turn reaches it.
      const asked = looked instanceof Promise ? await looked : looked;
      if (!asked.ok) return asked;
      const result = await handlers[channel](asked.value as ParsedInput<C>, {
        requestId,
        window,
        signal: controller.signal,
      });
      if (!result.ok) return result;
      const shaped = output.safeParse(result.value);
      if (shaped.success) return ok(shaped.data);
      report(shaped.error);
      return fail(internal(`${channel} gave an answer of the wrong form`));
    } catch (error) {
      report(error);
      return fail(internal(`${channel} failed`));
    } finally {
      running.delete(requestId);
    }
  }

  return {
    async dispatch(channel, requestId, input, window = 1) {
      if (typeof requestId !== 'string' || requestId.length === 0 || requestId.length > 64)
        return fail(appError('bad-channel-input', { detail: 'the request has no usable id' }));
      if (!isChannel(channel)) return fail(appError('bad-channel-input', { detail: 'no such channel' }));
      if (running.has(requestId))
        return fail(appError('bad-channel-input', { detail: 'this request is already running' }));
      return run(channel, requestId, input, window);
    },
    cancel(requestId) {
      if (typeof requestId === 'string') running.get(requestId)?.abort();
    },
    cancelAll() {
      for (const controller of running.values()) controller.abort();
    },
  };
}

/** Names the field and the rule, never the value: an input may hold a secret. */
function badInput(channel: ChannelName, error: z.ZodError): AppError {
  const issue = error.issues[0];
  const path = issue?.path.map(String).join('.') ?? '';
  return appError('bad-channel-input', {
    detail: `${channel}: ${path || 'input'} ${issue?.code ?? 'invalid'}`,
    ...(path === '' ? {} : { field: path }),
  });
}

/** What the handler had done before it failed is not known here, so a charge is not ruled out. */
const internal = (detail: string): AppError => appError('internal', { charge: 'may-have-been-charged', detail });

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

/** Characters that are looked through in one turn of main. */
const lookedAtOnce = 100_000;

/** Looks through long texts in parts that end with a line, since no key has a line break: a pasted table has megabytes. */
async function lookThrough(texts: readonly string[], question: KeyQuestion): Promise<AppError | null> {
  for (const text of texts)
    for (let from = 0; from < text.length; ) {
      const end = text.indexOf('\n', from + lookedAtOnce);
      const to = end < 0 ? text.length : end + 1;
      const asked = question([text.slice(from, to)]);
      if (asked) return asked;
      from = to;
      await turn();
    }
  return null;
}

/**
 * What the handler of a channel is given. If a person types its texts and one of them looks like a key (`question`), the question comes
 * first, before anything is sent or stored; `sendAnyway` in the input is the answer, and no handler sees it.
 */
function askFirst(name: ChannelName, given: object, question: KeyQuestion): Result<object> | Promise<Result<object>> {
  const channel = channels[name];
  if (!('typed' in channel)) return ok(given);
  const { sendAnyway, ...input } = given as { sendAnyway: boolean };
  const answer = (asked: AppError | null): Result<object> => (asked ? fail(asked) : ok(input));
  if (sendAnyway) return answer(null);
  const texts = textsOf(input, new Set([...ownIds, ...channel.typed.except]));
  const long = texts.filter(({ length }) => length > lookedAtOnce);
  const asked = question(texts.filter(({ length }) => length <= lookedAtOnce));
  return asked || long.length === 0 ? answer(asked) : lookThrough(long, question).then(answer);
}
