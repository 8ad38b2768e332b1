import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMemoryVault } from '../../../electron/platform/memory-vault.ts';
import type { Batch, BatchRow } from '../../../shared/domain/batch.ts';
import { bundleChild } from '../../helpers/bundled-child.ts';
import { noKeychain } from '../../helpers/demo-process.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { listenOnLoopback } from '../../helpers/loopback.ts';
import { startProgram } from '../../helpers/program.ts';
import { unwrap } from '../../helpers/temp-database.ts';

/**
 * Kills a batch again and again and resumes it by turns with the window's core and the command line, with a service that counts each
 * request by its text. It is killed before any write to a database, while a request is at the service, and when the service has just
 * answered. The suite makes a few kills; BATCH_KILLS sets another number.
 */

const kills = Number(process.env.BATCH_KILLS ?? 6);
const seed = Number(process.env.BATCH_SEED ?? 20_261_122);
const rows = 24;
const key = 'LK-7f3a91c2e8d04b56';
const postcodes = Array.from({ length: rows }, (_, index) => `AB${10 + index} 1AA`);

/** How often each query reached the service. */
const asked = new Map<string, number>();
let service: Server;
let restBaseUrl = '';
/** Called when the fourth request is at the service. */
let onFourth: (() => void) | null = null;
/** The process to kill after `left` more requests, before or after the answer to the last of them. */
let onRequest: { child: ChildProcess; left: number; answers: boolean } | null = null;

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
    if (spent() === 4) onFourth?.();
    if (onRequest) onRequest.left -= 1;
    const dies = onRequest?.left === 0 ? onRequest : null;
    if (dies && !dies.answers) dies.child.kill('SIGKILL');
    // Answers one turn later, so that several calls are under way when a kill comes.
    setImmediate(() => {
      answer({
        results: [{ id: '00000002', address: `1 High Street, Aberdeen, ${query}`, postcode: query }],
        totalResults: 1,
      });
      if (dies?.answers) setImmediate(() => dies.child.kill('SIGKILL'));
    });
  });
  restBaseUrl = `http://127.0.0.1:${await listenOnLoopback(service)}/`;
});
afterAll(() => new Promise((done) => service.close(done)));

/** Random numbers from a seed, so that a failed run can be repeated. */
function randomFrom(start: number): (below: number) => number {
  let state = start;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
}

const path = (relative: string): string => join(import.meta.dirname, '..', '..', '..', ...relative.split('/'));

type Who = 'window' | 'command';
/** When to kill the process; with `none` it runs until it ends by itself. */
type Kill = { at: 'none' } | { at: 'write' | 'question' | 'answer'; number: number };

const environmentOf = (folder: string) => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  TMPDIR: process.env.TMPDIR,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  ...noKeychain,
  ADDRESS_CONSOLE_API_KEY: key,
  ADDRESS_CONSOLE_DATA_FOLDER: folder,
});

/** Resumes a batch in a separate process. Returns the number of its writes if it ended by itself. */
async function goOn(who: Who, folder: string, batchId: string, limit: number, kill: Kill, isForgetful = false) {
  const counted = join(folder, 'writes.txt');
  const args =
    who === 'window'
      ? [await bundleChild('test/helpers/batch-kill-child.ts'), folder, key, batchId, String(limit)]
      : [
          ...[
            '--import',
            pathToFileURL(path('test/helpers/kill-at-write.ts')).href,
            await bundleChild('electron/cli.ts'),
          ],
          ...['batch', 'resume', batchId, '--limit', String(limit), '--rate', '50'],
          ...['--connection', join(folder, 'wyebank.json')],
        ];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...environmentOf(folder),
      WRITES_FILE: counted,
      KILL_AT_WRITE: String(kill.at === 'write' ? kill.number : 0),
      FORGETS: isForgetful ? '1' : '0',
    },
  });
  onRequest =
    kill.at === 'question' || kill.at === 'answer' ? { child, left: kill.number, answers: kill.at === 'answer' } : null;
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  onRequest = null;
  if (signal === 'SIGKILL') return { killed: true as const };
  const { value } = JSON.parse(text) as { value: { state: Batch['state'] } };
  return {
    killed: false as const,
    state: value.state,
    writes: existsSync(counted) ? Number(readFileSync(counted, 'utf8')) : 0,
  };
}

