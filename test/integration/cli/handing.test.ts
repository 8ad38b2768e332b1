import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { setupFixture } from '../../fixtures/setup.ts';
import { noKeychain, runCommandLine } from '../../helpers/demo-process.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { listenOnLoopback } from '../../helpers/loopback.ts';
import { startProgram } from '../../helpers/program.ts';
import { unwrap } from '../../helpers/temp-database.ts';

// Files for other people from the command line: the set-up of the data folder, and a call's support file.

let folder: string;
let file: string;
let env: Record<string, string>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handing-'));
  file = join(folder, 'desk.json');
  env = { ADDRESS_CONSOLE_DATA_FOLDER: join(folder, 'data') };
  writeFileSync(file, JSON.stringify(setupFixture));
});
afterEach(() => removeFolder(folder));
const run = (...args: string[]) => runCommandLine(args, { env });

test('a dry run changes nothing; an import takes what is new; an export is the same file, without keys', async () => {
  const dry = await run('setup', 'import', file, '--dry-run');
  expect(dry).toMatchObject({ status: 0, json: { ok: true, changes: 0, dryRun: true } });
  expect(dry.json.keysWanted).toEqual([
    { connection: 'Wyebank', role: 'lookup-key', label: 'Contact centre', lastFour: '4f2a' },
  ]);
  const out = join(folder, 'out.json');
  await run('setup', 'export', '--out', out);
  expect(JSON.parse(readFileSync(out, 'utf8')).connections).toEqual([]);
  expect((await run('setup', 'import', file)).json).toMatchObject({ ok: true, changes: 13 });
  await run('setup', 'export', '--out', out);
  const [first] = setupFixture.connections;
  expect({ ...JSON.parse(readFileSync(out, 'utf8')), savedAt: '' }).toEqual({
    ...setupFixture,
    savedAt: '',
    connections: [{ ...first, keys: [] }],
  });
  // A less strict cap and another address do not replace those that are here.
  const looser = structuredClone(setupFixture);
  Object.assign(looser.connections[0]?.caps ?? {}, { perDay: 9000, floor: 900 });
  Object.assign(looser.connections[0]?.settings ?? {}, { restBaseUrl: 'https://collector.example' });
  writeFileSync(file, JSON.stringify(looser));
  expect((await run('setup', 'import', file)).json).toMatchObject({ ok: true, changes: 1 });
  await run('setup', 'export', '--out', out);
  expect(JSON.parse(readFileSync(out, 'utf8')).connections).toMatchObject([
    { caps: { perDay: 400, floor: 900 }, settings: { restBaseUrl: 'https://lookup.example/v1' } },
  ]);
});

test('on a terminal the output is a table and sentences', async () => {
  const { stdout } = await runCommandLine(['setup', 'import', file, '--dry-run'], { env, terminalWidth: 140 });
  expect(stdout).toMatch(/Daily cap, Wyebank +400 credits +new +file/);
  expect(stdout).toContain('Keys still needed');
  expect(stdout).toContain('Nothing was changed.');
});

test('on a terminal too it is said that a file was not searched for a key that the keychain did not hand over', async () => {
  const window = unwrap(await startProgram({ folder: env.ADDRESS_CONSOLE_DATA_FOLDER as string }));
  await window.connect({ name: 'Wyebank', restBaseUrl: 'http://127.0.0.1:9/v1' }, { 'lookup-key': 'LK-7f3a91c2e8d0' });
  await window.close();
  const connection = join(folder, 'other.json');
  writeFileSync(connection, JSON.stringify({ restBaseUrl: 'http://127.0.0.1:9/v1' }));
  const onTerminal = async (...args: string[]) => (await runCommandLine(args, { env, terminalWidth: 100 })).stdout;
  const unread = /\n1 key could not be read, so it was not searched for\.\n$/;
  expect(await onTerminal('setup', 'export', '--out', join(folder, 'out.json'))).toMatch(unread);
  env.ADDRESS_CONSOLE_API_KEY = 'LK-7f3a91c2e8d04b56';
  await onTerminal('call', 'GetPremise', '--set', 'id=25000001', '--connection', connection);
  expect(await onTerminal('support', 'last')).toMatch(unread);
  expect(await onTerminal('support', 'last', '--out', join(folder, 'support.txt'))).toMatch(unread);
});

