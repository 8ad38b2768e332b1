import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { type Outcome, readPlaywright, readVitest } from './helpers/outcomes.ts';
import { findUnkept, readPromises } from './helpers/promises.ts';
import { enterTemporaryFolder } from './helpers/temporary-folder.ts';

// All suites, one after the other, the names of what failed, and one closing line with the true counts.

const root = resolve(import.meta.dirname, '..');
const inModules = (...parts: string[]) => join(root, 'node_modules', ...parts);
const temporary = enterTemporaryFolder();

function runNode(args: string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  return new Promise((done) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
    });
    child.on('exit', (code) => done(code ?? 1));
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
      [inModules('typescript', 'bin', 'tsc'), '-p', join(root, layer)],
    ]),
    [
      'nothing that is not used',
      [inModules('knip', 'bin', 'knip.js'), '--config', join(root, 'build', 'knip.json'), '--no-progress'],
    ],
    ['format and lint', [inModules('@biomejs', 'biome', 'bin', 'biome'), 'ci', '--error-on-warnings', '.']],
  ];
  const outcomes: Outcome[] = [];
  for (const [title, args] of all) outcomes.push(say(title, (await runNode(args)) === 0));
  return outcomes;
}

/** What a runner reported. One that ends badly without a failed test in its report is itself what failed. */
function withStatus(runner: string, status: number, reported: Outcome[] | undefined): Outcome[] {
  if (reported?.some(({ state }) => state === 'failed') || (reported && status === 0)) return reported;
  return [...(reported ?? []), { file: '', title: `${runner} ended with ${status}`, state: 'failed' }];
}

async function vitest(): Promise<Outcome[]> {
  const file = join(temporary, 'vitest.json');
  const config = join(root, 'test', 'vitest.config.ts');
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${file}`];
  const status = await runNode([inModules('vitest', 'vitest.mjs'), 'run', '--config', config, ...reporters]);
  return withStatus('Vitest', status, readVitest(file, root));
}

async function app(): Promise<Outcome[]> {
  const file = join(temporary, 'app.json');
  const config = join(root, 'test', 'app', 'playwright.config.ts');
  const status = await runNode([inModules('playwright', 'cli.js'), 'test', '--config', config], {
    ADDRESS_CONSOLE_REPORT: file,
  });
  return withStatus('Playwright', status, readPlaywright(file, 'test/app'));
}

const suites: Record<string, () => Promise<Outcome[]>> = { checks, vitest, app };
const only = process.argv.indexOf('--only');
const chosen = only === -1 ? Object.keys(suites) : (process.argv[only + 1] ?? '').split(',');

const outcomes: Outcome[] = [];
const took: { name: string; seconds: number }[] = [];
for (const name of chosen) {
  const suite = suites[name];
  if (!suite) throw new Error(`No such suite: ${name}. There are ${Object.keys(suites).join(', ')}.`);
  console.error(`\n— ${name}`);
  const started = performance.now();
  outcomes.push(...(await suite()));
  took.push({ name, seconds: (performance.now() - started) / 1000 });
}
if (only === -1) {
  console.error('\n— promises');
  const unkept = findUnkept(readPromises(root), outcomes);
  for (const sentence of unkept) console.error(sentence);
  outcomes.push(say('every test that the promises name ran and passed', unkept.length === 0));
}

const inAll = took.reduce((sum, { seconds }) => sum + seconds, 0);
const shares = took.map(
  ({ name, seconds }) => `${name} ${Math.round(seconds)} s (${Math.round((100 * seconds) / inAll)} %)`,
);
console.error(`\nTime: ${Math.round(inAll)} s. ${shares.join(', ')}`);

const inState = (state: Outcome['state']) => outcomes.filter((outcome) => outcome.state === state);
const [passed, failed, skipped] = [inState('passed').length, inState('failed'), inState('skipped').length];
// Last before the count, where a log that keeps only its end still has them.
for (const { file, title } of failed) console.error(`FAILED  ${file === '' ? '' : `${file} › `}${title}`);
process.stdout.write(`${passed} passed, ${failed.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exitCode = failed.length === 0 && passed > 0 ? 0 : 1;
