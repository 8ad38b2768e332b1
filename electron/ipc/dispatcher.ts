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
      const asked = askFirst(channel, parsed.data as object, question);
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

/**
 * What the handler of a channel is given. If a person types its texts and one of them looks like a key (`question`), the question comes
 * first, before anything is sent or stored; `sendAnyway` in the input is the answer, and no handler sees it.
 */
function askFirst(name: ChannelName, given: object, question: KeyQuestion): Result<object> {
  const channel = channels[name];
  if (!('typed' in channel)) return ok(given);
  const { sendAnyway, ...input } = given as { sendAnyway: boolean };
  const asked = sendAnyway ? null : question(textsOf(input, new Set([...ownIds, ...channel.typed.except])));
  return asked ? fail(asked) : ok(input);
}
