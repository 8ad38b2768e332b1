import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import writeWorkbook from 'write-excel-file/node';
import { readArguments } from '../../../electron/cli/arguments.ts';
import { batchCommand } from '../../../electron/cli/commands/batch-command.ts';
import { exitStatuses } from '../../../electron/cli/printed.ts';
import { runSession } from '../../../electron/cli/session.ts';
import { checkTarget } from '../../../electron/core/batch/save-result.ts';
import { openBatchesRepository } from '../../../electron/core/batch/store/batches-repository.ts';
import { entryName } from '../../../electron/core/connections/secret-names.ts';
import { databaseName, openDatabase } from '../../../electron/core/storage/database/database.ts';
import { systemClock } from '../../../electron/platform/clock.ts';
import { createMemoryVault } from '../../../electron/platform/memory-vault.ts';
import { openTestGazetteer } from '../../helpers/batch-scene.ts';
import {
  type DemoService,
  runCommandLine,
  runProgram,
  secretVariables,
  startDemo,
  surroundingsOf,
} from '../../helpers/demo-process.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { listenOnLoopback } from '../../helpers/loopback.ts';
import { startProgram } from '../../helpers/program.ts';
import { putReadyDatabase } from '../../helpers/ready-database.ts';
import { unwrap } from '../../helpers/temp-database.ts';

/** A table from the command line: the plan, the run under a limit with its exit statuses, and resuming. */

let service: DemoService;
const folder = mkdtempSync(join(tmpdir(), 'address-console-batch-cli-'));
const connection = join(folder, 'wyebank.json');
const table = join(folder, 'customers.csv');
const result = join(folder, 'customers.result.csv');
const gazetteer = openTestGazetteer();
const postcodes = gazetteer.samplePostcodes(8);

beforeAll(async () => {
  service = await startDemo('--seed', '42', '--premises', '4000');
  writeFileSync(connection, JSON.stringify({ name: 'Wyebank', restBaseUrl: service.restBaseUrl }));
  writeFileSync(table, `Postcode,Note\n${postcodes.map((postcode) => `${postcode},=1+1`).join('\n')}\nnonsense,x\n`);
});
afterAll(async () => {
  await service.stop();
  gazetteer.close();
  removeFolder(folder);
});

const envOf = (data: string) => {
  putReadyDatabase(join(folder, data));
  return { ...secretVariables(service.demo), ADDRESS_CONSOLE_DATA_FOLDER: join(folder, data) };
};
const run = (...args: string[]) =>
  runCommandLine(['batch', ...args, '--connection', connection], { env: envOf('data') });
const searches = async () => (await service.meter()).calls.Search?.hits ?? 0;

test('plan sends nothing and says the price; a run stops at its limit with status 4; resumed it asks what is left', async () => {
  const plan = await run('plan', table);
  expect(plan.status).toBe(0);
  expect(plan.json.value).toMatchObject({ rows: { total: 9, ask: 8, malformed: 1 }, credits: { least: 8, most: 8 } });
  expect(await searches()).toBe(0);
  expect((await run('list')).json.value).toEqual([]);

  const stopped = await run('run', table, '--limit', '5', '--out', result);
  expect([stopped.status, stopped.json.ok]).toEqual([4, true]);
  expect(stopped.json.value).toMatchObject({
    state: 'waiting',
    wait: { kind: 'limit' },
    rows: { done: 5, waiting: 3 },
    columns: [
      { name: 'Postcode', role: 'postcode' },
      { name: 'Note', role: 'unused' },
    ],
  });
  expect(await searches()).toBe(5);

  const listed = await run('list');
  expect(listed.json.value).toMatchObject([{ state: 'waiting', left: { rows: 3 } }]);

  // The result is not written over the table, which a batch that is resumed no longer names.
  const before = readFileSync(table);
  const over = await run('resume', '--limit', '8', '--out', table);
  expect([over.status, over.json.error?.message]).toEqual([
    1,
    expect.stringMatching(/^The result would take the place/),
  ]);
  expect(readFileSync(table)).toEqual(before);
  // Nor if a person has edited it meanwhile.
  appendFileSync(table, 'HR10 2DT\r\n');
  const edited = await run('resume', '--limit', '8', '--out', table);
  expect([edited.status, edited.json.error?.message]).toEqual([
    1,
    expect.stringMatching(/^The result would take the place/),
  ]);
  writeFileSync(table, before);
  // Nor if it has been moved, or is there twice; another file of as many bytes is replaced (below).
  const moved = join(folder, 'moved.csv');
  writeFileSync(moved, before);
  const overMoved = await run('resume', '--limit', '8', '--out', moved);
  expect([overMoved.status, overMoved.json.error?.message]).toEqual([
    1,
    expect.stringMatching(/^The result would take the place/),
  ]);
  writeFileSync(result, 'x'.repeat(before.length));
  expect(await searches()).toBe(5);

  const done = await run('resume', '--limit', '8', '--out', result);
  expect(done.status).toBe(0);
  expect(done.json).toMatchObject({ value: { state: 'done', rows: { done: 8, malformed: 1 } }, saved: { rows: 9 } });
  expect(await searches()).toBe(8);
  const lines = readFileSync(result, 'utf8').trim().split(/\r?\n/);
  expect(lines).toHaveLength(10);
  expect(lines[0]).toContain('ac_result');
  expect((await run('resume', '--limit', '8')).status).toBe(1);
});

