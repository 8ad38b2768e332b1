import type { Page } from 'playwright';

interface TraceEvent {
  ph: string;
  name: string;
  pid: number;
  tid: number;
  /** When it began, and for how long by the clock and in processor time of the thread (µs). */
  ts: number;
  dur?: number;
  tdur?: number;
  args: { name?: string };
}

export interface LongestTask {
  /** Milliseconds of processor time. */
  ms: number;
  /** The parts that took most of it, by the engine's names. */
  most: string;
}

/**
 * The longest task of a window's thread while `work` goes on, in milliseconds of processor time, so that other load on the machine
 * does not count. Read from the engine's trace, which Chromium offers and Electron's page does not: NaN there.
 */
export async function longestWindowTask(page: Page, work: () => Promise<unknown>): Promise<LongestTask> {
  const browser = page.context().browser();
  if (!browser) {
    await work();
    return { ms: Number.NaN, most: '' };
  }
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline', 'v8'] });
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
  const [longest] = tasks.sort((a, b) => (b.tdur ?? 0) - (a.tdur ?? 0));
  if (!longest) throw new Error('The trace has no task of a window.');
  return { ms: (longest.tdur ?? 0) / 1000, most: mostOf(traceEvents, longest) };
}

/** The parts of a task that took a fifth of it or more. */
function mostOf(events: readonly TraceEvent[], task: TraceEvent): string {
  const end = task.ts + (task.dur ?? 0);
  const parts = events.filter(
    ({ ph, pid, tid, ts, tdur = 0, name }) =>
      ph === 'X' &&
      pid === task.pid &&
      tid === task.tid &&
      ts >= task.ts &&
      ts < end &&
      tdur * 5 >= (task.tdur ?? 0) &&
      !name.endsWith('RunTask'),
  );
  return [...new Set(parts.map(({ name, tdur = 0 }) => `${name} ${Math.round(tdur / 1000)}`))].slice(0, 4).join(', ');
}