const open = async (folder: string) =>
  unwrap(
    await startProgram({
      folder,
      keychain: {
        keychain: { ...createMemoryVault(), get: async () => ({ ok: true, value: key }) },
        missing: null,
      },
    }),
  );
async function withProgram<T>(folder: string, work: (program: Awaited<ReturnType<typeof open>>) => Promise<T>) {
  const program = await open(folder);
  try {
    return await work(program);
  } finally {
    await program.close();
  }
}

/** Creates a batch in a new folder, with a connection file through which the command line finds the same connection. */
async function makeBatch(): Promise<{ folder: string; batchId: string }> {
  asked.clear();
  const folder = mkdtempSync(join(tmpdir(), 'address-console-batch-'));
  const batchId = await withProgram(folder, async (program) => {
    const connectionId = await program.connect({ restBaseUrl }, { 'lookup-key': key });
    const { connections } = unwrap(await program.call('connections.list', {}));
    const name = connections.find(({ connection }) => connection.id === connectionId)?.connection.name ?? '';
    writeFileSync(join(folder, 'wyebank.json'), JSON.stringify({ name, restBaseUrl }));
    const text = `Postcode\n${postcodes.join('\n')}\n${postcodes[0]}\nHR10 2D\n`;
    const { table } = unwrap(await program.call('batch.paste', { connectionId, text }));
    return unwrap(await program.call('batch.plan', { tableId: table?.tableId ?? '', wants: ['exists'] })).id;
  });
  return { folder, batchId };
}

const spent = (): number => [...asked.values()].reduce((sum, times) => sum + times, 0);

