import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmdirSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parse } from 'csv-parse/sync';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { saveResult } from '../../../electron/core/batch/save-result.ts';
import { openBatchFile } from '../../../electron/core/batch/store/batch-file.ts';
import { databaseName } from '../../../electron/core/storage/database/database.ts';
import { formatOneLine } from '../../../electron/demo-service/gazetteer/format.ts';
import { systemClock } from '../../../electron/platform/clock.ts';
import { renderMoneyClaims } from '../../../shared/claims/money-claims.ts';
import { resultColumns } from '../../../shared/domain/batch.ts';
import type { ConnectionDraft } from '../../../shared/domain/connection.ts';
import { type BatchScene, openScene, openTestGazetteer } from '../../helpers/batch-scene.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { listenOnLoopback } from '../../helpers/loopback.ts';
import { editConnection, startProgram } from '../../helpers/program.ts';
import { unwrap } from '../../helpers/temp-database.ts';

/** Services that fail in the middle of a batch. Their meter shows that the program never repeats a call by itself. */

const folder = mkdtempSync(join(tmpdir(), 'address-console-bad-services-'));
const gazetteer = openTestGazetteer();
const postcodes = gazetteer.samplePostcodes(60);
let used = 0;
/** A table of postcodes that no other test searches for. */
const table = (rows: number): string => {
  const some = postcodes.slice(used, used + rows);
  used += rows;
  return `Postcode\n${some.join('\n')}\n`;
};

const scenes: BatchScene[] = [];
const open = async (...options: Parameters<typeof openScene>) => {
  const scene = await openScene(...options);
  scenes.push(scene);
  return scene;
};
afterEach(async () => {
  used = 0;
  for (const scene of scenes.splice(0)) await scene.close();
});
afterAll(() => {
  gazetteer.close();
  removeFolder(folder);
});

const add = (scene: BatchScene, credits: number) =>
  fetch(new URL('/__demo/credits', scene.service.soapUrl), {
    method: 'POST',
    body: JSON.stringify({ add: credits }),
    headers: { 'content-type': 'application/json' },
  });

/** Changes the addresses of the connection's service. */
const move = (scene: BatchScene, addresses: Partial<ConnectionDraft>) =>
  editConnection(scene.program, scene.connectionId, addresses);

const searches = async (scene: BatchScene) => (await scene.service.meter()).calls.Search?.hits ?? 0;

describe('429', () => {
  test('a row that was refused once is asked again, and its two calls are counted', async () => {
    const scene = await open();
    const batch = await scene.plan(table(3), 'exists');
    await scene.service.setFaults({ kind: 'status', status: 429, on: 'Search', times: 1 });
    const end = await scene.run(batch.id, { rate: 1 });
    expect(end).toMatchObject({ state: 'done', again: 1, progress: { done: 3 } });
    expect(end.credits.counted).toBe(4);
    expect(await searches(scene)).toBe(4);
  });

  test('a row is sent again twice at most and then fails; each call counts towards the limit', async () => {
    const scene = await open();
    const batch = await scene.plan(table(2), 'exists');
    await scene.service.setFaults({ kind: 'status', status: 429, on: 'Search', times: 3 });
    const end = await scene.run(batch.id, { rate: 0.4 });
    expect(end).toMatchObject({ state: 'done', progress: { done: 1, failed: 1 } });
    expect(await searches(scene)).toBe(4);
    const failed = (await scene.rows(batch.id)).find(({ progress }) => progress === 'failed');
    expect(failed).toMatchObject({
      reason: 'refused-429',
      text: 'asked again after 429: 2',
      credits: { least: 0, most: 3 },
    });
  });

  test('Retry-After of a real rate limit is waited for before anything else is sent', async () => {
    const waits: number[] = [];
    let uptime = 0;
    const scene = await open({
      service: ['--rate-limit', '3'],
      program: {
        pauses: {
          uptime: () => uptime,
          wait: async (ms) => {
            waits.push(ms);
            uptime += ms;
          },
        },
      },
    });
    const batch = await scene.plan(table(5), 'exists');
    // The service's Retry-After is whole seconds, 1 to 60; the rate's pauses are multiples of 2,564.1 ms, so the two are distinguishable.
    await scene.run(batch.id, { rate: 0.39 });
    expect(waits.some((ms) => ms > 500 && Math.abs(ms - Math.round(ms / 1000) * 1000) < 1)).toBe(true);
  });
});

test('a Retry-After that is the last date there is stops no batch', async () => {
  const scene = await open();
  const batch = await scene.plan(table(1), 'exists');
  let asked = 0;
  const service = createServer((_request, response) => {
    asked += 1;
    if (asked === 1) response.writeHead(429, { 'retry-after': 'Sat, 13 Sep 275760 00:00:00 GMT' }).end('{}');
    else response.writeHead(402).end('{}');
  });
  await listenOnLoopback(service);
  try {
    await move(scene, { restBaseUrl: `http://127.0.0.1:${(service.address() as AddressInfo).port}/` });
    expect(await scene.run(batch.id)).toMatchObject({ state: 'waiting', wait: { kind: 'credits' } });
  } finally {
    await new Promise((done) => service.close(done));
  }
});

