import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBatchesRepository } from '../../../electron/core/batch/store/batches-repository.ts';
import { databaseName, openDatabase } from '../../../electron/core/storage/database/database.ts';
import { systemClock } from '../../../electron/platform/clock.ts';
import { createMemoryVault } from '../../../electron/platform/memory-vault.ts';
import type { Batch } from '../../../shared/domain/batch.ts';
import { openTestGazetteer } from '../../helpers/batch-scene.ts';
import {
  type DemoService,
  runCommandLine,
  runProgram,
  secretVariables,
  startDemo,
} from '../../helpers/demo-process.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { type Program, startProgram } from '../../helpers/program.ts';
import { unwrap } from '../../helpers/temp-database.ts';

/** A batch that may continue by itself until a given day, over restarts of the program. The days are simulated. */

let service: DemoService;
const gazetteer = openTestGazetteer();
const postcodes = gazetteer.samplePostcodes(12);
gazetteer.close();
const folders: string[] = [];

beforeAll(async () => {
  service = await startDemo('--seed', '42', '--premises', '4000');
});
afterAll(async () => {
  await service.stop();
  for (const folder of folders) removeFolder(folder);
});

const day = 86_400_000;

/** Starts the program `days()` later. After `mayAsk` calls every further one waits. `beforeKey`: what the keychain waits for. */
async function start(
  folder: string,
  days: number | (() => number),
  mayAsk = Number.POSITIVE_INFINITY,
  beforeKey: () => Promise<void> = async () => {},
): Promise<Program> {
  let waits = 0;
  return unwrap(
    await startProgram({
      folder,
      clock: { ...systemClock, now: () => systemClock.now() + (typeof days === 'number' ? days : days()) * day },
      keychain: {
        keychain: {
          ...createMemoryVault(),
          get: async () => {
            await beforeKey();
            return { ok: true, value: service.demo.lookupKey };
          },
        },
        missing: null,
      },
      pauses: {
        uptime: () => performance.now() + waits * 20_000,
        wait: (_, signal) => {
          waits += 1;
          return waits < mayAsk
            ? Promise.resolve()
            : new Promise((done) => signal?.addEventListener('abort', () => done()));
        },
      },
    }),
  );
}

/** Starts a batch of six rows, or more, and ends the program after two or three of them. */
async function begin(from: number, goOnUntil: string | null, limit = 100, rows = 6) {
  const folder = mkdtempSync(join(tmpdir(), 'address-console-goes-on-'));
  folders.push(folder);
  const program = await start(folder, 0, 3);
  const connectionId = await program.connect(
    { restBaseUrl: service.restBaseUrl },
    { 'lookup-key': service.demo.lookupKey },
  );
  const text = `Postcode\n${postcodes.slice(from, from + rows).join('\n')}\n`;
  const { table } = unwrap(await program.call('batch.paste', { connectionId, text }));
  const { id } = unwrap(await program.call('batch.plan', { tableId: table?.tableId ?? '', wants: ['exists'] }));
  const terms = { limit, minimumBalance: null, rate: 0.1, keyLabel: null, goOnUntil };
  unwrap(await program.call('batch.run', { batchId: id, ...terms }));
  await expect.poll(() => get(program, id).then(({ progress }) => progress.done)).toBeGreaterThanOrEqual(2);
  await program.close();
  return { folder, id };
}

const get = async (program: Program, batchId: string): Promise<Batch> =>
  unwrap(await program.call('batch.get', { batchId }));
const inDays = (days: number): string => new Date(systemClock.now() + days * day).toISOString();
const searches = async () => (await service.meter()).calls.Search?.hits ?? 0;

/** The batch once none of its calls is running. */
async function after(folder: string, days: number, batchId: string): Promise<Batch> {
  const program = await start(folder, days);
  try {
    await program.core.batches.ended(batchId);
    return await get(program, batchId);
  } finally {
    await program.close();
  }
}

