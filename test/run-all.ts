import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

// All suites, one after the other, and one closing line with the true counts. A suite that dies without counts is one failure.

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

const root = resolve(import.meta.dirname, '..');
const inModules = (...parts: string[]) => join(root, 'node_modules', ...parts);
const report = mkdtempSync(join(tmpdir(), 'address-console-report-'));

function runNode(args: string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  return new Promise((done) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, NO_COLOR: '1', ...env },
    });
    child.on('exit', (code) => done(code ?? 1));
    child.on('error', () => done(127));
  });
}

/** A check has no tests to count: it is one that passed or failed. */
async function check(name: string, args: string[]): Promise<Counts> {
  const passed = (await runNode(args)) === 0;
  console.error(`${passed ? 'passed' : 'FAILED'}  ${name}`);
  return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 };
}

async function checks(): Promise<Counts> {
  const results: Counts[] = [];
  for (const layer of ['shared', 'electron', 'renderer', 'test', 'build'])
    results.push(await check(`types of ${layer}`, [inModules('typescript', 'bin', 'tsc'), '-p', join(root, layer)]));
  results.push(
    await check('format and lint', [inModules('@biomejs', 'biome', 'bin', 'biome'), 'ci', '--error-on-warnings', '.']),
  );
  return sum(results);
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTotalTests: number;
  numFailedTestSuites: number;
  success: boolean;
}

async function vitest(): Promise<Counts> {
  const file = join(report, 'vitest.json');
  const status = await runNode([
    inModules('vitest', 'vitest.mjs'),
    'run',
    '--config',
    join(root, 'test', 'vitest.config.ts'),
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ]);
  const result = read<VitestReport>(file);
  if (!result) return { passed: 0, failed: 1, skipped: 0 };
  // A file that fails to load has no tests of its own to count.
  const failed = result.numFailedTests || (status === 0 && result.success ? 0 : 1);
  return { passed: result.numPassedTests, failed, skipped: result.numPendingTests };
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
}

async function app(): Promise<Counts> {
  const file = join(report, 'app.json');
  const status = await runNode(
    [inModules('playwright', 'cli.js'), 'test', '--config', join(root, 'test', 'app', 'playwright.config.ts')],
    { ADDRESS_CONSOLE_REPORT: file },
  );
  const result = read<PlaywrightReport>(file);
  if (!result) return { passed: 0, failed: 1, skipped: 0 };
  const { expected, unexpected, flaky, skipped } = result.stats;
  return { passed: expected, failed: unexpected + flaky || (status === 0 ? 0 : 1), skipped };
}

function read<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return undefined;
  }
}

const sum = (all: Counts[]): Counts =>
  all.reduce((a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }), {
    passed: 0,
    failed: 0,
    skipped: 0,
  });

const suites: Record<string, () => Promise<Counts>> = { checks, vitest, app };
const only = process.argv.indexOf('--only');
const chosen = only === -1 ? Object.keys(suites) : (process.argv[only + 1] ?? '').split(',');

const results: Counts[] = [];
for (const name of chosen) {
  const suite = suites[name];
  if (!suite) throw new Error(`No such suite: ${name}. There are ${Object.keys(suites).join(', ')}.`);
  console.error(`\n— ${name}`);
  results.push(await suite());
}
const total = sum(results);
rmSync(report, { recursive: true, force: true });
process.stdout.write(
  `${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}\n`,
);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
