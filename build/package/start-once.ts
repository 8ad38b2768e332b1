import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { SelfCheck } from '../../electron/shell/self-check.ts';
import { placesIn } from './after-pack.ts';
import { packageConfig } from './config.ts';
import { hostsInNetLog } from './net-log.ts';
import { faultsInLog } from './program-log.ts';

// Starts the packaged program and checks what cannot be seen from outside: its self-check passes (both workers from the
// archive, full-text search, the system's certificates, its window), its engine contacts no server, a second start hands over to the
// first, and a debugger's switch is refused, for that reason and no other. It is for a release. What a person sees is tested on the unpackaged program, because the
// packaged one admits no test driver. node build/package/start-once.ts [program]

const out = resolve(import.meta.dirname, '..', '..', 'out');
const limitMs = 90_000;
/** The engine's own background requests would begin some seconds after its start. */
const steadyMs = 15_000;

function giveUp(text: string): never {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

/** The program in the packed folder for this computer or for both architectures. The path of an installed program can be given as an argument. */
function findProgram(): string {
  const named = process.argv[2];
  if (named !== undefined) return named;
  const names = existsSync(out) ? readdirSync(out) : [];
  const own = names.filter(
    (name) => /unpacked$|^mac/.test(name) && name.includes('arm64') === (process.arch === 'arm64'),
  );
  const folder = names.find((name) => name.startsWith('mac-universal')) ?? own[0];
  if (folder === undefined) giveUp('There is no packed program in out: run npm run package first.');
  const { productName, linux } = packageConfig({});
  const { program } = placesIn(join(out, folder), process.platform, productName ?? '', linux?.executableName ?? '');
  return process.platform === 'darwin' ? join(program, 'Contents', 'MacOS', productName ?? '') : program;
}

const program = findProgram();
const scratch = mkdtempSync(join(tmpdir(), 'address-console-start-'));
const data = join(scratch, 'data');
const report = join(scratch, 'self-check.json');
const netLog = join(scratch, 'net-log.json');

function run(args: string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const child = spawn(program, args, {
    env: { ...process.env, ADDRESS_CONSOLE_DATA_FOLDER: data, ADDRESS_CONSOLE_DEMO_PREMISES: '2000', ...env },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  child.stderr?.pipe(process.stderr);
  return child;
}
const endOf = (child: ChildProcess) =>
  Promise.race([
    new Promise<string>((done) => child.once('exit', (code, signal) => done(String(code ?? signal)))),
    wait(limitMs, 'nothing: it stayed'),
  ]);

const wrong: string[] = [];
const first = run([`--log-net-log=${netLog}`], { ADDRESS_CONSOLE_SELF_CHECK: report });
let ended: string | null = null;
void endOf(first).then((how) => {
  ended = how;
});
const until = Date.now() + limitMs;
while (ended === null && !existsSync(report) && Date.now() < until) await wait(200);
if (ended !== null) giveUp(`The packaged program did not start: it ended with ${ended}.`);
if (!existsSync(report)) giveUp('The packaged program did not look at itself.');
const check = JSON.parse(readFileSync(report, 'utf8')) as SelfCheck;
for (const part of ['packaged', 'demoWorker', 'decodeWorker', 'fullText', 'window'] as const)
  if (!check[part]) wrong.push(`its own look says that “${part}” does not hold`);
if (check.electron === null) wrong.push('it does not run on Electron');
if (check.systemRoots === null) wrong.push('it cannot list the system’s certificates');

const debugged = run(['--remote-debugging-port=0']);
let said = '';
debugged.stderr?.on('data', (part: Buffer) => {
  said += part;
});
const refused = await endOf(debugged);
if (refused !== '2') wrong.push(`a debugger’s switch was to end it with 2, and it ended with ${refused}`);
// On Windows a program with windows may have no console to print to.
if (process.platform !== 'win32' && !said.includes('--remote-debugging-port'))
  wrong.push(`it did not say that it refuses the debugger’s switch, but “${said.trim()}”`);

const second = await endOf(run([]));
if (second !== '0') wrong.push(`a second start was to give way with 0, and it ended with ${second}`);
await wait(steadyMs);
if (ended !== null) wrong.push(`it did not stay: it ended with ${ended}`);
first.kill();
await Promise.race([endOf(first), wait(10_000)]);
if (!existsSync(netLog)) wrong.push('the engine wrote no network log');
else {
  const hosts = hostsInNetLog(readFileSync(netLog, 'utf8'));
  if (hosts.length > 0) wrong.push(`the engine asked for ${hosts.join(', ')}`);
}
const log = join(data, 'logs', 'console.log');
const faults = existsSync(log) ? faultsInLog(readFileSync(log, 'utf8')) : [];
if (faults.length > 0) wrong.push(`it wrote into its log: ${faults.join('; ')}`);
rmSync(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
if (wrong.length > 0) giveUp(`The packaged program is not as it should be: ${wrong.join('; ')}.`);
process.stderr.write(`The packaged program works: ${JSON.stringify(check)}\n`);
