import { noKeychain, startDemoProcess } from '../helpers/demo-process.ts';
import { unwrap } from '../helpers/temp-database.ts';
import { openOperationsConsole } from '../integration/operations/operations-core.ts';
import { type BenchOptions, megabytes, type Row, reportFigure, times } from './support/rows.ts';

const warmUp = 50;
const lookups = 1000;
const flat = 1.1;

/**
 * Memory of the core, idle and after 1,000 paid lookups with the demo service, each sent, logged, entered in
 * the ledger and cached. Used means what is left after a garbage collection. The demo service is a separate process.
 */
export async function measureMemory({ quick }: BenchOptions): Promise<Row[]> {
  Object.assign(process.env, noKeychain);
  const opened = await openOperationsConsole([], {}, startDemoProcess);
  const { call, connectionId, crossed, service } = opened;
  const { sample } = service.demo;
  const postcodes = [sample.postcode, ...sample.nearPostcodes];
  const count = quick ? lookups / 5 : lookups;
  let turn = 0;
  const look = async (): Promise<void> => {
    turn += 1;
    const text = postcodes[turn % postcodes.length] ?? sample.postcode;
    if (turn % 2 === 0) unwrap(await call('lookup.search', { connectionId, text, cache: 'reload' }));
    else {
      const protocol = turn % 4 === 1 ? 'rest' : 'soap';
      unwrap(
        await call('lookup.open', { connectionId, premiseId: sample.premiseId, interface: protocol, cache: 'reload' }),
      );
    }
    // The helper stores what was sent to the window for tests, which would be counted as a leak here.
    crossed.length = 0;
  };
  try {
    for (let index = 0; index < warmUp; index += 1) await look();
    const before = await readMemory();
    const began = performance.now();
    for (let index = 0; index < count; index += 1) await look();
    const each = (performance.now() - began) / count;
    const after = await readMemory();
    const ratio = after.used / before.used;
    return [
      {
        name: `memory in use after ${count.toLocaleString('en-GB')} lookups`,
        ours: megabytes(after.used),
        other: `${megabytes(before.used)} idle`,
        ratio: times(ratio),
        aim: `≤ ${times(flat)}`,
        reached: ratio / flat,
      },
      reportFigure(
        'memory of the process (RSS)',
        megabytes(after.rss),
        `${megabytes(before.rss)} idle`,
        times(after.rss / before.rss),
      ),
      reportFigure('a lookup, whole way through the console', `${each.toFixed(2)} ms`),
    ];
  } finally {
    await opened.close();
  }
}

/** The lowest of ten collections: code that is not flushed yet varies by some megabytes between them. */
async function readMemory(): Promise<{ used: number; rss: number }> {
  let used = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 10; turn += 1) {
    globalThis.gc?.();
    await new Promise((done) => setTimeout(done, 100));
    const { heapUsed, external } = process.memoryUsage();
    used = Math.min(used, heapUsed + external);
  }
  return { used, rss: process.memoryUsage.rss() };
}
