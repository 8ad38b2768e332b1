import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { createDecoder, type Decoder } from '../../electron/core/decode/decoder.ts';
import type { DecodeJob } from '../../electron/core/soap/message/answer.ts';
import { namespace, operation, writeAnswer } from './support/answers.ts';
import { median } from './support/interleave.ts';
import { type BenchOptions, milliseconds, type Row, times } from './support/rows.ts';

/** A pause longer than this counts as a long task (W3C Long Tasks, 2). */
const limit = 50;
const nanoseconds = 1e6;

/** The longest pause of this thread's event loop while an answer is decoded, with the worker and without. */
export async function measureMainThread({ quick }: BenchOptions): Promise<Row[]> {
  const inWorker = createDecoder({ workerPath: new URL('../../dist/main/decode-worker.js', import.meta.url) });
  const here = createDecoder();
  const rows: Row[] = [];
  try {
    for (const count of [10_000, 50_000]) {
      const body = Buffer.from(writeAnswer(count));
      const pauses = { worker: [] as number[], here: [] as number[] };
      await longestPause(inWorker, body, count);
      for (let round = 0; round < (quick ? 1 : 5); round += 1) {
        pauses.worker.push(await longestPause(inWorker, body, count));
        pauses.here.push(await longestPause(here, body, count));
      }
      const [ours, other] = [median(pauses.worker), median(pauses.here)];
      rows.push({
        name: `longest pause, ${count.toLocaleString('en-GB')} records (${(body.byteLength / 1e6).toFixed(0)} MB)`,
        ours: `${milliseconds(ours)} in the worker`,
        other: `${milliseconds(other)} on the main thread`,
        ratio: times(ours / other),
        aim: `≤ ${limit} ms`,
        reached: ours / limit,
      });
    }
  } finally {
    await inWorker.close();
  }
  return rows;
}

async function longestPause(decoder: Decoder, body: Buffer, count: number): Promise<number> {
  const job: DecodeJob = {
    body: new Uint8Array(body),
    status: 200,
    contentType: 'text/xml; charset=utf-8',
    operation,
    namespace,
    result: 'ListAllAddressPremises',
    secrets: [],
  };
  globalThis.gc?.();
  await wait(50);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await wait(20);
  const { result } = await decoder.decode(job);
  await wait(20);
  delay.disable();
  if (!result.ok || (result.value.value as { List: unknown[] }).List.length !== count) throw new Error('not decoded');
  return delay.max / nanoseconds;
}