test('of a call that was killed the support file says neither that it was sent nor that it is under way', async () => {
  env.ADDRESS_CONSOLE_API_KEY = 'LK-7f3a91c2e8d04b56';
  let asked = () => {};
  const isAsked = new Promise<void>((done) => {
    asked = done;
  });
  const silent = createServer(() => asked());
  await listenOnLoopback(silent);
  const connection = join(folder, 'silent.json');
  const { port } = silent.address() as AddressInfo;
  writeFileSync(connection, JSON.stringify({ restBaseUrl: `http://127.0.0.1:${port}/v1` }));
  const program = join(import.meta.dirname, '../../../electron/cli.ts');
  const words = ['call', 'GetPremise', '--set', 'id=25000001', '--connection', connection];
  const child = spawn(process.execPath, [program, ...words], { env: { ...process.env, ...env } });
  await isAsked;
  child.kill('SIGKILL');
  await once(child, 'exit');
  const { json } = await run('support', 'last');
  expect(json.value).toContain('the program ended first. It may have been sent.');
  expect(json.value).not.toMatch(/^Sent,|It took 0\.00|^It is under way/m);
  expect(json.value).toMatch(/A charge may still come until/);
  silent.closeAllConnections();
  silent.close();
});

test('a failure is reported, and nothing is written', async () => {
  for (const args of [
    ['setup'],
    ['setup', 'export'],
    ['setup', 'import'],
    ['support'],
    ['support', 'last', '--show', 'keys'],
    ['setup', 'export', '--out', join(folder, 'unasked.json'), '--dry-run'],
    ['setup', 'export', 'word', '--out', join(folder, 'unasked.json')],
    ['setup', 'import', file, '--out', join(folder, 'unasked.json')],
  ])
    expect(await run(...args)).toMatchObject({ status: 1, json: { ok: false, error: { code: 'bad-input' } } });
  expect(existsSync(env.ADDRESS_CONSOLE_DATA_FOLDER ?? '')).toBe(false);
  expect((await run('support', 'last')).json).toMatchObject({ ok: false, error: { code: 'bad-input' } });
});

// On Windows npm is a script of a shell, which Node starts only by one.
describe.skipIf(process.platform === 'win32' || spawnSync('npm', ['--version']).status !== 0)('npm', () => {
  /** The command line as a script of npm, with words of npm's own line. */
  const byNpm = (...words: string[]) => {
    const cli = join(import.meta.dirname, '../../../electron/cli.ts');
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { cli: `"${process.execPath}" "${cli}"` } }));
    const { stdout, status } = spawnSync('npm', ['run', '-s', 'cli', ...words], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, ...noKeychain, ...env, npm_config_update_notifier: 'false' },
    });
    return { status, json: JSON.parse(stdout) };
  };

  test('that takes --dry-run for its own: nothing is imported', () => {
    const { status, json } = byNpm('setup', 'import', file, '--dry-run');
    expect({ status, code: json.error?.code }).toEqual({ status: 1, code: 'bad-input' });
    expect(json.error.message).toContain('--dry-run');
    expect(json.error.message).toContain("npm run -s cli '--' setup");
    expect(existsSync(env.ADDRESS_CONSOLE_DATA_FOLDER ?? '')).toBe(false);
  });

  test('that passes it on, and has settings of the same names as others: the command is run', () => {
    writeFileSync(join(folder, '.npmrc'), 'json=true\nyes=true\n');
    const { status, json } = byNpm('--', 'setup', 'import', file, '--dry-run');
    expect({ status, json }).toMatchObject({ status: 0, json: { ok: true, changes: 0, dryRun: true } });
  });
});

test('an import that is interrupted before it is written changes nothing', async () => {
  // As soon as the command listens for it, it is interrupted.
  const interrupt = (name: string | symbol) => name === 'SIGINT' && queueMicrotask(() => void process.emit('SIGINT'));
  process.on('newListener', interrupt);
  const stopped = await run('setup', 'import', file);
  process.removeListener('newListener', interrupt);
  expect(stopped.json).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  expect((await run('setup', 'import', file, '--dry-run')).json.value).toContainEqual(
    expect.objectContaining({ what: 'Daily cap', state: 'new' }),
  );
});

test('the support file of the newest call, on the terminal and as a file', async () => {
  const connection = join(folder, 'wyebank.json');
  writeFileSync(connection, JSON.stringify({ restBaseUrl: 'http://127.0.0.1:9/v1' }));
  const key = 'LK-7f3a91c2e8d04b56';
  env.ADDRESS_CONSOLE_API_KEY = key;
  await run('call', 'GetPremise', '--set', 'id=25000001', '--connection', connection);
  const read = await run('support', 'last');
  expect(read.json).toMatchObject({ ok: true, searchedForKeys: 1 });
  expect(read.json.value).toContain('===== summary.txt =====');
  expect(read.json.value).toContain('This call did not leave this computer.');
  expect(read.json.value).not.toContain('25000001');
  const out = join(folder, 'support.txt');
  expect((await run('support', 'last', '--show', 'addresses', '--out', out)).json).toMatchObject({ ok: true });
  expect(readFileSync(out, 'utf8')).toContain('25000001');
  // Windows lets only administrators make links.
  if (process.platform === 'win32') return;
  const link = join(folder, 'latest.txt');
  symlinkSync('support.txt', link);
  expect((await run('support', 'last', '--out', link)).json).toMatchObject({ ok: true });
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(out, 'utf8')).not.toContain('25000001');
});