test('a batch that waits for a person says so at once, and not when a Retry-After is over', async () => {
  const awake: boolean[] = [];
  const scene = await open({
    program: {
      keepAwake: (isNeeded) => void awake.push(isNeeded),
      pauses: {
        uptime: () => performance.now(),
        // Only what ends them ends the waits for a Retry-After.
        wait: (ms, signal) =>
          ms < 60_000 ? Promise.resolve() : new Promise((done) => signal.addEventListener('abort', () => done())),
      },
    },
  });
  const batch = await scene.plan(table(2), 'exists');
  // The first call is told to come back in an hour, then the one that left beside it that the credits are used up.
  const asked: ServerResponse[] = [];
  const answer = (response: ServerResponse | undefined, status: number, headers = {}) =>
    new Promise<void>((done) => response?.writeHead(status, headers).end('{}', done));
  const service = createServer(async (request, response) => {
    if (!request.url?.includes('Search')) return void answer(response, 404);
    asked.push(response);
    if (asked.length !== 2) return;
    await answer(asked[0], 429, { 'retry-after': '3600' });
    await expect.poll(async () => (await scene.get(batch.id)).backoff?.kind).toBe('rate-limited');
    // Nor is the computer kept awake until then.
    expect(awake).toEqual([true, false]);
    await answer(asked[1], 402);
  });
  await listenOnLoopback(service);
  try {
    await move(scene, { restBaseUrl: `http://127.0.0.1:${(service.address() as AddressInfo).port}/` });
    const end = await scene.run(batch.id);
    expect(end).toMatchObject({ state: 'waiting', wait: { kind: 'credits' }, backoff: null });
    expect(asked).toHaveLength(2);
  } finally {
    await new Promise((done) => service.close(done));
  }
});

test('an unknown outcome ends its own row, is never asked again by itself, and only a tick asks it once more', async () => {
  const scene = await open();
  const batch = await scene.plan(table(4), 'exists');
  await scene.service.setFaults({ kind: 'cut', on: 'Search', times: 1 });
  const end = await scene.run(batch.id, { rate: 0.4 });
  expect(end).toMatchObject({ state: 'done', progress: { done: 3, unknown: 1 } });
  expect(end.credits).toMatchObject({ counted: 4, unknown: 1 });
  const unknown = (await scene.rows(batch.id)).find(({ progress }) => progress === 'unknown');
  expect(unknown).toMatchObject({ reason: 'sent-no-answer', credits: { least: 0, most: 1 } });
  expect(renderMoneyClaims(unknown?.claims ?? [], { today: '' })).toMatch(/^No complete answer came by/);
  const row = unknown?.row ?? 0;
  expect(
    await scene.program.call('batch.not-done', { batchId: batch.id, unknown: [], failed: { all: true, but: [] } }),
  ).toMatchObject({
    value: { rows: 0 },
  });
  await scene.run(batch.id);
  expect(await searches(scene)).toBe(4);
  const { id: batchId } = batch;
  const again = await scene.program.call('batch.not-done', { batchId, unknown: [row], failed: { all: true, but: [] } });
  expect(again).toMatchObject({ value: { rows: 1, credits: { least: 1, most: 1 } } });
  const terms = { limit: 100, minimumBalance: null, rate: 50, keyLabel: null, goOnUntil: null };
  await scene.program.call('batch.run-not-done', { batchId, unknown: [row], failed: { all: true, but: [] }, ...terms });
  await scene.program.core.batches.ended(batchId);
  expect(await searches(scene)).toBe(5);
  // The first call still has no complete answer, whatever the second one brought.
  expect(await scene.get(batchId)).toMatchObject({ progress: { done: 4 }, credits: { counted: 5, unknown: 1 } });
});

test('a row that is let go again, and whose program is killed before its call leaves, is asked then; the earlier call counts once', async () => {
  const scene = await open();
  const { id } = await scene.plan(table(1), 'exists');
  await scene.service.setFaults({ kind: 'cut', on: 'Search', times: 1 });
  expect(await scene.run(id)).toMatchObject({ progress: { unknown: 1 }, credits: { counted: 1, unknown: 1 } });
  // As the kill leaves it.
  const file = openBatchFile(join(scene.program.folder, 'batches'), id);
  await file.openAgain({ unknown: [1], failed: { all: false, but: [] } });
  file.markAsked(1, 1, new Date().toISOString(), 1, true);
  file.close();
  expect(await scene.run(id)).toMatchObject({ progress: { done: 1 }, credits: { counted: 2, unknown: 1 } });
  expect(await searches(scene)).toBe(2);
  expect(await scene.rows(id)).toMatchObject([{ credits: { least: 1, most: 2 } }]);
});

test('a free search that was under way when the program was killed is unknown, and not asked again: it is in no ledger', async () => {
  const scene = await open({ soap: true });
  const { id, plan } = await scene.plan(table(1), 'exists');
  expect(plan.credits).toEqual({ least: 0, most: 0 });
  // As the kill leaves it.
  const file = openBatchFile(join(scene.program.folder, 'batches'), id);
  file.markAsked(1, 1, new Date().toISOString(), 0, false);
  file.close();
  expect(await scene.run(id)).toMatchObject({ state: 'done', progress: { unknown: 1 } });
  expect((await scene.service.meter()).calls.SearchPremise_ByPostcode?.hits ?? 0).toBe(0);
});

