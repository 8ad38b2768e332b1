import { createServer } from 'node:http';
import { performance } from 'node:perf_hooks';
import { mapWithLimit } from '../../electron/core/concurrency/map-with-limit.ts';
import { createMemoryVault } from '../../electron/platform/memory-vault.ts';
import { listenOnLoopback } from '../helpers/loopback.ts';
import { startProgram } from '../helpers/program.ts';
import { unwrap } from '../helpers/temp-database.ts';
import { median } from './support/interleave.ts';
import { longestTurn } from './support/longest-turn.ts';
import type { BenchOptions, Row } from './support/rows.ts';

const key = 'LK-7f3a91c2e8d04b56';
/** Number of concurrent calls, of the batch and of the bare calls. */
const width = 8;
/** Latency in milliseconds of a service in another town. */
const latency = 20;

/** A different postcode for each number. */
const postcodeOf = (index: number): string => {
  const letters = 'ABDEFGHJLNPQRSTUWXYZ';
  const last = `${letters[index % 20]}${letters[Math.floor(index / 20) % 20]}`;
  return `AB${10 + (Math.floor(index / 4000) % 90)} ${Math.floor(index / 400) % 10}${last}`;
};

const tableOf = (from: number, rows: number): string =>
  `Postcode\n${Array.from({ length: rows }, (_, index) => postcodeOf(from + index)).join('\n')}\n`;

/**
 * Rows planned and finished a second, beside the bare calls of the lookup screen at the same concurrency, against a service that takes
 * 20 ms; and the longest turn of main while a long table is read and planned.
 */
export async function measureBatch({ quick }: BenchOptions): Promise<Row[]> {
  const service = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const query = url.searchParams.get('query') ?? '';
    const body = url.pathname.endsWith('/GetCredits')
      ? { credits: 1_000_000 }
      : {
          results: [{ id: '00000002', address: `1 High Street, Aberdeen, ${query}`, postcode: query }],
          totalResults: 1,
        };
    setTimeout(() => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body));
    }, latency);
  });
  const restBaseUrl = `http://127.0.0.1:${await listenOnLoopback(service)}/`;
  const program = unwrap(
    await startProgram({
      keychain: { keychain: { ...createMemoryVault(), get: async () => ({ ok: true, value: key }) }, missing: null },
    }),
  );
  const rows: Row[] = [];
  try {
    const connectionId = await program.connect({ restBaseUrl }, { 'lookup-key': key });
    const { batches, lookup } = program.core;
    let next = 0;
    const size = quick ? 100 : 400;
    const plan = async (count: number): Promise<string> => {
      const { tableId } = unwrap(await batches.openText(connectionId, tableOf(next, count)));
      next += count;
      return unwrap(await batches.plan({ tableId, wants: ['exists'] })).id;
    };
    const timed = async (work: () => Promise<unknown>): Promise<number> => {
      const from = performance.now();
      await work();
      return performance.now() - from;
    };
    const ratios: { ours: number; bare: number }[] = [];
    for (let round = 0; round < (quick ? 4 : 10); round += 1) {
      const id = await plan(size);
      const ours = await timed(async () => {
        unwrap(
          batches.run(id, { limit: 1_000_000, minimumBalance: null, rate: 10_000, keyLabel: null, goOnUntil: null }),
        );
        await batches.ended(id);
      });
      const questions = Array.from({ length: size }, (_, index) => postcodeOf(next + index));
      next += size;
      const bare = await timed(() =>
        mapWithLimit(questions, width, async (text) => {
          unwrap(await lookup.search({ connectionId, text, maxResults: null, cache: 'default' }, {}));
        }),
      );
      ratios.push({ ours, bare });
    }
    const [ours, bare] = [median(ratios.map((one) => one.ours)), median(ratios.map((one) => one.bare))];
    const ratio = median(ratios.map((one) => one.ours / one.bare));
    rows.push({
      name: 'batch, rows finished, 8 at once, 20 ms a call',
      ours: `${Math.round((size * 1000) / ours)} a second`,
      other: `bare calls ${Math.round((size * 1000) / bare)} a second`,
      ratio: ratio.toFixed(2),
      aim: '≤ 1.1',
      reached: ratio / 1.1,
    });

    const long = quick ? 20_000 : 200_000;
    const longest = await longestTurn(() => plan(long));
    rows.push({
      name: `batch, ${long.toLocaleString('en-GB')} rows read and planned: longest turn of main, in its processor time`,
      ours: `${Math.round(longest)} ms`,
      other: '',
      ratio: '',
      aim: '≤ 50 ms',
      reached: longest / 50,
    });
  } finally {
    await program.close();
    service.close();
  }
  return rows;
}