test('of a connection that only its file has, what one key has paid for is free for it alone', async () => {
  const keychain = createMemoryVault();
  const surroundings = { findKeychain: async () => ({ keychain, missing: null }) };
  const runWith = async (env: Record<string, string>, ...more: string[]) => {
    const args = ['batch', 'run', table, '--limit', '8', '--out', result, '--connection', connection, ...more];
    const { json } = await runCommandLine(args, {
      env: { ...env, ADDRESS_CONSOLE_DATA_FOLDER: join(folder, 'data-of-file') },
      surroundings,
    });
    expect(json).toMatchObject({ ok: true, value: { state: 'done', rows: { done: 8, malformed: 1 } } });
    return searches();
  };
  const { demo } = service;
  const before = await searches();
  expect(await runWith({ ADDRESS_CONSOLE_API_KEY: demo.lookupKey })).toBe(before + 8);
  expect(await runWith({ ADDRESS_CONSOLE_API_KEY: demo.lookupKey })).toBe(before + 8);
  // What else the environment has does not pay.
  expect(await runWith(secretVariables(demo))).toBe(before + 8);
  await keychain.set(entryName('Wyebank', 'lookup-key', 'First'), demo.lookupKey);
  await keychain.set(entryName('Wyebank', 'lookup-key', 'Second'), demo.lookupKey2);
  expect(await runWith({}, '--secret', 'First')).toBe(before + 8);
  expect(await runWith({}, '--secret', 'Second')).toBe(before + 16);
  expect(await runWith({}, '--secret', 'Second')).toBe(before + 16);
  expect(await runWith({ ADDRESS_CONSOLE_API_KEY: demo.lookupKey2 })).toBe(before + 16);
});

test('what cannot be read or asked is reported before anything is sent', async () => {
  const before = await searches();
  for (const args of [
    ['run', table],
    ['run', table, '--limit', '5'],
    ['run', '--limit', '5', '--out', result],
    ['run', table, '--limit', 'five', '--out', result],
    ['plan', join(folder, 'missing.csv')],
    ['plan', table, '--want', 'everything'],
    ['plan', table, '--want', 'uprn'],
    ['spend'],
  ])
    expect((await run(...args)).status, args.join(' ')).toBe(1);
  // Of what is offered in place of another want, and of the advice, everything can be typed.
  for (const want of ['everything', 'area', 'distance'])
    expect((await run('plan', table, '--want', want)).json.error.message).toBe(
      `There is no --want ${want}. It is one of exists, full, coordinates, uprn, udprn, all-premises.`,
    );
  expect((await run('plan', table, '--want', 'uprn')).json.error.message).toMatch(/ Correct --want and try again\.$/);
  expect(await searches()).toBe(before);
});

test('numbers that no name says to be premise ids are asked as such only if the command says so', async () => {
  const accounts = join(folder, 'accounts.csv');
  writeFileSync(accounts, 'Account\n12345678\n87654321\n');
  const calls = async () => Object.values((await service.meter()).calls).reduce((sum, { hits }) => sum + hits, 0);
  const before = await calls();
  for (const args of [
    ['plan', accounts],
    ['run', accounts, '--limit', '5', '--out', join(folder, 'accounts.result.csv')],
  ]) {
    const { status, json } = await run(...args);
    expect([status, json.error?.message]).toEqual([
      1,
      expect.stringMatching(/“Account” are\. Write --kind premise-ids/),
    ]);
  }
  expect(await calls()).toBe(before);
  const plan = await run('plan', accounts, '--kind', 'premise-ids');
  expect(plan.json.value).toMatchObject({ kind: 'premise-ids', rows: { total: 2, ask: 2 } });
});

