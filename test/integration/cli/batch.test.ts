import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import writeWorkbook from 'write-excel-file/node';
import { exitStatuses } from '../../../electron/cli/printed.ts';
import { openTestGazetteer } from '../../helpers/batch-scene.ts';
import { type DemoService, runCommandLine, secretVariables, startDemo } from '../../helpers/demo-process.ts';
import { removeFolder } from '../../helpers/folders.ts';

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

const run = (...args: string[]) =>
  runCommandLine(['batch', ...args, '--connection', connection], {
    env: { ...secretVariables(service.demo), ADDRESS_CONSOLE_DATA_FOLDER: join(folder, 'data') },
  });
const searches = async () => (await service.meter()).calls.Search?.hits ?? 0;

test('plan sends nothing and says the price; a run stops at its limit with status 4; resumed it asks what is left', async () => {
  const plan = await run('plan', table);
  expect(plan.status).toBe(0);
  expect(plan.json.value).toMatchObject({ rows: { total: 9, ask: 8, malformed: 1 }, credits: { least: 8, most: 8 } });
  expect(await searches()).toBe(0);
  expect((await run('list')).json.value).toEqual([]);

  const stopped = await run('run', table, '--limit', '5', '--out', result);
  expect(stopped.status).toBe(4);
  expect(stopped.json.value).toMatchObject({
    state: 'waiting',
    wait: { kind: 'limit' },
    rows: { done: 5, waiting: 3 },
  });
  expect(await searches()).toBe(5);

  const listed = await run('list');
  expect(listed.json.value).toMatchObject([{ state: 'waiting', left: { rows: 3 } }]);

  const done = await run('resume', '--limit', '8', '--out', result);
  expect(done.status).toBe(0);
  expect(done.json).toMatchObject({ value: { state: 'done', rows: { done: 8, malformed: 1 } }, saved: { rows: 9 } });
  expect(await searches()).toBe(8);
  const lines = readFileSync(result, 'utf8').trim().split(/\r?\n/);
  expect(lines).toHaveLength(10);
  expect(lines[0]).toContain('ac_result');
  expect((await run('resume', '--limit', '8')).status).toBe(1);
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
  expect(await searches()).toBe(before);
});

test('a service that charges twice: the run ends with status 5, and says what the balance did beside what was counted', async () => {
  const charging = await startDemo('--seed', '42', '--premises', '4000', '--price', 'Search=2');
  try {
    const many = join(folder, 'many.csv');
    const file = join(folder, 'charging.json');
    writeFileSync(many, `Postcode\n${gazetteer.samplePostcodes(40).join('\n')}\n`);
    writeFileSync(file, JSON.stringify({ name: 'Charging', restBaseUrl: charging.restBaseUrl }));
    const ended = await runCommandLine(
      ['batch', 'run', many, '--limit', '40', '--rate', '50', '--out', result, '--connection', file],
      { env: { ...secretVariables(charging.demo), ADDRESS_CONSOLE_DATA_FOLDER: join(folder, 'charging') } },
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
    expect(json.error.message, args.join(' ')).toMatch(/takes (no --|one word)/);
  }
});
