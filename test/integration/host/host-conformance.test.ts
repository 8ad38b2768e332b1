import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { electronProgram, rootSwitches, type SharedBrowser, startSharedBrowser } from '../../helpers/console.ts';
import { removeFolder } from '../../helpers/folders.ts';

// Runs the conformance program on Electron if it is installed, otherwise on the development host. Its behaviours must be those in the
// table of test/host/README.md: one that is missing in either fails.

const root = resolve(import.meta.dirname, '..', '..', '..');
const main = join(root, 'test', 'host', 'conformance', 'main.mjs');

const readme = readFileSync(join(root, 'test', 'host', 'README.md'), 'utf8');
const table = [...(readme.split('## Conformance')[1] ?? '').matchAll(/^\| (.+?) \|/gm)]
  .map(([, behaviour = '']) => behaviour.trim())
  .slice(2);

const folder = mkdtempSync(join(tmpdir(), 'ac-host-'));
let browser: SharedBrowser | undefined;
let printed = '';
let code: number | null = null;
const found = new Map<string, string | null>();

beforeAll(async () => {
  browser = await startSharedBrowser();
  const report = join(folder, 'report.jsonl');
  const program = electronProgram();
  const [command, args] =
    program === undefined
      ? [
          process.execPath,
          ['--disable-warning=ExperimentalWarning', join(root, 'test', 'host', 'run.ts'), main, '--no-sandbox'],
        ]
      : [program, [...rootSwitches, main]];
  const child = spawn(command, args, {
    cwd: root,
    env: {
      ...process.env,
      ...browser?.env,
      ADDRESS_CONSOLE_HOST_HEADLESS: '1',
      CONFORMANCE_REPORT: report,
      // The command of this start, which the program uses for a second start.
      CONFORMANCE_START: JSON.stringify([command, args]),
      CONFORMANCE_FOLDER: join(folder, 'data'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      printed += chunk;
    });
  [code] = (await once(child, 'exit')) as [number | null];
  for (const line of existsSync(report) ? readFileSync(report, 'utf8').trim().split('\n') : []) {
    const { name, error } = JSON.parse(line) as { name: string; error: string | null };
    found.set(name, error);
  }
});
afterAll(async () => {
  await browser?.stop();
  removeFolder(folder);
});

test.each(table)('%s', (behaviour) => {
  expect(found.has(behaviour), `not reported:\n${printed}`).toBe(true);
  expect(found.get(behaviour)).toBeNull();
});

test('every tested behaviour is in the table, and the program ends by itself', () => {
  expect([...found.keys()].sort()).toEqual([...table].sort());
  expect(code, printed).toBe(0);
});