test('a service that charges twice: the run ends with status 5, and says what the balance did beside what was counted', async () => {
  const charging = await startDemo('--seed', '42', '--premises', '4000', '--price', 'Search=2');
  try {
    const many = join(folder, 'many.csv');
    const file = join(folder, 'charging.json');
    const asked = gazetteer.samplePostcodes(40);
    writeFileSync(many, `Postcode\n${asked.join('\n')}\n`);
    writeFileSync(file, JSON.stringify({ name: 'Charging', restBaseUrl: charging.restBaseUrl }));
    const env = { ...secretVariables(charging.demo), ADDRESS_CONSOLE_DATA_FOLDER: join(folder, 'charging') };
    const ended = await runCommandLine(
      ['batch', 'run', many, '--limit', '40', '--rate', '50', '--out', result, '--connection', file],
      { env },
    );
    expect(ended.status).toBe(exitStatuses.waiting);
    const { value, saved } = ended.json as { value: Record<string, unknown>; saved: object };
    expect(value).toMatchObject({
      state: 'waiting',
      wait: { kind: 'fell-more', seen: expect.stringMatching(/^The balance fell by \d+ between /) },
    });
    const { counted } = value.credits as { counted: number };
    const taken = (await charging.meter()).credits;
    expect(taken).toBe(2 * counted);
    expect(counted).toBeLessThan(40);
    expect(saved).toMatchObject({ rows: 40 });
    // A terminal is told as much: why it waits, and what the balance did over one that has ended.
    const terminal = { env, terminalWidth: 2000 };
    const waits = await runCommandLine(['batch', 'resume', '--limit', '40', '--connection', file], terminal);
    expect(waits.stdout).toMatch(
      /\nStopped: more left the balance than was counted\. The balance fell by \d+ between /,
    );
    const one = join(folder, 'one.csv');
    writeFileSync(one, `Postcode\n${gazetteer.samplePostcodes(80).find((postcode) => !asked.includes(postcode))}\n`);
    const done = await runCommandLine(
      ['batch', 'run', one, '--limit', '1', '--out', result, '--connection', file],
      terminal,
    );
    expect(done.stdout).toMatch(
      /\n1 of 1 credit counted, every call at its highest price\.\nThe balance fell by 2 between .*\n\n1 row saved in /,
    );
  } finally {
    await charging.stop();
  }
});

test('a workbook is read by the command line as by the window', async () => {
  const workbook = join(folder, 'customers.xlsx');
  const rows = ['Postcode', ...postcodes.slice(0, 2)].map((value) => [{ value, type: String }]);
  await writeWorkbook(rows).toFile(workbook);
  const plan = await run('plan', workbook);
  expect(plan.json.value).toMatchObject({ rows: { total: 2 } });

  // Nor is it replaced by the result of a batch that is resumed, whose copy of it is text.
  const env = envOf('workbook');
  const until = ['--limit', '0', '--connection', connection];
  const other = join(folder, 'customers.result.xlsx');
  const begun = await runCommandLine(['batch', 'run', workbook, ...until, '--out', other], { env });
  expect(begun.status).toBe(exitStatuses.limit);
  const before = readFileSync(workbook);
  const over = await runCommandLine(['batch', 'resume', ...until, '--out', workbook], { env });
  expect(readFileSync(workbook).equals(before)).toBe(true);
  expect(over.json.error?.message).toMatch(/^The result would take the place/);
  expect((await runCommandLine(['batch', 'resume', ...until, '--out', other], { env })).json.saved).toEqual({
    file: other,
    rows: 2,
  });
  expect(readdirSync(join(folder, 'workbook', 'batches')).filter((name) => name.startsWith('open-'))).toEqual([]);

  // Recognised by what is in it: a result named as a text file is one.
  const named = join(folder, 'customers.xlsm');
  copyFileSync(workbook, named);
  const text = join(folder, 'customers.result.csv');
  await runCommandLine(['batch', 'run', named, ...until, '--out', text], { env: envOf('macros') });
  expect(readFileSync(text, 'utf8')).toMatch(/^\ufeff?Postcode,ac_result,/);
});