test('a batch resumes at the next start until its set day, not after it or without one, within its limit', async () => {
  const goes = await begin(0, inDays(3));
  const before = await searches();
  expect(await after(goes.folder, 2, goes.id)).toMatchObject({
    state: 'done',
    progress: { done: 6 },
    credits: { counted: 6 },
  });
  expect(await searches()).toBeGreaterThan(before);

  const over = await begin(0, inDays(3));
  const stands = await searches();
  expect(await after(over.folder, 4, over.id)).toMatchObject({ state: 'paused', progress: { failed: 0, unknown: 0 } });
  expect(await searches()).toBe(stands);
  // The clock was set back since: to which day it goes on is not known.
  expect((await after(over.folder, -1, over.id)).state).toBe('paused');
  expect(await searches()).toBe(stands);
  const none = await begin(6, null);
  const now = await searches();
  expect((await after(none.folder, 0, none.id)).state).toBe('paused');
  expect(await searches()).toBe(now);

  const limited = await begin(6, inDays(3), 4);
  expect(await after(limited.folder, 1, limited.id)).toMatchObject({
    state: 'waiting',
    wait: { kind: 'limit' },
    progress: { done: 4 },
    credits: { counted: 4 },
  });
  // A batch that waits for a person does not continue at a start.
  expect(await after(limited.folder, 1, limited.id)).toMatchObject({ state: 'waiting', progress: { done: 4 } });
});

test('a batch that goes on by itself is paused when its day has passed, and one that a person resumes after it is not', async () => {
  const { folder, id } = await begin(0, inDays(3), 100, 12);
  let days = 1;
  const program = await start(folder, () => days, 3);
  const state = async () => (await get(program, id)).state;
  expect(await state()).toBe('running');
  days = 4;
  await expect.poll(state).toBe('paused');
  const terms = { limit: 100, minimumBalance: null, rate: 0.1, keyLabel: null, goOnUntil: inDays(3) };
  unwrap(await program.call('batch.run', { batchId: id, ...terms }));
  await new Promise((done) => setTimeout(done, 600));
  expect(await state()).toBe('running');
  await program.close();
  const sent = await searches();
  expect((await after(folder, 4, id)).state).toBe('paused');
  expect(await searches()).toBe(sent);
});

test.each([
  ['paused', 'batch.pause', 'before the program has ended'],
  ['stopped', 'batch.stop', 'before the program has ended'],
  ['paused', 'batch.pause', 'only after that'],
] as const)(
  'a batch that a person has %s (%s) does not resume by itself, though its call under way ends %s',
  async (state, what, when) => {
    // Enough rows for some to be left: otherwise the call under way would end the batch.
    const { folder, id } = await begin(0, inDays(3), 100, 12);
    // The key of the next call is asked for, and does not come.
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    let asked = false;
    const program = await start(folder, 1, Number.POSITIVE_INFINITY, async () => {
      asked = true;
      await held;
    });
    await expect.poll(() => asked).toBe(true);
    const ended = program.call(what, { batchId: id });
    const closed = program.close();
    if (when.startsWith('before')) release();
    await closed;
    release();
    await ended;
    const before = await searches();
    expect((await after(folder, 1, id)).state).toBe(state);
    expect(await searches()).toBe(before);
  },
);

// There is no signal to a process on Windows: it is ended outright.
test.skipIf(process.platform === 'win32').each([
  ['SIGINT', 'a person has interrupted: it does not go on by itself, and is resumed without its id', 'paused'],
  ['SIGINT twice', 'a person has interrupted during its call: the same', 'paused'],
  ['SIGTERM', 'was ended: it goes on by itself, as after the end of the program', 'done'],
] as const)('a command’s batch, %s: what %s', async (signal, _, state) => {
  const { folder, id } = await begin(0, inDays(3), 2, 12);
  const program = await start(folder, 0);
  const { connections } = unwrap(await program.call('connections.list', {}));
  await program.close();
  const file = join(folder, 'connection.json');
  const name = connections[0]?.connection.name;
  writeFileSync(file, JSON.stringify({ name, restBaseUrl: service.restBaseUrl }));
  const env = { ...secretVariables(service.demo), ADDRESS_CONSOLE_DATA_FOLDER: folder };
  const resume = ['batch', 'resume', '--limit', '100', '--connection', file];
  const before = await searches();
  const isTwice = signal === 'SIGINT twice';
  if (isTwice) await service.setFaults({ kind: 'hang', on: 'Search', times: 'always' });
  const run = await runProgram([...resume, '--rate', '4'], {
    env,
    during: async (child) => {
      await expect.poll(searches, { timeout: 60_000 }).toBeGreaterThan(before + 1);
      child.kill(isTwice ? 'SIGINT' : signal);
      if (!isTwice) return;
      const sql = new DatabaseSync(join(folder, databaseName), { readOnly: true });
      await expect.poll(() => sql.prepare('SELECT request FROM batches').get()?.request).toBe('interrupt');
      sql.close();
      // Within a second of the first it counts as the same.
      const again = setInterval(() => child.kill('SIGINT'), 100);
      child.once('exit', () => clearInterval(again));
    },
  });
  await service.clearFaults();
  if (isTwice) expect(run.status).toBe(null);
  else expect(run.json.value.state).toBe('paused');
  const sent = await searches();
  expect(await after(folder, 1, id)).toMatchObject({ state });
  expect((await searches()) > sent).toBe(state === 'done');
  if (state === 'done') return;
  expect((await runCommandLine([...resume, '--rate', '50'], { env })).json.value).toMatchObject({ state: 'done' });
});

