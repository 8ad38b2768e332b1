import { createWriteStream, mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMemoryVault } from '../../electron/platform/memory-vault.ts';
import { removeFolder } from '../helpers/folders.ts';
import { listenOnLoopback } from '../helpers/loopback.ts';
import { startProgram } from '../helpers/program.ts';
import { unwrap } from '../helpers/temp-database.ts';
import { type BenchOptions, megabytes, type Row } from './support/rows.ts';

const key = 'LK-7f3a91c2e8d04b56';
const letters = 'ABDEFGHJLNPQRSTUWXYZ';
const districts = ['AB', 'BA', 'CB', 'DD'];

/** A different possible postcode for each number below 1,440,000. */
const postcodeOf = (index: number): string => {
  const last = `${letters[index % 20]}${letters[Math.floor(index / 20) % 20]}`;
  return `${districts[Math.floor(index / 360_000)]}${10 + (Math.floor(index / 4000) % 90)} ${Math.floor(index / 400) % 10}${last}`;
};

function* linesOf(rows: number): Generator<string> {
  yield 'Reference,Address,Town,Postcode\n';
  for (let at = 0; at < rows; at += 1) yield `C-${at},${1 + (at % 99)} High Street,Aberdeen,${postcodeOf(at)}\n`;
}

const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** The highest memory of the process during `work`, above what it used before (bytes). */
async function peakOver(before: number, work: () => Promise<unknown>): Promise<number> {
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 50);
  await work();
  clearInterval(watch);
  return peak - before;
}

/**
 * A table of 720,000 different addresses: the memory that reading and planning it takes above the idle program, and the processor time,
 * and how soon after resuming its first call reaches the service: after a limit, and after a person stopped it.
 */
export async function measureBatchSize({ quick }: BenchOptions): Promise<Row[]> {
  const size = quick ? 72_000 : 720_000;
  let questions = 0;
  let onQuestion = (): void => {};
  const service = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    response.setHeader('content-type', 'application/json');
    if (url.pathname.endsWith('/GetCredits')) return void response.end('{"credits":1000000}');
    questions += 1;
    onQuestion();
    const query = url.searchParams.get('query') ?? '';
    const results = [{ id: '00000002', address: `1 High Street, Aberdeen, ${query}`, postcode: query }];
    response.end(JSON.stringify({ results, totalResults: 1 }));
  });
  const restBaseUrl = `http://127.0.0.1:${await listenOnLoopback(service)}/`;
  const folder = mkdtempSync(join(tmpdir(), 'address-console-batch-size-'));
  const table = join(folder, 'customers.csv');
  await pipeline(Readable.from(linesOf(size)), createWriteStream(table));
  const start = async () =>
    unwrap(
      await startProgram({
        folder,
        keychain: { keychain: { ...createMemoryVault(), get: async () => ({ ok: true, value: key }) }, missing: null },
      }),
    );
  let program = await start();
  try {
    const connectionId = await program.connect({ restBaseUrl }, { 'lookup-key': key });
    globalThis.gc?.();
    await sleep(1000);
    globalThis.gc?.();
    const idle = process.memoryUsage.rss();
    let batchId = '';
    const began = processorMs();
    const peak = await peakOver(idle, async () => {
      const { tableId } = unwrap(await program.core.batches.openFile(connectionId, table, 'customers.csv'));
      batchId = unwrap(await program.core.batches.plan({ tableId, wants: ['exists'] })).id;
      await program.core.batches.closeTable(tableId);
    });
    const planning = processorMs() - began;

    /** Starts a run whose limit allows `room` more calls, and waits for its end. Returns the time to the first of them. */
    const firstCall = async (room: number): Promise<number> => {
      const limit = questions + room;
      const from = performance.now();
      const first = new Promise<number>((done) => {
        onQuestion = () => done(performance.now() - from);
      });
      unwrap(
        program.core.batches.run(batchId, { limit, minimumBalance: null, rate: 1000, keyLabel: null, goOnUntil: null }),
      );
      const ms = await first;
      await program.core.batches.ended(batchId);
      return ms;
    };
    const begun = await firstCall(200);
    await program.close();
    const from = performance.now();
    program = await start();
    const opened = performance.now() - from;
    const resumed = await firstCall(200);
    const stopFrom = performance.now();
    unwrap(await program.core.batches.stop(batchId));
    const stopping = performance.now() - stopFrom;
    const afterStop = await firstCall(200);
    const rows = size.toLocaleString('en-GB');
    const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
    const resume = Math.max(resumed, afterStop);
    return [
      {
        name: `batch, ${rows} addresses read and planned: memory above the idle program`,
        ours: megabytes(peak),
        other: `idle ${megabytes(idle)}`,
        ratio: '',
        aim: '≤ 150 MB',
        reached: peak / (150 * 2 ** 20),
      },
      {
        name: 'the same, in processor time',
        ours: `${Math.round((size * 1000) / planning).toLocaleString('en-GB')} rows a second`,
        other: '',
        ratio: '',
        aim: '≥ 16,667 (a million a minute)',
        reached: (16.667 * planning) / size,
      },
      {
        name: 'the same, gone on with: to the first call, after its limit · after it was stopped',
        ours: `${seconds(resumed)} · ${seconds(afterStop)}`,
        other: `begun ${seconds(begun)}; opening the program ${seconds(opened)}; stopping ${seconds(stopping)}`,
        ratio: '',
        aim: '≤ 2 s',
        reached: resume / 2000,
      },
    ];
  } finally {
    await program.close();
    service.close();
    removeFolder(folder);
  }
}