test('an option that a subcommand would ignore is refused, and so is a word', async () => {
  for (const args of [
    ['plan', table, '--limit', '5'],
    ['plan', table, '--out', result],
    ['plan', table, '--rate', '5'],
    ['resume', '--limit', '5', '--want', 'full'],
    ['resume', '--limit', '5', '--kind', 'postcodes'],
    ['list', '--minimum-balance', '5'],
    ['list', 'customers.csv'],
  ]) {
    const { status, json } = await run(...args);
    expect([status, json.error.code], args.join(' ')).toEqual([1, 'bad-input']);
    expect(json.error.message, args.join(' ')).toMatch(/takes no (--|word)/);
  }
});

test('the key that --secret names is the batch’s from then on: the window shows it, and resumed there it pays', async () => {
  const keychain = createMemoryVault();
  for (const label of ['main', 'Desk'])
    await keychain.set(entryName('Wyebank', 'lookup-key', label), service.demo.lookupKey);
  const data = join(folder, 'labels');
  const one = join(folder, 'one.csv');
  writeFileSync(one, `Postcode\n${postcodes[0]}\n`);
  const keyAfter = async (...words: string[]) => {
    const { json } = await runCommandLine(['batch', ...words, '--out', result, '--connection', connection], {
      env: { ADDRESS_CONSOLE_DATA_FOLDER: data },
      surroundings: { findKeychain: async () => ({ keychain, missing: null }) },
    });
    const db = unwrap(openDatabase({ folder: data, clock: systemClock }));
    const keys = openBatchesRepository(db)
      .all()
      .map(({ facts }) => facts.keyLabel);
    db.close();
    return [json.value?.state ?? json.error.code, ...keys];
  };
  expect(await keyAfter('run', one, '--limit', '0', '--secret', 'Desk')).toEqual(['waiting', 'Desk']);
  expect(await keyAfter('resume', '--limit', '0')).toEqual(['waiting', 'Desk']);
  // As a kill leaves it during a run of rows not done: what is stored of it is from before.
  const killed = (credits: object | null) => {
    const sql = new DatabaseSync(join(data, databaseName));
    sql
      .prepare("UPDATE batches SET state = 'running', facts = json_set(facts, '$.left', json(?))")
      .run(JSON.stringify({ rows: 0, credits }));
    sql.close();
  };
  killed({ least: 0, most: 0 });
  expect(await keyAfter('resume', '--limit', '0', '--secret', 'main')).toEqual(['waiting', 'main']);
  // What is left is not known while its rows cannot be read.
  killed(null);
  const batches = join(data, 'batches');
  const file = join(batches, readdirSync(batches).find((name) => name.endsWith('.sqlite')) ?? '');
  renameSync(file, `${file}.aside`);
  mkdirSync(file);
  expect(await keyAfter('resume', '--limit', '5', '--secret', 'Desk')).toEqual(['storage-failed', 'Desk']);
  rmdirSync(file);
  renameSync(`${file}.aside`, file);
  expect(await keyAfter('resume', '--limit', '5', '--secret', 'main')).toEqual(['done', 'main']);
});

test('a policy that forbids exports holds for every subcommand with --out', async () => {
  const { signal } = new AbortController();
  for (const words of [['run', table], ['resume']]) {
    const args = unwrap(
      readArguments('batch', [...words, '--limit', '5', '--out', result, '--connection', connection]),
    );
    const refused = await runSession(args, surroundingsOf({ env: envOf('policy') }), (session) =>
      batchCommand(args, { ...session, signal, policy: { version: 1, exportAllowed: false } }),
    );
    expect(refused).toMatchObject({ ok: false, error: { code: 'policy-forbids' } });
  }
});

test('a result that could not be written is refused before anything is sent, and leaves no batch and no file', async () => {
  const before = await searches();
  // As a device or a pipe: what is there is no file that could be replaced. Windows has none in a folder.
  const [server, socket] = [createServer(), join(folder, 'socket')];
  if (process.platform !== 'win32') await new Promise<void>((listens) => server.listen(socket, listens));
  const beside = readdirSync(folder);
  const others = process.platform === 'win32' ? [] : [socket];
  for (const out of [join(folder, 'missing', 'result.csv'), folder, table, ...others]) {
    const refused = await run('run', table, '--limit', '50', '--out', out);
    expect([refused.status, refused.json.error.charge], out).toEqual([1, 'not-applicable']);
  }
  expect(await checkTarget(join(folder, 'long.xlsx'), 200_001, true)).toMatchObject({ error: { code: 'bad-input' } });
  expect(await searches()).toBe(before);
  for (const out of others) expect((await run('support', 'last', '--out', out)).status).toBe(1);
  expect(readdirSync(folder)).toEqual(beside);
  server.close();
  expect((await run('list')).json.value).toMatchObject([{ state: 'done' }]);
});