test('a batch with the larger limit and minimum balance that earlier command lines took is resumed with them', async () => {
  const { folder, id } = await begin(0, null, 2);
  const db = unwrap(openDatabase({ folder, clock: systemClock }));
  const records = openBatchesRepository(db);
  for (const record of records.all())
    records.update({ ...record, facts: { ...record.facts, limit: 99_999_999, minimumBalance: 99_999_998 } });
  db.close();
  const program = await start(folder, 0);
  const { credits, minimumBalance, rate, keyLabel } = await get(program, id);
  const terms = { limit: credits.limit, minimumBalance, rate, keyLabel, goOnUntil: null };
  unwrap(await program.call('batch.run', { batchId: id, ...terms }));
  await program.core.batches.ended(id);
  expect(await get(program, id)).toMatchObject({ state: 'waiting', wait: { kind: 'minimum-balance' } });
  unwrap(await program.call('batch.run', { batchId: id, ...terms, minimumBalance: null }));
  await program.core.batches.ended(id);
  expect(await get(program, id)).toMatchObject({ state: 'done', credits: { limit: 99_999_999 } });
  await program.close();
});

/** Lets the database take no change of a batch, as a full disk does, or only none with this condition. Returns how to end that. */
function refuseStored(folder: string, condition = ''): () => void {
  const sql = new DatabaseSync(join(folder, databaseName));
  sql.exec(`CREATE TRIGGER full BEFORE UPDATE ON batches ${condition} BEGIN SELECT raise(ABORT, 'full'); END`);
  return () => {
    sql.exec('DROP TRIGGER full');
    sql.close();
  };
}

test.each(['as it runs', 'as it ends'])(
  'a wait for a person that the database did not take is stored once it does, %s: the next start resumes nothing by itself',
  async (when) => {
    const { folder, id } = await begin(0, null, 2);
    const program = await start(folder, 0);
    await service.setFaults({ kind: 'status', status: 402, on: 'Search' });
    const takeAgain = refuseStored(folder, "WHEN NEW.state = 'waiting'");
    const terms = { limit: 100, minimumBalance: null, rate: 50, keyLabel: null, goOnUntil: inDays(3) };
    unwrap(await program.call('batch.run', { batchId: id, ...terms }));
    await program.core.batches.ended(id);
    expect((await get(program, id)).state).not.toBe('waiting');
    takeAgain();
    if (when === 'as it runs') await expect.poll(async () => (await get(program, id)).wait?.kind).toBe('credits');
    await program.close();
    const sent = await searches();
    expect(await after(folder, 1, id)).toMatchObject({ state: 'waiting', wait: { kind: 'credits' } });
    expect(await searches()).toBe(sent);
  },
);

test.each(['stop', 'forget'] as const)(
  'what a person does before the end of a run is stored is not undone by it: %s',
  async (does) => {
    const { folder, id } = await begin(0, null, 2);
    const program = await start(folder, 0);
    await service.setFaults({ kind: 'status', status: 402, on: 'Search' });
    const takeAgain = refuseStored(folder, "WHEN NEW.state = 'waiting'");
    const terms = { limit: 100, minimumBalance: null, rate: 50, keyLabel: null, goOnUntil: null };
    unwrap(await program.call('batch.run', { batchId: id, ...terms }));
    await program.core.batches.ended(id);
    takeAgain();
    unwrap(await program.call(`batch.${does}`, { batchId: id }));
    // As the program ends, what could not be stored before is stored.
    await program.close();
    expect(await after(folder, 1, id)).toMatchObject({ state: 'stopped', wait: null, endedAt: expect.any(String) });
  },
);

test('a pause that the database did not take is stored as the program ends: the next start does not resume it', async () => {
  const { folder, id } = await begin(0, inDays(3), 100, 12);
  const program = await start(folder, 0, 2);
  const takeAgain = refuseStored(folder);
  unwrap(await program.call('batch.pause', { batchId: id }));
  takeAgain();
  await program.close();
  const sent = await searches();
  expect((await after(folder, 0, id)).state).toBe('paused');
  expect(await searches()).toBe(sent);
});
