import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMemoryVault } from '../../../electron/platform/memory-vault.ts';
import type { Batch, BatchRow } from '../../../shared/domain/batch.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { startProgram } from '../../helpers/program.ts';
import { unwrap } from '../../helpers/temp-database.ts';

/**
 * A batch that is killed anywhere and resumed, time and again, against a service that counts every question by its text. In the suite a
 * few batches of kills; BATCH_KILLS says how many there are to be.
 */

const kills = Number(process.env.BATCH_KILLS ?? 6);
const rows = 24;
const key = 'LK-7f3a91c2e8d04b56';
const postcodes = Array.from({ length: rows }, (_, index) => `AB${10 + index} 1AA`);

/** What reached the service, by its query; it answers each after one turn, so that a kill meets calls in flight. */
const asked = new Map<string, number>();
let service: Server;
let restBaseUrl = '';

beforeAll(async () => {
  service = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const query = url.searchParams.get('query') ?? '';
    const answer = (body: object) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body));
    };
    if (url.pathname.endsWith('/GetCredits')) return answer({ credits: 100_000 });
    asked.set(query, (asked.get(query) ?? 0) + 1);
    setImmediate(() =>
      answer({
        results: [{ id: '00000002', address: `1 High Street, Aberdeen, ${query}`, postcode: query }],
        totalResults: 1,
      }),
    );
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  restBaseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`;
});
afterAll(() => new Promise((done) => service.close(done)));

/** A generator of its own: what it gave is known from the seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state % below;
  };
}

async function goOn(folder: string, batchId: string, limit: number, killAt: number) {
  const child = fork(join(import.meta.dirname, '..', '..', 'helpers', 'batch-kill-child.ts'), [
    folder,
    key,
    batchId,
    String(limit),
    String(killAt),
  ]);
  let said: { writes: number; state: Batch['state'] } | undefined;
  child.on('message', (message: typeof said) => {
    said = message;
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return { said, killed: signal === 'SIGKILL', code };
}

const withProgram = async <T>(
  folder: string,
  work: (program: Awaited<ReturnType<typeof open>>) => Promise<T>,
): Promise<T> => {
  const program = await open(folder);
  try {
    return await work(program);
  } finally {
    await program.close();
  }
};
const open = async (folder: string) => {
  const vault = createMemoryVault();
  return unwrap(
    await startProgram({
      folder,
      keychain: { keychain: { ...vault, get: async () => ({ ok: true, value: key }) }, missing: null },
    }),
  );
};

test(`killed at ${kills} places and resumed: nothing is asked twice, no row is lost, the limit is never passed, the file is whole`, {
  timeout: 60_000 + kills * 20_000,
}, async () => {
  const random = randomFrom(20_261_122);
  let killed = 0;
  let most = 300;
  for (let round = 0; killed < kills; round += 1) {
    asked.clear();
    const folder = mkdtempSync(join(tmpdir(), 'address-console-batch-'));
    const batchId = await withProgram(folder, async (program) => {
      const connectionId = await program.connect({ restBaseUrl }, { 'lookup-key': key });
      const text = `Postcode\n${postcodes.join('\n')}\n${postcodes[0]}\nHR10 2D\n`;
      const { table } = unwrap(await program.call('batch.paste', { connectionId, text }));
      return unwrap(await program.call('batch.plan', { tableId: table?.tableId ?? '', wants: ['exists'] })).id;
    });
    // Half of the rounds meet their limit on the way, and are let go on by a person.
    const first = round % 2 === 0 ? rows : rows - 5;
    for (let turn = 0; ; turn += 1) {
      const limit = turn < 3 ? first : rows;
      const end = await goOn(folder, batchId, limit, turn < 4 && killed < kills ? 1 + random(most) : 0);
      const spent = [...asked.values()].reduce((sum, times) => sum + times, 0);
      expect(spent, `round ${round}, turn ${turn}`).toBeLessThanOrEqual(limit);
      if (end.killed) {
        killed += 1;
        continue;
      }
      expect(end.code).toBe(0);
      most = Math.max(80, end.said?.writes ?? most);
      if (end.said?.state === 'done') break;
      expect(end.said?.state).toBe('waiting');
    }
    expect(Math.max(...asked.values()), `round ${round}: asked once`).toBe(1);
    await withProgram(folder, async (program) => {
      const batch = unwrap(await program.call('batch.get', { batchId }));
      expect(batch).toMatchObject({ state: 'done', progress: { waiting: 0, 'at-work': 0, malformed: 1 } });
      expect(batch.progress.done + batch.progress.unknown).toBe(rows + 1);
      const spent = [...asked.values()].reduce((sum, times) => sum + times, 0);
      expect(batch.credits.counted).toBeGreaterThanOrEqual(spent);
      expect(batch.credits.counted).toBeLessThanOrEqual(rows);
      const page = unwrap(await program.call('batch.rows', { batchId, filter: {}, from: 0, limit: 500 }));
      for (const row of page.rows) checkRow(row);
      const saved = await program.call('batch.save', {
        batchId,
        filter: {},
        format: 'csv',
        encoding: 'utf-8-bom',
        columns: ['ac_result'],
        acknowledgement: '',
      });
      expect(unwrap(saved).rows).toBe(rows + 2);
      const name = readdirSync(folder).find((one) => one.endsWith('.result.csv')) ?? '';
      expect(readFileSync(join(folder, name), 'utf8').trim().split('\r\n')).toHaveLength(rows + 3);
    });
    removeFolder(folder);
  }
  expect(killed).toBe(kills);
});

/** A row is done with its answer, or unknown and was asked at most once. */
function checkRow({ row, given, progress, result }: BatchRow): void {
  if (row === rows + 2) {
    expect(progress).toBe('malformed');
    return;
  }
  if (progress === 'done') expect(result).toBe('exact');
  else expect(progress).toBe('unknown');
  expect(asked.get(given) ?? 0, given).toBeLessThanOrEqual(1);
  if (progress === 'done') expect(asked.get(given), given).toBe(1);
}