test('a result that cannot be written after all: the terminal names the batch and how to save its answers, which costs nothing', async () => {
  const other = await startDemo('--seed', '42', '--premises', '4000');
  try {
    const file = join(folder, 'taken.json');
    const taken = join(folder, 'taken.csv');
    writeFileSync(file, JSON.stringify({ name: 'Taken', restBaseUrl: other.restBaseUrl }));
    const env = { ...secretVariables(other.demo), ADDRESS_CONSOLE_DATA_FOLDER: join(folder, 'taken') };
    const hits = async () => (await other.meter()).calls.Search?.hits ?? 0;
    await other.setFaults({ kind: 'delay', on: 'Search', milliseconds: 60_000 });
    const running = runCommandLine(['batch', 'run', table, '--limit', '50', '--out', taken, '--connection', file], {
      env,
      terminalWidth: 120,
    });
    await expect.poll(hits, { timeout: 60_000 }).toBeGreaterThan(0);
    mkdirSync(join(taken, 'inside'), { recursive: true });
    await other.clearFaults();
    const { status, stderr } = await running;
    expect(status).toBe(1);
    const [, id = ''] = /batch resume (\S+)\s+--limit 50 --out FILE/.exec(stderr.replace(/\s+/g, ' ')) ?? [];
    expect(stderr).toMatch(new RegExp(`batch +${id}`));
    expect(stderr).toMatch(/done +8/);
    // Status 1 alone would read as if nothing had been sent.
    expect(stderr.replace(/\s+/g, ' ')).toContain('The batch itself has run: 8 credits counted.');
    const stored = () => {
      const db = unwrap(openDatabase({ folder: join(folder, 'taken'), clock: systemClock }));
      const found = openBatchesRepository(db).find(id);
      db.close();
      return found;
    };
    const before = stored();
    const again = join(folder, 'again.csv');
    const saved = await runCommandLine(
      ['batch', 'resume', id, '--limit', '90', '--out', again, '--connection', file],
      // Without rows left no key is needed.
      { env: { ADDRESS_CONSOLE_DATA_FOLDER: join(folder, 'taken') } },
    );
    expect(saved.json).toMatchObject({ ok: true, saved: { rows: 9 } });
    expect(await hits()).toBe(8);
    // When it ended, its limit and what the balance did are those of its run.
    expect(stored()).toEqual(before);
    const program = unwrap(await startProgram({ folder: join(folder, 'taken') }));
    unwrap(await program.call('batch.forget', { batchId: id }));
    await program.close();
    const gone = await runCommandLine(['batch', 'resume', id, '--limit', '50', '--out', again, '--connection', file], {
      env,
    });
    // Not that the answers are kept.
    expect([gone.status, gone.json.error.message]).toEqual([
      1,
      'The rows of this batch are gone; the counts stay. The batch itself has run: 8 credits counted. Look at the batch again.',
    ]);
  } finally {
    await other.stop();
  }
});

test('a database in which what was spent cannot be read any more as a run ends: the command does not say that it was nothing', async () => {
  const few = join(folder, 'unread.csv');
  writeFileSync(few, `Postcode\n${gazetteer.samplePostcodes(14).at(-1)}\n`);
  const env = envOf('unread');
  const before = await searches();
  await service.setFaults({ kind: 'delay', on: 'Search', milliseconds: 60_000 });
  const running = runCommandLine(['batch', 'run', few, '--limit', '5', '--out', result, '--connection', connection], {
    env,
  });
  await expect.poll(searches, { timeout: 60_000 }).toBeGreaterThan(before);
  const sql = new DatabaseSync(join(folder, 'unread', databaseName));
  for (const name of ['batch_spend', 'balance_readings']) sql.exec(`ALTER TABLE ${name} RENAME TO ${name}_elsewhere`);
  sql.close();
  await service.clearFaults();
  const { json } = await running;
  expect(json.value).toMatchObject({
    state: 'done',
    credits: { counted: null },
    balance: 'What the balance did while the batch ran could not be read.',
  });
});