test(`killed at ${kills} places and resumed: nothing is sent twice, no row is lost, the limit is never passed, the file is complete`, {
  timeout: 60_000 + kills * 20_000,
}, async () => {
  const random = randomFrom(seed);
  const died: Record<string, number> = {};
  let killed = 0;
  let turns = 0;
  const most: Record<Who, number> = { window: 120, command: 120 };
  for (let round = 0; killed < kills; round += 1) {
    const { folder, batchId } = await makeBatch();
    // In half of the rounds the batch reaches its limit and a person resumes it.
    const first = round % 2 === 0 ? rows : rows - 5;
    for (let turn = 0; ; turn += 1) {
      const limit = turn < 3 ? first : rows;
      const who: Who = turns % 2 === 0 ? 'window' : 'command';
      const at = (['write', 'question', 'write', 'answer'] as const)[random(4)] ?? 'write';
      const number = 1 + random(at === 'write' ? most[who] : 8);
      const kill: Kill = turn < 4 && killed < kills ? { at, number } : { at: 'none' };
      turns += 1;
      const end = await goOn(who, folder, batchId, limit, kill);
      const told = `seed ${seed}, round ${round}, turn ${turn}: ${who}, ${kill.at} ${number}`;
      expect(spent(), told).toBeLessThanOrEqual(limit);
      for (const [postcode, times] of asked) expect(times, `${told}: ${postcode}`).toBe(1);
      if (end.killed) {
        killed += 1;
        died[`${who}, ${at}`] = (died[`${who}, ${at}`] ?? 0) + 1;
        continue;
      }
      most[who] = Math.max(80, end.writes);
      if (end.state === 'done') break;
      expect(end.state, told).toBe('waiting');
    }
    await withProgram(folder, async (program) => {
      const batch = unwrap(await program.call('batch.get', { batchId }));
      expect(batch).toMatchObject({ state: 'done', progress: { waiting: 0, 'at-work': 0, malformed: 1 } });
      expect(batch.progress.done + batch.progress.unknown).toBe(rows + 1);
      expect(batch.credits.counted).toBeGreaterThanOrEqual(spent());
      expect(batch.credits.counted).toBeLessThanOrEqual(rows);
      const page = unwrap(await program.call('batch.rows', { batchId, filter: {}, from: 0, limit: 500 }));
      for (const row of page.rows) checkRow(row);
      expect(page.rows.reduce((sum, { credits }) => sum + credits.most, 0)).toBe(batch.credits.counted);
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
  if (process.env.BATCH_KILLS) process.stderr.write(`killed: ${JSON.stringify(died)}\n`);
});

test('the test can fail: without the record written before a call, a kill during the call has a row sent twice', async () => {
  const { folder, batchId } = await makeBatch();
  expect((await goOn('window', folder, batchId, 3 * rows, { at: 'question', number: 3 }, true)).killed).toBe(true);
  await goOn('window', folder, batchId, 3 * rows, { at: 'none' }, true);
  expect(Math.max(...asked.values())).toBe(2);
  removeFolder(folder);
});

test.each([
  [5, 'stopped'],
  [rows, 'done'],
])(
  'stopped after a kill at call %i: a row whose call was under way is unknown, also in the result file; it is %s',
  async (number, state) => {
    const { folder, batchId } = await makeBatch();
    expect((await goOn('window', folder, batchId, 3 * rows, { at: 'question', number })).killed).toBe(true);
    await withProgram(folder, async (program) => {
      const before = spent();
      const ended = unwrap(await program.call('batch.stop', { batchId }));
      const { progress } = ended;
      expect(ended.state).toBe(state);
      expect(spent()).toBe(before);
      expect(progress.unknown).toBeGreaterThanOrEqual(1);
      const page = unwrap(await program.call('batch.rows', { batchId, filter: {}, from: 0, limit: 500 }));
      for (const row of page.rows)
        if (row.progress === 'stopped') expect(asked.get(row.given) ?? 0, row.given).toBe(0);
        else checkRow(row);
      const form = { filter: {}, columns: ['ac_result' as const], acknowledgement: '', format: 'csv' as const };
      unwrap(await program.call('batch.save', { batchId, encoding: 'utf-8', ...form }));
      const name = readdirSync(folder).find((one) => one.endsWith('.result.csv')) ?? '';
      const { connectionId } = unwrap(await program.call('batch.get', { batchId }));
      const { earlier } = unwrap(await program.core.batches.openFile(connectionId, join(folder, name), name));
      expect(earlier).toMatchObject({ done: progress.done, unknown: progress.unknown });
    });
    await goOn('window', folder, batchId, 3 * rows, { at: 'none' });
    for (const [postcode, times] of asked) expect(times, postcode).toBe(1);
    removeFolder(folder);
  },
);

test('killed and not resumed yet it counts what is left as it is', async () => {
  const { folder, batchId } = await makeBatch();
  expect((await goOn('window', folder, batchId, 3 * rows, { at: 'question', number: 5 })).killed).toBe(true);
  await withProgram(folder, async (program) => {
    const { state, progress, left } = unwrap(await program.call('batch.get', { batchId }));
    const open = progress.waiting + progress['at-work'];
    expect([state, progress.done + open, left.rows]).toEqual(['paused', rows + 1, open]);
    expect(progress['at-work']).toBeGreaterThanOrEqual(1);
  });
  removeFolder(folder);
});

test('a power cut that loses the last rows but not the ledger: a call that was sent is not sent again', async () => {
  const { folder, batchId } = await makeBatch();
  // The file as it is on the disk if nothing of the run was written there.
  const file = join(folder, 'batches', `${batchId}.sqlite`);
  copyFileSync(file, `${file}.before`);
  expect((await goOn('window', folder, batchId, 3 * rows, { at: 'question', number: 5 })).killed).toBe(true);
  const before = spent();
  expect(before).toBeGreaterThanOrEqual(5);
  for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
  renameSync(`${file}.before`, file);
  await goOn('window', folder, batchId, 3 * rows, { at: 'none' });
  for (const [postcode, times] of asked) expect(times, postcode).toBe(1);
  await withProgram(folder, async (program) => {
    const batch = unwrap(await program.call('batch.get', { batchId }));
    expect(batch).toMatchObject({ state: 'done', progress: { waiting: 0, 'at-work': 0 } });
    expect(batch.progress.unknown).toBeGreaterThanOrEqual(1);
    // Rows that were answered before are taken from the saved answers.
    expect(batch.progress.done + batch.progress.unknown).toBe(rows + 1);
    const { rows: all } = unwrap(await program.call('batch.rows', { batchId, filter: {}, from: 0, limit: 500 }));
    for (const row of all) checkRow(row);
    // If a person ticks the row, the call is made once more.
    const unknown = all
      .filter(({ progress, source }) => progress === 'unknown' && source?.kind !== 'same')
      .map(({ row }) => row);
    const terms = { limit: 3 * rows, minimumBalance: null, rate: 50, keyLabel: null, goOnUntil: null };
    unwrap(await program.call('batch.run-not-done', { batchId, unknown, failed: { all: true, but: [] }, ...terms }));
    await program.core.batches.ended(batchId);
    expect(unwrap(await program.call('batch.get', { batchId })).progress.unknown).toBe(0);
    expect(asked.size).toBe(rows);
    expect(spent()).toBeLessThanOrEqual(rows + unknown.length);
  });
  removeFolder(folder);
});

test('a call that a kill cut off stays unknown, though a person has asked the same in the window since', async () => {
  const { folder, batchId } = await makeBatch();
  expect((await goOn('window', folder, batchId, 3 * rows, { at: 'question', number: 5 })).killed).toBe(true);
  await withProgram(folder, async (program) => {
    const { connectionId } = unwrap(await program.call('batch.get', { batchId }));
    for (const text of [...asked.keys()]) unwrap(await program.call('lookup.search', { connectionId, text }));
  });
  // What was answered before the kill is saved.
  const twice = [...asked].filter(([, times]) => times === 2).map(([postcode]) => postcode);
  expect(twice).not.toEqual([]);
  await goOn('window', folder, batchId, 3 * rows, { at: 'none' });
  await withProgram(folder, async (program) => {
    const page = unwrap(await program.call('batch.rows', { batchId, filter: {}, from: 0, limit: 500 }));
    const own = page.rows.filter(({ source }) => source?.kind === 'asked');
    const unknown = own.filter(({ progress }) => progress === 'unknown');
    expect(unknown.map(({ given }) => given)).toEqual(expect.arrayContaining(twice));
    for (const row of own) expect(row.credits, row.given).toEqual({ least: unknown.includes(row) ? 0 : 1, most: 1 });
    const { credits } = unwrap(await program.call('batch.get', { batchId }));
    expect(credits).toMatchObject({ counted: rows, unknown: unknown.length });
  });
  removeFolder(folder);
});

/** Plans and runs a table by the command line, which a script that is loaded before it kills. */
async function planAndDie(folder: string, table: string, killer: string): Promise<void> {
  const child = spawn(
    process.execPath,
    [
      ...['--import', `data:text/javascript,${encodeURIComponent(killer)}`, await bundleChild('electron/cli.ts')],
      ...['batch', 'run', table, '--limit', '5', '--out', join(folder, 'result.csv')],
      ...['--connection', join(folder, 'wyebank.json')],
    ],
    { stdio: 'ignore', env: environmentOf(folder) },
  );
  const [, signal] = await once(child, 'close');
  expect(signal).toBe('SIGKILL');
}

test('a program killed while it plans a batch leaves nothing that stays', async () => {
  const { folder, batchId } = await makeBatch();
  const batches = join(folder, 'batches');
  const known = readdirSync(batches).toSorted();
  const table = join(folder, 'table.csv');
  writeFileSync(table, `Postcode\n${postcodes.join('\n')}\n`);
  for (const write of ['INSERT INTO rows ', 'INSERT INTO batches ']) {
    const killer = `import { StatementSync } from 'node:sqlite';
      const { run } = StatementSync.prototype;
      StatementSync.prototype.run = function (...values) {
        if (this.sourceSQL.trimStart().startsWith('${write}')) process.kill(process.pid, 'SIGKILL');
        return run.apply(this, values);
      };`;
    await planAndDie(folder, table, killer);
  }
  const left = readdirSync(batches).filter((name) => !known.includes(name));
  expect(left).not.toEqual([]);
  const longAgo = Date.now() / 1000 - 25 * 60 * 60;
  for (const name of left) utimesSync(join(batches, name), longAgo, longAgo);
  await withProgram(folder, async (program) => {
    await program.core.batches.purge();
    expect(readdirSync(batches).toSorted()).toEqual(known);
    expect(unwrap(await program.call('batch.get', { batchId })).progress.waiting).toBe(rows + 1);
  });
  removeFolder(folder);
});

test.each([
  ['.table', 'before'],
  ['.sqlite', 'before'],
  ['.sqlite', 'after'],
])(
  'a program killed as it names a batch’s %s, %s that: the batch is there with its rows, and discarded leaves nothing',
  async (end, when) => {
    const { folder, batchId } = await makeBatch();
    const batches = join(folder, 'batches');
    const known = readdirSync(batches).filter((name) => name.startsWith(batchId));
    const table = join(folder, 'table.csv');
    writeFileSync(table, `Postcode\n${postcodes.join('\n')}\n`);
    const killer = `import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const { renameSync } = fs;
    fs.renameSync = (from, to) => {
      const isIt = from.includes('open-') && from.endsWith('${end}');
      if (isIt && '${when}' === 'before') process.kill(process.pid, 'SIGKILL');
      renameSync(from, to);
      if (isIt) process.kill(process.pid, 'SIGKILL');
    };
    syncBuiltinESMExports();`;
    await planAndDie(folder, table, killer);
    const longAgo = Date.now() / 1000 - 25 * 60 * 60;
    for (const name of readdirSync(batches)) utimesSync(join(batches, name), longAgo, longAgo);
    await withProgram(folder, async (program) => {
      const { connectionId } = unwrap(await program.call('batch.get', { batchId }));
      const { batches: all } = unwrap(await program.call('batch.list', { connectionId }));
      const planned = all.find(({ id }) => id !== batchId);
      expect(planned).toMatchObject({ state: 'planned', plan: { rows: { total: rows } } });
      const planId = planned?.id ?? '';
      await program.core.batches.purge();
      const page = await program.call('batch.rows', { batchId: planId, filter: {}, from: 0, limit: 1 });
      expect(unwrap(page).total).toBe(rows);
      unwrap(await program.call('batch.discard', { batchId: planId }));
      expect(readdirSync(batches).toSorted()).toEqual(known.toSorted());
    });
    removeFolder(folder);
  },
);

test('a program that ends between noting a start in the batch’s file and in the database does not take itself for lost', async () => {
  const { folder, batchId } = await makeBatch();
  expect((await goOn('window', folder, batchId, 3 * rows, { at: 'question', number: 5 })).killed).toBe(true);
  const sql = new DatabaseSync(join(folder, 'address-console.sqlite'));
  await withProgram(folder, async (program) => {
    // Whatever is written of a new run fails at the end of its transaction.
    sql.exec(`CREATE TABLE none (id INTEGER PRIMARY KEY);
      CREATE TABLE later (id INTEGER REFERENCES none DEFERRABLE INITIALLY DEFERRED);
      CREATE TRIGGER too_late AFTER UPDATE ON batches WHEN NEW.facts ->> 'run' IS NOT OLD.facts ->> 'run'
        BEGIN INSERT INTO later VALUES (1); END`);
    const terms = { limit: 3 * rows, minimumBalance: null, rate: 50, keyLabel: null, goOnUntil: null };
    expect(await program.call('batch.run', { batchId, ...terms })).toMatchObject({ error: { code: 'storage-failed' } });
    sql.exec('DROP TRIGGER too_late; DROP TABLE later; DROP TABLE none');
  });
  sql.exec(`UPDATE batches SET state = 'running', facts = json_set(facts, '$.goOnUntil', '2999-01-01T00:00:00.000Z')`);
  sql.close();
  await withProgram(folder, async (program) => {
    program.core.batches.goOn();
    await program.core.batches.ended(batchId);
    expect(unwrap(await program.call('batch.get', { batchId }))).toMatchObject({ state: 'done', wait: null });
  });
  for (const [postcode, times] of asked) expect(times, postcode).toBe(1);
  removeFolder(folder);
});

test('a database put back as it was in the middle of a run: it does not go on by itself, no question is asked twice, and the limit counts what the database has lost', async () => {
  const { folder, batchId } = await makeBatch();
  const main = join(folder, 'address-console.sqlite');
  // Every row that was begun counts, also those whose question had not reached the service when the process was killed.
  const limit = rows - 2;
  onFourth = () => {
    onFourth = null;
    const sql = new DatabaseSync(main, { readOnly: true });
    sql.exec(`VACUUM INTO '${main}.before'`);
    sql.close();
  };
  expect((await goOn('window', folder, batchId, limit, { at: 'question', number: 12 })).killed).toBe(true);
  const before = spent();
  expect(before).toBeGreaterThanOrEqual(12);
  for (const end of ['-wal', '-shm']) rmSync(main + end, { force: true });
  renameSync(`${main}.before`, main);
  const sql = new DatabaseSync(main);
  sql.exec("UPDATE batches SET facts = json_set(facts, '$.goOnUntil', '2999-01-01T00:00:00.000Z')");
  sql.close();
  await withProgram(folder, async (program) => {
    program.core.batches.goOn();
    const waiting = unwrap(await program.call('batch.get', { batchId }));
    expect(waiting).toMatchObject({ state: 'waiting', wait: { code: 'older-database' } });
    // The rows as they are, and not as the copy of the database has them.
    const { progress, left, connectionId } = waiting;
    const open = progress.waiting + progress['at-work'];
    expect([progress.done + open, left.rows]).toEqual([rows + 1, open]);
    expect(progress.done).toBeGreaterThan(0);
    // The ledger may meanwhile have as many entries as it had.
    for (const text of [
      'ZE1 0AA',
      'ZE1 0AB',
      'ZE1 0AD',
      'ZE1 0AE',
      'ZE1 0AF',
      'ZE1 0AG',
      'ZE1 0AH',
      'ZE1 0AJ',
      'ZE1 0AL',
    ])
      unwrap(await program.call('lookup.search', { connectionId, text, interface: 'rest', cache: 'default' }));
  });
  for (const text of [...asked.keys()]) if (text.startsWith('ZE1')) asked.delete(text);
  expect(spent()).toBe(before);
  expect(await goOn('window', folder, batchId, limit, { at: 'none' })).toMatchObject({ state: 'waiting' });
  expect(spent()).toBeGreaterThan(before);
  expect(spent()).toBeLessThanOrEqual(limit);
  expect(await goOn('command', folder, batchId, 3 * rows, { at: 'none' })).toMatchObject({ state: 'done' });
  for (const [postcode, times] of asked) expect(times, postcode).toBe(1);
  await withProgram(folder, async (program) => {
    const batch = unwrap(await program.call('batch.get', { batchId }));
    expect(batch.progress.unknown).toBeGreaterThanOrEqual(1);
    expect(batch.progress.done + batch.progress.unknown).toBe(rows + 1);
    expect(batch.credits.counted).toBe(rows);
    const { rows: all } = unwrap(await program.call('batch.rows', { batchId, filter: {}, from: 0, limit: 500 }));
    for (const row of all) checkRow(row);
  });
  removeFolder(folder);
});

/** Checks that a row is done with its answer, or unknown after at most one request. */
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