test('killed while its rows not done are run it says what is left and at which price, not what was left before', async () => {
  const scene = await open();
  const { id: batchId } = await scene.plan(table(3), 'exists');
  await scene.service.setFaults({ kind: 'status', status: 422, on: 'Search', times: 3 });
  expect(await scene.run(batchId)).toMatchObject({ state: 'done', progress: { failed: 3 }, left: { rows: 0 } });
  await scene.service.setFaults({ kind: 'delay', milliseconds: 60_000, on: 'Search', times: 'always' });
  const again = { batchId, unknown: [], failed: { all: true, but: [] } };
  const terms = { limit: 100, minimumBalance: null, rate: 50, keyLabel: null, goOnUntil: null };
  unwrap(await scene.program.call('batch.run-not-done', { ...again, ...terms }));
  await expect.poll(() => searches(scene)).toBe(6);
  // As a kill leaves it.
  const killed = join(folder, 'killed');
  cpSync(scene.program.folder, killed, { recursive: true });
  await scene.service.clearFaults();
  const next = unwrap(await startProgram({ folder: killed }));
  try {
    expect(unwrap(await next.call('batch.get', { batchId }))).toMatchObject({
      state: 'paused',
      progress: { failed: 0, 'at-work': 3 },
      // A call that was under way is made again only if it had not left.
      left: { rows: 3, credits: { least: 0, most: 3 } },
    });
    const get = async () => unwrap(await next.call('batch.get', { batchId }));
    const file = join(killed, 'batches', `${batchId}.sqlite`);
    const sql = new DatabaseSync(file);
    sql.exec("CREATE TRIGGER full BEFORE UPDATE ON ledger_seen BEGIN SELECT raise(ABORT, 'full'); END");
    expect(await next.call('batch.run', { batchId, ...terms })).toMatchObject({ error: { code: 'storage-failed' } });
    expect(await get()).toMatchObject({ state: 'paused', left: { rows: 3, credits: { least: 0, most: 3 } } });
    sql.exec('DROP TRIGGER full');
    sql.close();
    // While it cannot be opened the price is not known.
    renameSync(file, `${file}.aside`);
    mkdirSync(file);
    expect(await next.call('batch.run', { batchId, ...terms })).toMatchObject({ error: { code: 'storage-failed' } });
    expect(await get()).toMatchObject({ state: 'paused', left: { credits: null } });
    rmdirSync(file);
    renameSync(`${file}.aside`, file);
    expect(await get()).toMatchObject({ state: 'paused', left: { rows: 3, credits: { least: 0, most: 3 } } });
  } finally {
    await next.close();
  }
});

test('a run whose file takes no answers any more says at its end that what was under way may be asked again', async () => {
  const scene = await open();
  const { id } = await scene.plan(table(3), 'exists');
  const sql = new DatabaseSync(join(scene.program.folder, 'batches', `${id}.sqlite`));
  sql.exec(`CREATE TRIGGER full BEFORE UPDATE OF state ON asks WHEN OLD.state = 'asked'
    BEGIN SELECT raise(ABORT, 'full'); END`);
  const end = await scene.run(id);
  expect(end).toMatchObject({ state: 'waiting', wait: { kind: 'storage' }, left: { rows: 3 } });
  // What was under way, or not asked yet, costs a credit each if it had not left.
  expect(end.left.credits?.most).toBe(3);
  // As with a price that was unknown at the end: it is counted again.
  const database = new DatabaseSync(join(scene.program.folder, databaseName));
  database.exec("UPDATE batches SET facts = json_set(facts, '$.left.credits', json('null'))");
  database.close();
  expect((await scene.get(id)).left).toEqual(end.left);
  sql.exec('DROP TRIGGER full');
  sql.close();
  expect(await scene.run(id)).toMatchObject({ state: 'done', credits: { counted: 3 } });
  expect(await searches(scene)).toBe(3);
});

test('rows not done whose run cannot begin stay as they were', async () => {
  const scene = await open();
  const { id: batchId } = await scene.plan(table(2), 'exists');
  await scene.service.setFaults({ kind: 'cut', on: 'Search', times: 2 });
  expect(await scene.run(batchId)).toMatchObject({ state: 'done', progress: { unknown: 2 } });
  const sql = new DatabaseSync(join(scene.program.folder, databaseName));
  sql.exec(`CREATE TRIGGER refused BEFORE UPDATE ON batches BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END`);
  const ticked = { batchId, unknown: [1, 2], failed: { all: true, but: [] } };
  const terms = { limit: 100, minimumBalance: null, rate: 50, keyLabel: null, goOnUntil: null };
  const refused = await scene.program.call('batch.run-not-done', { ...ticked, ...terms });
  expect(refused).toMatchObject({ ok: false, error: { code: 'storage-failed' } });
  sql.exec('DROP TRIGGER refused');
  sql.close();
  // Without a tick nothing of it is asked.
  expect(await scene.run(batchId)).toMatchObject({ state: 'done', progress: { unknown: 2 } });
  expect(await searches(scene)).toBe(2);
});

test('a tick at a row that says the same as an earlier one asks both once more', async () => {
  const scene = await open();
  const [head, postcode] = table(1).split('\n');
  const batch = await scene.plan(`${head}\n${postcode}\n${postcode}\n`, 'exists');
  await scene.service.setFaults({ kind: 'cut', on: 'Search', times: 1 });
  expect(await scene.run(batch.id)).toMatchObject({ progress: { unknown: 2 } });
  const again = { batchId: batch.id, unknown: [2], failed: { all: true, but: [] } };
  const left = unwrap(await scene.program.call('batch.not-done', again));
  expect(left).toEqual({ rows: 2, credits: { least: 1, most: 1 }, unknown: 2, isUnknownFree: false });
  const terms = { limit: 100, minimumBalance: null, rate: 50, keyLabel: null, goOnUntil: null };
  unwrap(await scene.program.call('batch.run-not-done', { ...again, ...terms }));
  await scene.program.core.batches.ended(batch.id);
  expect(await scene.get(batch.id)).toMatchObject({ state: 'done', progress: { done: 2, waiting: 0, unknown: 0 } });
  expect(await searches(scene)).toBe(2);
});

test('of a call that was refused (429) and one that brought no answer only the second counts as without one', async () => {
  const scene = await open();
  const batch = await scene.plan(table(1), 'exists');
  await scene.service.setFaults({ kind: 'status', status: 429, on: 'Search', times: 1 });
  await scene.service.setFaults({ kind: 'cut', on: 'Search', times: 1 });
  const end = await scene.run(batch.id);
  expect(end).toMatchObject({ progress: { unknown: 1 }, again: 1, credits: { counted: 2, unknown: 1 } });
});

