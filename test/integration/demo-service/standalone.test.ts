import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { readCommandLine, writeHelp } from '../../../electron/demo-service/command-line.ts';
import { optionTable } from '../../../electron/demo-service/options.ts';
import { startDemoService } from '../../../electron/demo-service/service.ts';
import type { WorkerMessage } from '../../../electron/demo-service/worker.ts';
import { removeFolder } from '../../helpers/folders.ts';

/** The service as a process and as a worker thread. */

/** Starts a worker and listens for its exit at once, because its last message and its exit can come in one turn. */
function startWorker(workerData: object) {
  const worker = new Worker(entry('worker.ts'), { workerData });
  const ended = once(worker, 'exit');
  const nextMessage = async () => ((await once(worker, 'message')) as [WorkerMessage])[0];
  return { worker, ended, nextMessage };
}

const entry = (name: string): URL => new URL(`../../../electron/demo-service/${name}`, import.meta.url);

function run(...given: string[]) {
  const child = spawn(process.execPath, [fileURLToPath(entry('standalone.ts')), ...given], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (text: Buffer) => {
    errors += text.toString();
  });
  return { child, errors: () => errors };
}

test('prints one line of JSON, serves, and ends with a signal', async () => {
  const { child } = run('--port', '0', '--premises', '2000', '--shape=b', '--price', 'Search=3');
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  await once(reader, 'line');
  const { restBaseUrl, soapUrl, soapNamespace, utilitiesNamespace, demo } = JSON.parse(lines[0] ?? '');
  expect(soapUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/service19\.asmx$/);
  expect([soapNamespace, utilitiesNamespace].every((text: string) => text.length > 0)).toBe(true);
  await (await fetch(`${restBaseUrl}/Search?key=${demo.lookupKey}&query=${demo.sample.postcode}`)).text();
  const credits = await (await fetch(`${restBaseUrl}/GetCredits?key=${demo.lookupKey}`)).json();
  expect(credits).toMatchObject({ credits: { remaining: 4997 } });
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
  expect(lines).toHaveLength(1);
});

test('a bad option is one sentence on stderr and status 2', async () => {
  const { child, errors } = run('--shape', 'c');
  const [code] = await once(child, 'close');
  expect(code).toBe(2);
  expect(errors()).toBe('--shape is one of a, b, not "c".\n');
});

test.each([
  [['--colour'], /no option/],
  [['--port'], /wants a value/],
  [['--port', '-1'], /whole number/],
  [['--port', '70000'], /65535/],
  [['--premises', '5'], /between/],
  [['--now', 'tomorrow'], /--now wants/],
  [['--price', 'Nothing=1'], /--price wants/],
  [['--map-word', 'two words'], /one word/],
  [['--guide-operation', 'ServiceTest'], /another operation/],
  [['extra'], /no option/],
])('%j is refused', (given, message) => {
  const read = readCommandLine(given);
  expect(read.kind === 'bad' && read.problem).toMatch(message);
});

test('help names every option', () => {
  const help = writeHelp();
  for (const name of Object.keys(optionTable))
    expect(help).toContain(`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  expect(readCommandLine(['--help']).kind).toBe('help');
});

test('the worker says when it is ready, and stops on a message', async () => {
  const { worker, ended, nextMessage } = startWorker({ premises: 2000 });
  const ready = await nextMessage();
  if (ready.type !== 'ready') throw new Error('The worker did not start.');
  const response = await fetch(`${ready.restBaseUrl}/GetCredits?key=${ready.demo.masterKey}`);
  expect(await response.json()).toEqual({ credits: 5000 });
  worker.postMessage({ type: 'stop' });
  expect((await nextMessage()).type).toBe('stopped');
  await ended;
});

test('a port in use is named, and the file of addresses is closed again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'demo-port-'));
  onTestFinished(() => removeFolder(folder));
  const cache = join(folder, 'premises.sqlite');
  const first = await startDemoService({ premises: 500, cache });
  const port = Number(new URL(first.soapUrl).port);
  await expect(startDemoService({ premises: 500, cache, port })).rejects.toThrow(`Port ${port} is in use.`);
  await first.stop();
  const ofProcess = process.platform === 'linux' ? readdirSync('/proc/self/fd') : [];
  const paths = ofProcess.map((fd) => `/proc/self/fd/${fd}`).filter((path) => existsSync(path));
  expect(paths.map((path) => readlinkSync(path))).not.toContain(cache);
});

test('a worker that cannot start says why', async () => {
  const { ended, nextMessage } = startWorker({ premises: 5 });
  expect((await nextMessage()).type).toBe('failed');
  await ended;
});
