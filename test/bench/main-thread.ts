import { setTimeout as wait } from 'node:timers/promises';
import { createDecoder, type Decoder } from '../../electron/core/decode/decoder.ts';
import type { DecodeJob } from '../../electron/core/soap/message/answer.ts';
import { namespace, operation, writeAnswer } from './support/answers.ts';
import { median } from './support/interleave.ts';
import { longestTurn } from './support/longest-turn.ts';
import { type BenchOptions, milliseconds, type Row, times } from './support/rows.ts';

/** A frame; and what counts as a long task (W3C Long Tasks, 2). */
const limits = { kept: 16, whole: 50 };

/**
 * The longest turn of this thread, in its processor time, while an answer is decoded: in this thread, or in the worker, which returns all of
 * the answer or keeps it.
 */
export async function measureMainThread({ quick }: BenchOptions): Promise<Row[]> {
  const inWorker = createDecoder({ workerPath: new URL('../../dist/main/decode-worker.js', import.meta.url) });
  const here = createDecoder();
  const rows: Row[] = [];
  try {
    for (const count of [10_000, 50_000]) {
      const body = Buffer.from(writeAnswer(count));
      const pauses = { kept: [] as number[], whole: [] as number[], here: [] as number[] };
      const ways = {
        kept: () => pauseOf(inWorker, body, count, true),
        whole: () => pauseOf(inWorker, body, count, false),
        here: () => pauseOf(here, body, count, false),
      };
      await ways.kept();
      await ways.whole();
      for (let round = 0; round < (quick ? 2 : 5); round += 1)
        for (const way of ['kept', 'whole', 'here'] as const) pauses[way].push(await ways[way]());
      const other = median(pauses.here);
      const name = `longest turn of main, ${count.toLocaleString('en-GB')} records (${(body.byteLength / 1e6).toFixed(0)} MB)`;
      for (const [way, said] of [
        ['kept', 'kept in the worker'],
        ['whole', 'all given back'],
      ] as const) {
        const ours = median(pauses[way]);
        rows.push({
          name,
          ours: `${milliseconds(ours)} ${said}`,
          other: `${milliseconds(other)} on the main thread`,
          ratio: times(ours / other),
          aim: `≤ ${limits[way]} ms`,
          reached: ours / limits[way],
        });
      }
    }
  } finally {
    await inWorker.close();
  }
  return rows;
}

/** `kept`: the answer stays in the worker, like that of an operation, and a page of its rows is read. */
async function pauseOf(decoder: Decoder, body: Buffer, count: number, kept: boolean): Promise<number> {
  const job: DecodeJob = {
    body: new Uint8Array(body),
    status: 200,
    contentType: 'text/xml; charset=utf-8',
    operation,
    namespace,
    result: 'ListAllAddressPremises',
    secrets: [],
    ...(kept ? { keep: { key: 'bench', whole: false } } : {}),
  };
  const view = { column: null, descending: false, filter: '' };
  const question = { ask: 'rows' as const, table: 0, from: count - 10, count: 10, view };
  globalThis.gc?.();
  await wait(50);
  return longestTurn(async () => {
    const { result } = await decoder.decode(job);
    if (!result.ok || result.value.recordCount !== String(count)) throw new Error('not decoded');
    if (!kept) return;
    const page = await decoder.run('browse', { key: 'bench', question });
    if (!page.ok || !page.value?.ok) throw new Error('not kept');
  });
}