test('running out of credits stops the batch at the first refusal; resumed, answered rows are not sent again', async () => {
  const scene = await open({ service: ['--credits', '3'] });
  const batch = await scene.plan(table(6), 'exists');
  const stopped = await scene.run(batch.id, { rate: 0.4 });
  expect(stopped.state).toBe('waiting');
  expect(stopped.wait).toMatchObject({ kind: 'credits', code: 'refused-402', row: 4 });
  expect(stopped.progress).toMatchObject({ done: 3, stopped: 1, waiting: 2 });
  expect(renderMoneyClaims(stopped.wait?.claims ?? [], { today: '' })).toContain('The service refused it (402).');
  expect(await searches(scene)).toBe(4);
  await add(scene, 100);
  const end = await scene.run(batch.id, { rate: 0.4 });
  expect(end).toMatchObject({ state: 'done', progress: { done: 6 } });
  expect(await searches(scene)).toBe(7);
});

test('a revoked key stops the batch at the first refusal', async () => {
  const scene = await open();
  const batch = await scene.plan(table(5), 'exists');
  await scene.service.setFaults({ kind: 'status', status: 403, on: 'Search', after: 2, times: 'always' });
  const stopped = await scene.run(batch.id, { rate: 0.4 });
  expect(stopped).toMatchObject({
    state: 'waiting',
    wait: { kind: 'key', code: 'refused-403' },
    progress: { done: 2 },
  });
  expect(await searches(scene)).toBe(3);
});

test('other refusals end their rows, and five of the same kind stop the batch', async () => {
  const scene = await open();
  const batch = await scene.plan(table(9), 'exists');
  await scene.service.setFaults({ kind: 'status', status: 422, on: 'Search', times: 'always' });
  const stopped = await scene.run(batch.id, { rate: 0.4 });
  expect(stopped).toMatchObject({
    state: 'waiting',
    wait: { kind: 'refused', code: 'refused-422' },
    progress: { failed: 5, waiting: 4 },
  });
  expect(await searches(scene)).toBe(5);
});

describe('404, by which a server may mean that it has no such page', () => {
  const sampled = gazetteer.sample(9).map(({ id }) => id);
  const tableOf = (ids: readonly string[]) => `Premise id\n${ids.join('\n')}\n`;

  test('no row of a search reads “nothing found”, and five of them stop the batch', async () => {
    const scene = await open();
    const batch = await scene.plan(table(9), 'exists');
    await scene.service.setFaults({ kind: 'status', status: 404, body: '', on: 'Search', times: 'always' });
    expect(await scene.run(batch.id, { rate: 0.4 })).toMatchObject({
      state: 'waiting',
      wait: { kind: 'refused', code: 'refused-404', what: expect.stringContaining('the server has no such page') },
      progress: { failed: 5, waiting: 4, done: 0 },
    });
    const [row] = await scene.rows(batch.id);
    const text = 'the answer was 404, nothing was found or the server has no such page';
    expect(row).toMatchObject({ progress: 'failed', reason: 'refused-404', text });
    expect(await searches(scene)).toBe(5);
  });

  test('no row of an id reads “no such premise”, and five of them stop the batch before anything was answered', async () => {
    const scene = await open();
    const batch = await scene.plan(tableOf(sampled), 'coordinates');
    await scene.service.setFaults({ kind: 'status', status: 404, body: '', on: 'GetPremise', times: 'always' });
    expect(await scene.run(batch.id, { rate: 0.4 })).toMatchObject({
      state: 'waiting',
      wait: { kind: 'refused', code: 'not-found-404' },
      progress: { done: 5, waiting: 4 },
    });
    const text = 'the answer was 404: no such premise, or the server has no such page';
    expect((await scene.rows(batch.id))[0]).toMatchObject({ result: 'none', reason: 'not-found-404', text });
  });

  test('of a service that says so of ids that it does not know, once it has answered one a list is run to its end', async () => {
    const scene = await open();
    const unknown = Array.from({ length: 8 }, (_, n) => `9999990${n}`);
    const batch = await scene.plan(tableOf([sampled[0] ?? '', ...unknown]), 'coordinates');
    expect(await scene.run(batch.id, { rate: 0.4 })).toMatchObject({ state: 'done', results: { exact: 1, none: 8 } });
  });

  test('of such a service it ends a run of failures, as any answer of its own does', async () => {
    const scene = await open();
    const unknown = Array.from({ length: 10 }, (_, n) => `9999990${n}`);
    const batch = await scene.plan(tableOf([sampled[0] ?? '', ...unknown]), 'coordinates');
    // Each applies to the second call after the one before it.
    const fault = { kind: 'status', status: 504, on: 'GetPremise', after: 1 } as const;
    await scene.service.setFaults(...Array.from({ length: 5 }, () => fault));
    const end = await scene.run(batch.id, { rate: 0.4 });
    expect(end).toMatchObject({ state: 'done', progress: { done: 6, unknown: 5 }, results: { exact: 1, none: 5 } });
  });

  test('it shows that the network is there again', async () => {
    const seen: unknown[] = [];
    let uptime = 0;
    const scene = await open({
      program: {
        pauses: {
          uptime: () => uptime,
          wait: async (ms) => {
            uptime += ms;
            seen.push((await scene.get(batch.id)).backoff?.kind ?? null);
            await move(scene, { restBaseUrl: scene.service.restBaseUrl });
          },
        },
      },
    });
    const batch = await scene.plan(tableOf(['99999901', '99999902', '99999903']), 'coordinates');
    // Nothing listens on this port.
    await move(scene, { restBaseUrl: 'http://127.0.0.1:9/' });
    expect(await scene.run(batch.id, { rate: 0.4 })).toMatchObject({ state: 'done', results: { none: 3 } });
    expect(seen).toContain('network');
    expect(seen.at(-1)).toBeNull();
  });
});

