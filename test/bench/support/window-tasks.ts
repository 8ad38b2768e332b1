import type { Page } from 'playwright';

interface TraceEvent {
  ph: string;
  name: string;
  pid: number;
  tid: number;
  /** Processor time of the thread (µs). */
  tdur?: number;
  args: { name?: string };
}

/**
 * The longest task of a window's thread while `work` goes on, in milliseconds of processor time: what else the machine does falls on
 * none of it. The engine's own trace is read, which Chromium gives and Electron's page does not: NaN there.
 */
export async function longestWindowTask(page: Page, work: () => Promise<unknown>): Promise<number> {
  const browser = page.context().browser();
  if (!browser) {
    await work();
    return Number.NaN;
  }
  await browser.startTracing(page, { categories: ['toplevel'] });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString('utf8')) as { traceEvents: TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid}/${tid}`;
  const ofWindows = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map((event) => threadOf(event)),
  );
  const tasks = traceEvents.filter(
    (event) => event.ph === 'X' && event.name.endsWith('RunTask') && ofWindows.has(threadOf(event)),
  );
  if (tasks.length === 0) throw new Error('The trace has no task of a window.');
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}
