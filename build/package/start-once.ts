import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { databaseName } from '../../electron/core/storage/database.ts';
import { placesIn } from './after-pack.ts';
import { packageConfig } from './config.ts';

// Starts the packaged program once, with a data folder of its own, and ends it: the archive passes its own integrity check, the
// native part loads, and the database opens. For a release; what a person sees is tested on the unpackaged program, because the
// fuses take the door that a test driver comes in by. node build/package/start-once.ts

const out = resolve(import.meta.dirname, '..', '..', 'out');
const limitMs = 60_000;
const steadyMs = 5_000;

function giveUp(text: string): never {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

/** The packed folder for this computer, or one for both architectures. */
function findProgram(): string {
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

const data = mkdtempSync(join(tmpdir(), 'address-console-start-'));
const child: ChildProcess = spawn(findProgram(), [], {
  env: { ...process.env, ADDRESS_CONSOLE_DATA_FOLDER: data },
  stdio: ['ignore', 'inherit', 'inherit'],
});
let ended: string | null = null;
child.on('error', (error) => {
  ended = error.message;
});
child.on('exit', (code, signal) => {
  ended ??= `it ended with ${code ?? signal}`;
});

const until = Date.now() + limitMs;
const database = () => existsSync(join(data, databaseName));
while (ended === null && !database() && Date.now() < until) await wait(200);
const opened = database();
if (ended === null) await wait(steadyMs);
const failed = ended ?? (opened ? null : 'its database did not appear');
const complained = existsSync(join(data, 'logs', 'console.log'));
child.kill();
await Promise.race([new Promise((done) => child.once('exit', done)), wait(10_000)]);
rmSync(data, { recursive: true, force: true, maxRetries: 5 });
if (failed !== null) giveUp(`The packaged program did not start: ${failed}.`);
if (complained) giveUp('The packaged program started and wrote an error into its log.');
process.stderr.write('The packaged program starts, opens its database and stays.\n');
