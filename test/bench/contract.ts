import { createDispatcher } from '../../electron/ipc/dispatcher.ts';
import { createHandlers } from '../../electron/ipc/handlers.ts';
import type { Shell } from '../../electron/ipc/shell.ts';
import { ok } from '../../shared/result.ts';
import { noKeychain } from '../helpers/demo-process.ts';
import { unwrap } from '../helpers/temp-database.ts';
import { openBareConsole } from './support/bare-console.ts';
import { interleave, pair } from './support/interleave.ts';
import { type BenchOptions, compareWithLimit, milliseconds, type Row } from './support/rows.ts';

const limit = 0.1;

/** The part of the shell that the measured channels need. */
const shell = {
  version: 'bench',
  host: 'development host',
  setColourScheme: () => {},
  windows: { isBeside: () => false, hasCrashed: () => false } as Partial<Shell['windows']> as Shell['windows'],
} as Partial<Shell> as Shell;

/**
 * What the contract adds to a call: parsing its input, shaping its output and keeping it cancellable, with a handler that
 * does nothing and an answer of a few fields. Beside it the real handlers of small channels, work included.
 */
export async function measureContract({ quick }: BenchOptions): Promise<Row[]> {
  Object.assign(process.env, noKeychain);
  const core = await openBareConsole();
  try {
    const handlers = createHandlers(core.console, shell);
    const kept = unwrap(
      await handlers['settings.read']({}, { requestId: '', window: 1, signal: new AbortController().signal }),
    );
    const dispatcher = createDispatcher(
      { ...handlers, 'settings.save': () => ok(kept) },
      core.console.secrets.findTyped,
      (error) => {
        throw error;
      },
    );
    let turn = 0;
    const ask = async (channel: string, input: unknown): Promise<void> => {
      turn += 1;
      const result = await dispatcher.dispatch(channel, `b${turn}`, input);
      if (!result.ok) throw new Error(JSON.stringify(result.error));
    };
    const none = async () => ok(kept);
    const samples = await interleave(
      {
        contract: () => ask('settings.save', kept),
        direct: () => none(),
        info: () => ask('app.info', {}),
        list: () => ask('activity.list', { search: '', before: null, limit: 50 }),
      },
      { rounds: quick ? 30 : 200, batch: 200 },
    );
    const cost = pair(samples.contract, samples.direct);
    return [
      {
        ...compareWithLimit('contract, a call of small payload', cost.ours - cost.other, limit, milliseconds),
        other: `${milliseconds(cost.other)} handler alone`,
      },
      compareWithLimit('app.info, handler included', pair(samples.info, samples.direct).ours, limit, milliseconds),
      compareWithLimit(
        'activity.list, empty, handler included',
        pair(samples.list, samples.direct).ours,
        limit,
        milliseconds,
      ),
    ];
  } finally {
    await core.close();
  }
}
