import type { Page } from 'playwright';
// Declares window.api for the functions that run in the page.
import type {} from '../../renderer/lib/calls/bridge.ts';
import { launchConsole } from '../helpers/console.ts';
import { noKeychain } from '../helpers/demo-process.ts';
import { median } from './support/interleave.ts';
import { type BenchOptions, megabytes, milliseconds, type Row, reportFigure, times } from './support/rows.ts';

/** Number of calls before measuring begins. */
const warmUp = 50;

/**
 * A call from the window to the main process and back, one after the other and eight at once, beside the emptiest round trip that
 * the same host has (a `cancel` of nothing): what is over it is the contract's. Then the window's memory, idle on its first screen.
 */
export async function measureWindow({ quick }: BenchOptions): Promise<Row[]> {
  const running = await launchConsole({ env: { ...noKeychain, ADDRESS_CONSOLE_DEMO_PREMISES: '4000' } });
  try {
    const { page, host } = running;
    const rounds = quick ? 100 : 600;
    const samples = await callInTurns(page, rounds);
    const cost = median(samples.call);
    const bare = median(samples.bare);
    const heap = await readHeap(page);
    return [
      reportFigure(
        `app.info from the window (${host})`,
        milliseconds(cost),
        `${milliseconds(bare)} empty round trip`,
        times(median(samples.call.map((value, index) => value / (samples.bare[index] ?? Number.NaN)))),
      ),
      reportFigure('the same, eight at once, each', milliseconds(median(samples.together))),
      reportFigure('window’s script memory, idle', megabytes(heap)),
    ];
  } finally {
    await running.close();
  }
}

const callInTurns = (page: Page, rounds: number) =>
  page.evaluate(
    async ({ rounds, warmUp }) => {
      const samples = { call: [] as number[], bare: [] as number[], together: [] as number[] };
      const timed = async (work: () => Promise<unknown>): Promise<number> => {
        const began = performance.now();
        await work();
        return performance.now() - began;
      };
      let turn = 0;
      const ask = () => window.api.call['app.info'](`bench-${++turn}`, {});
      for (let round = -warmUp; round < rounds; round += 1) {
        const call = await timed(ask);
        const bare = await timed(() => window.api.cancel('bench-none'));
        const together = (await timed(() => Promise.all(Array.from({ length: 8 }, ask)))) / 8;
        if (round < 0) continue;
        samples.call.push(call);
        samples.bare.push(bare);
        samples.together.push(together);
      }
      return samples;
    },
    { rounds, warmUp },
  );

/** Bytes of script objects in use after a collection. */
async function readHeap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}