test('rows that failed, or of which no answer came, are a status of their own', async () => {
  for (const kind of ['status', 'reset'] as const) {
    await service.setFaults({ kind, on: 'Search', ...(kind === 'status' ? { status: 422 } : {}), times: 1 });
    const few = join(folder, `${kind}.csv`);
    const [one] = gazetteer.samplePostcodes(12).slice(kind === 'status' ? -1 : -2);
    writeFileSync(few, `Postcode\n${one}\n`);
    const ended = await runCommandLine(
      ['batch', 'run', few, '--limit', '5', '--out', result, '--connection', connection],
      { env: envOf(kind) },
    );
    await service.clearFaults();
    expect(ended.json).toMatchObject({
      ok: true,
      value: { state: 'done', rows: kind === 'status' ? { failed: 1 } : { unknown: 1 } },
    });
    expect(ended.status, kind).toBe(exitStatuses['not-every-row']);
  }
});

test('on a terminal an answer that came is not said to be missing, and what to do names the connection file', async () => {
  const own = join(folder, 'said.csv');
  writeFileSync(own, `Postcode\n${gazetteer.samplePostcodes(20).slice(-6).join('\n')}\n`);
  const say = async (status: number) => {
    const server = createServer((request, response) =>
      request.url?.includes('GetCredits')
        ? response.end('{"credits":100}')
        : response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(),
    );
    const at = await listenOnLoopback(server);
    const file = join(folder, `said-${status}.json`);
    writeFileSync(file, JSON.stringify({ name: `Said ${status}`, restBaseUrl: `http://127.0.0.1:${at}/v1` }));
    const ended = await runCommandLine(
      ['batch', 'run', own, '--limit', '20', '--out', join(folder, `said-${status}.out.csv`), '--connection', file],
      { env: envOf(`said-${status}`), terminalWidth: 500 },
    );
    server.close();
    expect(ended.status).toBe(exitStatuses.waiting);
    return ended.stdout;
  };
  const failed = await say(500);
  expect(failed).toMatch(/(\d) of 20 credits counted, .+, \1 of it for calls without a usable answer\./);
  expect(failed).not.toContain('complete answer');
  const sent = await say(302);
  expect(sent).toContain('Waiting for you: enter the final address in the connection file.');
});

// There is no signal to a process on Windows: it is ended outright.
test.skipIf(process.platform === 'win32')(
  'a network that is gone is said on standard error, and Ctrl-C ends the wait',
  async () => {
    const file = join(folder, 'nobody.json');
    writeFileSync(file, JSON.stringify({ name: 'Nobody', restBaseUrl: 'http://127.0.0.1:1/v1' }));
    const { status, stderr, json } = await runProgram(
      ['batch', 'run', table, '--limit', '50', '--out', join(folder, 'nobody.csv'), '--connection', file],
      {
        env: envOf('nobody'),
        during: (child) =>
          new Promise((done) => {
            child.stderr?.once('data', () => {
              child.kill('SIGINT');
              done();
            });
          }),
      },
    );
    // Calls that are still under way when the first one has failed are counted until they have failed too.
    expect(stderr).toMatch(/^0 of 9 rows done, [0-8] credits? counted\. .+ It tries again at \d\d:\d\d:\d\d\.\n/);
    expect(status).toBe(exitStatuses.waiting);
    expect(json.value).toMatchObject({ state: 'paused', credits: { counted: 0 } });
  },
);

test.skipIf(process.platform === 'win32')(
  'Ctrl-C before a batch begins: while the connection file is read, and while the table is; nothing is sent or left',
  async () => {
    const before = (await service.meter()).requests;
    const settings = readFileSync(connection, 'utf8');
    const rows = readFileSync(table, 'utf8');
    for (const [pipe, content] of [
      ['connection.fifo', settings],
      ['table.fifo', rows],
    ] as const) {
      const path = join(folder, pipe);
      execFileSync('mkfifo', [path]);
      const [file, one] = content === settings ? [path, table] : [connection, path];
      const { status, json } = await runProgram(
        ['batch', 'run', one, '--limit', '50', '--out', join(folder, 'never.csv'), '--connection', file],
        {
          env: envOf(`data of ${pipe}`),
          during: async (child) => {
            // Opened once the command reads it, which is after it listens for signals.
            const writing = await open(path, 'w');
            child.kill('SIGINT');
            await writing.writeFile(content).catch(() => {});
            await writing.close().catch(() => {});
          },
        },
      );
      expect([status, json.error?.code], pipe).toEqual([1, 'cancelled']);
      expect(existsSync(join(folder, 'never.csv'))).toBe(false);
      const listed = await runCommandLine(['batch', 'list', '--connection', connection], {
        env: envOf(`data of ${pipe}`),
      });
      expect(listed.json.value).toEqual([]);
    }
    expect((await service.meter()).requests).toBe(before);
  },
);