test('a computer whose network is gone may fall asleep after ten minutes, and is kept awake again once it is there', async () => {
  const awake: boolean[] = [];
  let passed = 0;
  const waited: number[] = [];
  const scene = await open({
    program: {
      keepAwake: (isNeeded) => {
        if (awake.at(-1) === isNeeded) return;
        awake.push(isNeeded);
        waited.push(Math.floor(passed / 60_000));
      },
      clock: { now: () => systemClock.now() + passed },
      pauses: {
        uptime: () => passed,
        wait: async (ms) => {
          passed += ms;
          if (passed > 1_200_000) await move(scene, { restBaseUrl: scene.service.restBaseUrl });
        },
      },
    },
  });
  const batch = await scene.plan(table(2), 'exists');
  // Nothing listens on this port.
  await move(scene, { restBaseUrl: 'http://127.0.0.1:9/' });
  expect(await scene.run(batch.id)).toMatchObject({ state: 'done' });
  expect(awake).toEqual([true, false, true, false]);
  expect(waited[0]).toBe(0);
  expect(waited[1]).toBeGreaterThanOrEqual(9);
  expect(waited[1]).toBeLessThan(11);
});

const timedOut =
  '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><s:Fault><faultcode>s:Server</faultcode><faultstring>backend timed out</faultstring></s:Fault></s:Body></s:Envelope>';

test.each([
  ['by status', { status: 504 }, 'Search'],
  ['in a SOAP fault', { status: 504, body: timedOut, type: 'text/xml' }, 'SearchPremise_ByPostcode'],
  [
    'in a body under 200',
    { status: 200, body: '{"status":504,"message":"backend timed out"}', type: 'application/json' },
    'Search',
  ],
])(
  'a status from 500 on, %s, is no refusal: its rows are unknown, and are sent again only if a person ticks them',
  async (_how, fault, on) => {
    const scene = await open({ soap: on !== 'Search' });
    const batch = await scene.plan(table(6), 'exists');
    const { id: batchId } = batch;
    await scene.service.setFaults({ kind: 'status', ...fault, on, times: 'always', execute: true });
    const stopped = await scene.run(batchId, { rate: 0.4 });
    expect(stopped).toMatchObject({
      state: 'waiting',
      wait: { kind: 'refused', code: 'http-504', serviceText: '', what: expect.stringContaining('HTTP 504') },
      progress: { unknown: 5, waiting: 1, failed: 0 },
    });
    const [row] = await scene.rows(batchId);
    expect(row).toMatchObject({ progress: 'unknown', reason: 'http-504', text: '' });
    if (on === 'Search')
      expect(renderMoneyClaims(row?.claims ?? [], { today: '' })).toMatch(
        /could not be used\. A charge may still come/,
      );
    await scene.service.clearFaults();
    const takes = async (unknown: number[]) =>
      unwrap(await scene.program.call('batch.not-done', { batchId, unknown, failed: { all: true, but: [] } }));
    expect(await takes([])).toMatchObject({ rows: 1, unknown: 0 });
    expect(await takes([1])).toMatchObject({ rows: 2, unknown: 1 });
  },
);

test('only failed rows that a person leaves ticked are sent again, at a price said before', async () => {
  const scene = await open();
  const some = table(4).trim().split('\n');
  const [head, first = '', second = '', third = '', fourth = ''] = some;
  // The fifth row is the same as the first.
  const batch = await scene.plan([head, first, second, third, fourth, first].join('\n'), 'exists');
  await scene.service.setFaults({ kind: 'status', status: 422, on: 'Search', times: 'always' });
  const { id: batchId } = batch;
  expect(await scene.run(batchId, { rate: 0.4 })).toMatchObject({ state: 'done', progress: { failed: 5 } });
  await scene.service.clearFaults();
  const takes = async (all: boolean, ...but: number[]) =>
    unwrap(await scene.program.call('batch.not-done', { batchId, unknown: [], failed: { all, but } }));
  expect(await takes(true)).toMatchObject({ rows: 5, credits: { most: 4 } });
  expect(await takes(false)).toMatchObject({ rows: 0 });
  expect(await takes(true, 2)).toMatchObject({ rows: 4, credits: { most: 3 } });
  expect(await takes(false, 1)).toMatchObject({ rows: 2, credits: { least: 1, most: 1 } });
  const before = await searches(scene);
  const terms = { limit: 100, minimumBalance: null, rate: 50, keyLabel: null, goOnUntil: null };
  const failed = { all: false, but: [1] };
  unwrap(await scene.program.call('batch.run-not-done', { batchId, unknown: [], failed, ...terms }));
  await scene.program.core.batches.ended(batchId);
  expect(await scene.get(batchId)).toMatchObject({ state: 'done', progress: { done: 2, failed: 3 } });
  expect(await searches(scene)).toBe(before + 1);
  expect((await scene.rows(batchId)).map(({ progress }) => progress)).toEqual([
    'done',
    'failed',
    'failed',
    'failed',
    'done',
  ]);
});

