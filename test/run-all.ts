import { type ChildProcess, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join, resolve } from 'node:path';
import { type Outcome, readPlaywright, readVitest } from './helpers/outcomes.ts';
import { findSkipped, findUnkept, readPromises } from './helpers/promises.ts';
import { enterTemporaryFolder } from './helpers/temporary-folder.ts';

// Runs all suites beside each other and prints the failed tests and one closing line with the counts. The app tests take longest and go
// from one process to another, so the others yield to them.

const root = resolve(import.meta.dirname, '..');
const inModules = (...parts: string[]) => join(root, 'node_modules', ...parts);
const temporary = enterTemporaryFolder();

/** What runs now. A signal ends it first: what it still writes as it ends is in the folder that is removed with this process. */
const running = new Set<ChildProcess>();
let isEnding = false;
function exitAfterAll() {
  if (running.size === 0) process.exit(1);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    isEnding = true;
    // Playwright closes its windows at this one alone. On Windows, where a terminal has sent it to the suites too, passing it on would kill.
    if (process.platform !== 'win32') for (const child of running) child.kill('SIGINT');
    exitAfterAll();
  });

interface RunOptions {
  env?: NodeJS.ProcessEnv;
  /** Whether its output is printed at once; otherwise in one piece at its end, so that two suites do not mix. */
  live?: boolean;
  /** Whether it has the processors only while the other suites leave them. */
  yields?: boolean;
}

/** Runs a script and returns its exit code. */
function runNode(args: string[], { env = {}, live = false, yields = false }: RunOptions = {}) {
  return new Promise<number>((done) => {
    const output = live ? 'inherit' : 'pipe';
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ['ignore', output, output],
      env: { ...process.env, ...env },
    });
    running.add(child);
    if (yields && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    const printed: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => printed.push(chunk));
    child.on('exit', () => {
      running.delete(child);
      if (isEnding) exitAfterAll();
    });
    child.on('close', (code) => {
      if (isEnding) return;
      process.stderr.write(Buffer.concat(printed));
      done(code ?? 1);
    });
    child.on('error', () => done(127));
  });
}

function say(title: string, passed: boolean): Outcome {
  console.error(`${passed ? 'passed' : 'FAILED'}  ${title}`);
  return { file: '', title, state: passed ? 'passed' : 'failed' };
}

async function checks(): Promise<Outcome[]> {
  const all: [string, string[]][] = [
    ...['shared', 'electron', 'renderer', 'test', 'build'].map((layer): [string, string[]] => [
      `types of ${layer}`,
      // Several checkers each check the types that they share. On two cores one is as fast and takes half the processor time.
      [inModules('typescript', 'bin', 'tsc'), '--checkers', '1', '-p', join(root, layer)],
    ]),
    [
      'nothing that is not used',
      [inModules('knip', 'bin', 'knip.js'), '--config', join(root, 'build', 'knip.json'), '--no-progress'],
    ],
    ['format and lint', [inModules('@biomejs', 'biome', 'bin', 'biome'), 'ci', '--error-on-warnings', '.']],
  ];
  const outcomes: Outcome[] = [];
  for (const [title, args] of all) outcomes.push(say(title, (await runNode(args, { yields: true })) === 0));
  return outcomes;
}

/** A runner's outcomes. If it fails without a failed test in its report, the runner itself is added as failed. */
function withStatus(runner: string, status: number, reported: Outcome[] | undefined): Outcome[] {
  if (reported?.some(({ state }) => state === 'failed') || (reported && status === 0)) return reported;
  return [...(reported ?? []), { file: '', title: `${runner} ended with ${status}`, state: 'failed' }];
}

async function vitest(): Promise<Outcome[]> {
  const file = join(temporary, 'vitest.json');
  const config = join(root, 'test', 'vitest.config.ts');
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${file}`];
  const args = ['run', '--config', config, ...reporters];
  const status = await runNode([inModules('vitest', 'vitest.mjs'), ...args], { yields: true });
  return withStatus('Vitest', status, readVitest(file, root));
}

async function app(): Promise<Outcome[]> {
  const file = join(temporary, 'app.json');
  const config = join(root, 'test', 'app', 'playwright.config.ts');
  const args = ['test', '--config', config];
  const status = await runNode([inModules('playwright', 'cli.js'), ...args], {
    env: { ADDRESS_CONSOLE_REPORT: file },
    live: true,
  });
  return withStatus('Playwright', status, readPlaywright(file, 'test/app'));
}

const suites: Record<string, () => Promise<Outcome[]>> = { checks, vitest, app };
const only = process.argv.indexOf('--only');
const chosen = only === -1 ? Object.keys(suites) : (process.argv[only + 1] ?? '').split(',');

for (const name of chosen)
  if (!suites[name]) throw new Error(`No such suite: ${name}. There are ${Object.keys(suites).join(', ')}.`);

const begun = performance.now();
const took: { name: string; seconds: number }[] = [];
async function run(name: string): Promise<Outcome[]> {
  const suite = chosen.includes(name) ? suites[name] : undefined;
  if (!suite) return [];
  console.error(`\n— ${name}`);
  const started = performance.now();
  const found = await suite();
  took.push({ name, seconds: (performance.now() - started) / 1000 });
  console.error(`\n— ${name}: ended`);
  return found;
}
const outcomes = (await Promise.all([run('app'), run('vitest'), run('checks')])).flat();
if (only === -1) {
  console.error('\n— promises');
  const promises = readPromises(root);
  const unkept = findUnkept(promises, outcomes);
  for (const sentence of [...findSkipped(promises, outcomes), ...unkept]) console.error(sentence);
  outcomes.push(say('of each file that the promises name a test passed and none failed', unkept.length === 0));
}

const shares = took.map(({ name, seconds }) => `${name} ${Math.round(seconds)} s`);
const inAll = Math.round((performance.now() - begun) / 1000);
console.error(`\nTime: ${inAll} s. ${shares.join(', ')}${chosen.length > 1 ? '; app beside the others' : ''}`);

// Suites run beside each other, so these add up to more than the time of the whole.
const sums = Object.entries(Object.groupBy(outcomes, ({ file }) => file.split('/')[1] ?? '')).flatMap(
  ([suite, tests = []]) => {
    const seconds = tests.reduce((sum, test) => sum + (test.seconds ?? 0), 0);
    return seconds > 0 ? [`${suite} ${Math.round(seconds)} s (${tests.length} tests)`] : [];
  },
);
if (sums.length > 0) console.error(`The tests’ own times, added up: ${sums.join(', ')}`);

const inState = (state: Outcome['state']) => outcomes.filter((outcome) => outcome.state === state);
const [passed, failed, skipped] = [inState('passed').length, inState('failed'), inState('skipped').length];
// Printed last before the counts, so that a log of which only the end is kept still has them.
for (const { file, title } of failed) console.error(`FAILED  ${file === '' ? '' : `${file} › `}${title}`);
process.stdout.write(`${passed} passed, ${failed.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exitCode = failed.length === 0 && passed > 0 ? 0 : 1;