test('a slow service: rows at work are shown, a pause waits for them and sends nothing more, and after resuming nothing is sent twice', async () => {
  const scene = await open();
  const batch = await scene.plan(table(20), 'exists');
  const terms = { limit: 100, minimumBalance: null, rate: 50, keyLabel: null, goOnUntil: null };
  // Longer than the test: it lasts until the fault is cleared.
  const slow = { kind: 'delay', milliseconds: 25_000, on: 'Search', times: 'always' } as const;
  await scene.service.setFaults(slow);
  unwrap(await scene.program.call('batch.run', { batchId: batch.id, ...terms }));
  const atWork = async () => (await scene.get(batch.id)).progress['at-work'];
  await expect.poll(atWork).toBe(8);
  const meanwhile = await scene.get(batch.id);
  expect(meanwhile).toMatchObject({ state: 'running', progress: { 'at-work': 8, waiting: 12, done: 0 } });
  expect(meanwhile.secondsLeft).toBeGreaterThan(0);
  // Each call counts with its highest price before it is sent.
  await expect.poll(async () => (await scene.get(batch.id)).credits.counted).toBe(8);
  const pausing = scene.program.call('batch.pause', { batchId: batch.id });
  await scene.service.clearFaults();
  expect(unwrap(await pausing)).toMatchObject({ state: 'paused', progress: { done: 8, 'at-work': 0, waiting: 12 } });
  expect(await searches(scene)).toBe(8);

  await scene.service.setFaults(slow);
  unwrap(await scene.program.call('batch.run', { batchId: batch.id, ...terms }));
  await expect.poll(atWork).toBe(8);
  await scene.service.clearFaults();
  await scene.program.core.batches.ended(batch.id);
  expect(await scene.get(batch.id)).toMatchObject({ state: 'done', progress: { done: 20 }, credits: { counted: 20 } });
  expect(await searches(scene)).toBe(20);
});

test.each(['pause', 'stop'] as const)('%s during the last call, or after it: the batch is done', async (how) => {
  const scene = await open();
  const batch = await scene.plan(table(1), 'exists');
  const terms = { limit: 100, minimumBalance: null, rate: 50, keyLabel: null, goOnUntil: null };
  await scene.service.setFaults({ kind: 'delay', milliseconds: 25_000, on: 'Search' });
  unwrap(await scene.program.call('batch.run', { batchId: batch.id, ...terms }));
  await expect.poll(async () => (await scene.service.meter()).calls.Search?.hits).toBe(1);
  const ending = scene.program.call(`batch.${how}`, { batchId: batch.id });
  await scene.service.clearFaults();
  const end = unwrap(await ending);
  expect(end).toMatchObject({ state: 'done', progress: { done: 1 }, left: { rows: 0 } });
  expect(unwrap(await scene.program.call(`batch.${how}`, { batchId: batch.id }))).toEqual(end);
});

test('a service slower than the time-out: each outcome is unknown, the batch waits, and none is sent again', async () => {
  const scene = await open();
  unwrap(await scene.program.call('settings.save', { timeoutSeconds: 2 }));
  const batch = await scene.plan(table(8), 'exists');
  await scene.service.setFaults({ kind: 'delay', milliseconds: 25_000, on: 'Search', times: 'always' });
  const stopped = await scene.run(batch.id);
  expect(stopped).toMatchObject({ state: 'waiting', wait: { kind: 'refused' } });
  const { unknown } = stopped.progress;
  expect(unknown).toBeGreaterThanOrEqual(5);
  // On a busy machine the time-out may be over before a request has reached the service.
  const reached = await searches(scene);
  expect(reached).toBeLessThanOrEqual(unknown);
  expect(stopped.credits).toMatchObject({ counted: unknown, unknown });
  await scene.service.clearFaults();
  const end = await scene.run(batch.id);
  expect(end).toMatchObject({ state: 'done', progress: { done: 8 - unknown, unknown } });
  expect(await searches(scene)).toBe(reached + 8 - unknown);
});

test('a service that is down for a while: the batch waits, resumes by itself, and sends nothing twice', async () => {
  let waits = 0;
  const scene = await open({
    program: {
      pauses: {
        uptime: () => performance.now() + waits * 60_000,
        wait: async (ms) => {
          if (ms < 1000) return;
          waits += 1;
          if (waits === 3) await moveTo(scene.service.restBaseUrl);
        },
      },
    },
  });
  const moveTo = (restBaseUrl: string) => move(scene, { restBaseUrl });
  const batch = await scene.plan(table(3), 'exists');
  // Nothing listens on this port.
  await moveTo('http://127.0.0.1:9/');
  const end = await scene.run(batch.id);
  expect(waits).toBeGreaterThanOrEqual(3);
  expect(end).toMatchObject({ state: 'done', progress: { done: 3 } });
  expect(end.credits.counted).toBe(3);
  expect(await searches(scene)).toBe(3);
});

test('the computer sleeps during a batch: the call under way is not sent again, the rest continues within the same limit', async () => {
  let asleep = 0;
  let waits = 0;
  const scene = await open({
    program: {
      // While the computer sleeps, the monotonic clock stands still and the time of day does not.
      clock: { ...systemClock, now: () => systemClock.now() + asleep },
      pauses: {
        uptime: () => performance.now() + waits * 2500,
        wait: async () => {
          waits += 1;
          if (waits === 2) asleep = 9 * 3_600_000;
        },
      },
    },
  });
  const batch = await scene.plan(table(6), 'exists');
  // The third call's answer is lost with the connection, as after waking up.
  await scene.service.setFaults({ kind: 'cut', on: 'Search', after: 2, times: 1 });
  const end = await scene.run(batch.id, { rate: 0.4, limit: 6 });
  expect(asleep).toBeGreaterThan(0);
  expect(end).toMatchObject({ state: 'done', progress: { done: 5, unknown: 1 }, credits: { counted: 6, unknown: 1 } });
  expect(await searches(scene)).toBe(6);
});

test('a service that charges twice: the batch stops and says what the balance did', async () => {
  const scene = await open({ service: ['--price', 'Search=2'] });
  await scene.program.core.reader.read(scene.connectionId, 'rest-key');
  const batch = await scene.plan(table(40), 'exists');
  const stopped = await scene.run(batch.id);
  expect(stopped.state).toBe('waiting');
  expect(stopped.wait?.kind).toBe('fell-more');
  expect(renderMoneyClaims(stopped.wait?.claims ?? [], { today: '' })).toContain('The balance fell by');
  expect(stopped.progress.waiting).toBeGreaterThan(0);
});

test('answers under a Return_Code that is not published: the row says so in the window and in the file, also reopened', async () => {
  const scene = await open({ soap: true });
  const { soapUrl } = scene.service;
  /** The first record alone has another code, which is published: that it found nothing. */
  let isOfFirst = false;
  /** Words beside the list. */
  let beside = '';
  const proxy = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const { 'content-type': type = 'text/xml', soapaction = '' } = request.headers;
    const isPost = request.method === 'POST';
    const headers = { 'content-type': type, ...(soapaction === '' ? {} : { soapaction: String(soapaction) }) };
    const answer = await fetch(new URL(request.url ?? '/', soapUrl), {
      method: request.method ?? 'GET',
      ...(isPost ? { body, headers } : {}),
    });
    const code = body.includes('GetPremiseAddress') ? '8' : '7';
    const plain = await answer.text();
    const text = isOfFirst
      ? plain.replace('>1</Return_Code>', '>0</Return_Code>')
      : plain.replaceAll('>1</Return_Code>', `>${code}</Return_Code>`);
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
    const message = /<ErrorMessage\s*\/>|<ErrorMessage><\/ErrorMessage>/;
    response.end(beside === '' ? text : text.replace(message, `<ErrorMessage>${beside}</ErrorMessage>`));
  });
  await listenOnLoopback(proxy);
  try {
    const { port } = proxy.address() as AddressInfo;
    await move(scene, { restBaseUrl: '', soapUrl: `http://127.0.0.1:${port}${new URL(soapUrl).pathname}` });
    const [first = '', second = '', third = ''] = postcodes;
    const { connectionId, program } = scene;
    const { results } = unwrap(await program.call('lookup.search', { connectionId, text: first, interface: 'soap' }));
    const found = await scene.plan(`Address\n"${results[0]?.line}"\n`, 'full');
    expect(await scene.run(found.id)).toMatchObject({ state: 'done', results: { exact: 1 } });
    expect(await scene.rows(found.id)).toMatchObject([{ result: 'exact', returnCode: '7 and 8' }]);
    const listed = await scene.plan(`Postcode\n${second}\n`, 'exists');
    await scene.run(listed.id);
    expect(await scene.rows(listed.id)).toMatchObject([{ result: 'exact', returnCode: '7' }]);
    isOfFirst = true;
    const last = await scene.plan(`Postcode\n${third}\n`, 'exists');
    await scene.run(last.id);
    const [row] = await scene.rows(last.id);
    expect(row?.result).toBe('exact');
    expect(row).not.toHaveProperty('returnCode');
    // A list that may be a part does not show that what it does not name is not there.
    beside = 'The first 100 are returned.';
    const part = await scene.plan(`Address\n"999 North Pole, ${postcodes[3]}"\n`, 'all-premises');
    await scene.run(part.id);
    expect(await scene.rows(part.id)).toMatchObject([{ result: 'premise-not-found', reason: 'list-cut' }]);
    const partFile = join(folder, 'part.csv');
    unwrap(
      await saveResult(
        program.core.batches,
        { batchId: part.id, filter: {}, columns: resultColumns, acknowledgement: '' },
        partFile,
      ),
    );
    expect(readFileSync(partFile, 'utf8')).toContain('| … perhaps more');
    beside = '';

    const file = join(folder, 'codes.csv');
    const save = { filter: {}, columns: resultColumns, acknowledgement: '' };
    unwrap(await saveResult(program.core.batches, { batchId: found.id, ...save }, file));
    expect(parse(readFileSync(file), { columns: true, bom: true })).toMatchObject([{ ac_return_code: '7 and 8' }]);
    const opened = unwrap(await program.core.batches.openFile(connectionId, file, 'codes.csv'));
    const { id } = unwrap(await program.core.batches.plan({ tableId: opened.tableId, wants: ['full'] }));
    expect(await scene.rows(id)).toMatchObject([{ source: { kind: 'earlier-file' }, returnCode: '7 and 8' }]);
  } finally {
    proxy.closeAllConnections();
    await new Promise((done) => proxy.close(done));
  }
});

describe('a search that is free by published prices, over SOAP', () => {
  const proxies: Server[] = [];
  afterEach(async () => {
    for (const proxy of proxies.splice(0)) await new Promise((done) => proxy.close(done));
  });

  /** A service with one account for both interfaces, which charges for each search over SOAP. */
  async function openCharging(credits: number): Promise<BatchScene> {
    const scene = await open({ soap: true });
    const { restBaseUrl, soapUrl } = scene.service;
    const proxy = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const body = Buffer.concat(parts);
      const { 'content-type': type = 'text/xml', soapaction = '' } = request.headers;
      const headers = { 'content-type': type, ...(soapaction === '' ? {} : { soapaction: String(soapaction) }) };
      const isPost = request.method === 'POST';
      const answer = await fetch(new URL(request.url ?? '/', soapUrl), {
        method: request.method ?? 'GET',
        headers: {
          ...headers,
          ...(request.headers['x-api-key'] ? { 'x-api-key': String(request.headers['x-api-key']) } : {}),
        },
        ...(isPost ? { body } : {}),
      });
      const text = Buffer.from(await answer.arrayBuffer());
      if (body.includes('SearchPremise_ByPostcode')) await add(scene, -credits);
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
      response.end(text);
    });
    proxies.push(proxy);
    await listenOnLoopback(proxy);
    const here = (url: string): string => {
      const moved = new URL(url);
      moved.port = String((proxy.address() as AddressInfo).port);
      return moved.href;
    };
    await move(scene, { restBaseUrl: here(restBaseUrl), soapUrl: here(soapUrl) });
    return scene;
  }

  test('a free search that is charged: the batch stops after ten and says what the balance did', async () => {
    const scene = await openCharging(1);
    const batch = await scene.plan(table(40), 'exists');
    expect(batch.plan.credits).toEqual({ least: 0, most: 0 });
    const stopped = await scene.run(batch.id, { limit: 0 });
    expect(stopped).toMatchObject({ state: 'waiting', wait: { kind: 'fell-more' }, credits: { counted: 0 } });
    const does =
      /^Waiting for you: look at the balance, then resume\. (\d+) searches of this run are free by published/;
    const left = Number(does.exec(stopped.wait?.does ?? '')?.[1]);
    // Calls that were sent together with the tenth still get their answers.
    expect(left).toBeGreaterThanOrEqual(10);
    expect(left).toBeLessThanOrEqual(18);
    expect(renderMoneyClaims(stopped.wait?.claims ?? [], { today: '' })).toMatch(
      /^The balance fell by 1?\d between .+ apart from those that are free by published prices\./,
    );
    expect(stopped.progress.done).toBe(left);
    // A person resumes it: the earlier fall of the balance does not stop it again, a new one does.
    const again = await scene.run(batch.id, { limit: 0 });
    expect(again).toMatchObject({ state: 'waiting', wait: { kind: 'fell-more' } });
    expect(again.progress.done).toBeGreaterThan(left);
  });

  test('an honest service does not stop the batch, nor does a fall of the balance before it began', async () => {
    const scene = await openCharging(0);
    await scene.program.core.reader.read(scene.connectionId, 'rest-key');
    await add(scene, -7);
    const batch = await scene.plan(table(12), 'exists');
    expect(await scene.run(batch.id)).toMatchObject({ state: 'done', progress: { done: 12 } });
  });

  test('if a person said that keys and licences have separate balances, a key’s balance says nothing about a licence’s calls', async () => {
    const scene = await openCharging(1);
    unwrap(await scene.program.call('credits.say-separate', { connectionId: scene.connectionId, separate: true }));
    const batch = await scene.plan(table(12), 'exists');
    expect(await scene.run(batch.id)).toMatchObject({ state: 'done', progress: { done: 12 } });
  });
});

describe('SOAP’s list and REST’s answers have two premises under one number', () => {
  // Of the demo's premises, so that its SOAP interface lists them; REST has the next one's answer under the number of each.
  const listed = gazetteer.sample(60).filter(({ subBuilding, poBox }) => subBuilding === '' && poBox === '');
  const strangerOf = new Map(listed.map(({ id }, index) => [id, listed[(index + 1) % listed.length]?.id ?? id]));
  const addresses = (from: number, to: number) =>
    `Address\n${listed
      .slice(from, to)
      .map((one) => `"${formatOneLine(one)}"\n`)
      .join('')}`;
  let service: Server | undefined;
  /** The numbers that REST answers about as the list has them. */
  const own = new Set<string>();

  async function openNumbered(): Promise<BatchScene> {
    const scene = await open({ soap: true });
    const { restBaseUrl } = scene.service;
    const server = createServer(async (request, response) => {
      const url = new URL(request.url ?? '/', restBaseUrl);
      const id = url.searchParams.get('id') ?? '';
      const other = own.has(id) ? id : (strangerOf.get(id) ?? id);
      if (id !== '') url.searchParams.set('id', other);
      const answer = await fetch(`${restBaseUrl.replace(/\/$/, '')}${url.pathname}${url.search}`);
      response.setHeader('content-type', 'application/json').statusCode = answer.status;
      response.end((await answer.text()).replaceAll(other || '-', id || '-'));
    });
    service = server;
    await listenOnLoopback(server);
    await move(scene, { restBaseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
    return scene;
  }
  afterEach(async () => {
    own.clear();
    await new Promise((done) => service?.close(done));
  });

  test('nothing of an answer that names another postcode is in the row, which says so', async () => {
    const scene = await openNumbered();
    const [first, second] = listed;
    own.add(second?.id ?? '');
    const batch = await scene.run((await scene.plan(addresses(0, 2), 'full', 'coordinates', 'uprn')).id);
    expect(batch).toMatchObject({ state: 'done', results: { exact: 1, differs: 1 } });
    const [stranger, same] = await scene.rows(batch.id);
    expect(same).toMatchObject({ result: 'exact', premiseId: second?.id });
    expect(stranger).toMatchObject({
      result: 'differs',
      reason: 'other-postcode',
      premiseId: first?.id,
      text: expect.stringMatching(
        `${first?.postcode}; the answer about its number names ${second?.postcode}, so none of it is used$`,
      ),
    });
    const file = join(folder, 'strangers.csv');
    const form = {
      filter: {},
      format: 'csv',
      encoding: 'utf-8',
      columns: [...resultColumns],
      acknowledgement: '',
    } as const;
    unwrap(await saveResult(scene.program.core.batches, { batchId: batch.id, ...form }, file));
    const files = parse(readFileSync(file), { columns: true, bom: true }) as Record<string, string>[];
    expect(files[1]).toMatchObject({ ac_uprn: `'${second?.uprn}`, ac_latitude: second?.latitude.toFixed(6) });
    expect(files[0]).toMatchObject({ ac_result: 'differs', ac_uprn: '', ac_udprn: '', ac_latitude: '' });
    expect(files[0]?.ac_address).toContain(first?.postcode);
  });

  test('five of them one after the other stop the batch: further ones would be paid for and not used', async () => {
    const scene = await openNumbered();
    const planned = await scene.plan(addresses(0, 20), 'full', 'uprn');
    const batch = await scene.run(planned.id, { rate: 0.5 });
    expect(batch).toMatchObject({
      state: 'waiting',
      wait: { kind: 'refused', code: 'other-postcode' },
      results: { differs: 5, exact: 0 },
    });
    expect(batch.progress.waiting).toBeGreaterThan(0);
  });
});
