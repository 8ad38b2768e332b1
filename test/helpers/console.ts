import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { _electron, type Browser, type ConnectOverCDPTransport, chromium, type Page } from 'playwright';
import { electronProgram as findElectron, isSandboxRefused } from '../../build/setup.mjs';
import { launchBrowser, socketLine } from '../host/browser.ts';
import { removeFolder } from './folders.ts';

const root = resolve(import.meta.dirname, '..', '..');

export interface ConsoleOptions {
  /** The data folder. Without it a new one is made, and removed at the end. */
  dataFolder?: string;
  /** Variables ADDRESS_CONSOLE_HOST_…, which answer in place of a person and a desktop, on both hosts (on-electron.cjs). */
  env?: Record<string, string>;
  /** A JavaScript file that main loads before the program does. */
  preload?: string;
  /** The archive from which to run, as a packaged program does. Development host only. */
  archive?: string;
  /** A file into which every message to the window is written, one on each line. Development host only. */
  recordFile?: string;
  width?: number;
  height?: number;
  /** A running browser, in which the program gets its own context. Without it a browser is started. Development host only. */
  browser?: SharedBrowser | undefined;
}

/** A browser for the windows of several tests, one after the other, each with separate storage and permissions. */
export interface SharedBrowser {
  env: Record<string, string>;
  stop(): Promise<void>;
}

/** Starts a browser to share. Returns undefined on Electron, which has its own. */
export async function startSharedBrowser(): Promise<SharedBrowser | undefined> {
  if (electronProgram() !== undefined) return undefined;
  const profileFolder = mkdtempSync(join(tmpdir(), 'address-console-browser-'));
  // The switches that main sets before the engine is ready (electron/main.ts). joinBrowser refuses a program that sets others.
  const switches = new Map([['lang', 'en-GB']]);
  const { child, address } = launchBrowser({
    profileFolder,
    headless: true,
    shared: true,
    switches,
    width: 1280,
    height: 800,
  });
  const ended = new Promise<void>((done) => child.on('exit', () => done()));
  return {
    env: {
      ADDRESS_CONSOLE_HOST_BROWSER: await address,
      ADDRESS_CONSOLE_HOST_BROWSER_SWITCHES: JSON.stringify([...switches]),
    },
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      removeFolder(profileFolder);
    },
  };
}

export interface RunningConsole {
  page: Page;
  host: 'electron' | 'development host';
  dataFolder: string;
  /** What the program printed. */
  output(): string;
  close(): Promise<void>;
  /** Kills the program, as a crash would end it, and waits for its end. */
  kill(): Promise<void>;
  /** Ends the window's process as a crash would, and returns the page of the window that the program opens in its place. */
  crashWindow(): Promise<Page>;
}

const isRoot = process.platform === 'linux' && process.getuid?.() === 0;

/** Path of Electron's executable; undefined if it is not installed, or would not start here. */
export function electronProgram(): string | undefined {
  if (process.env.ADDRESS_CONSOLE_WITHOUT_ELECTRON === '1') return undefined;
  const program = findElectron();
  return program !== undefined && !isRoot && isSandboxRefused(program) ? undefined : program;
}

/** Chromium cannot use its sandbox as root. */
export const rootSwitches = isRoot ? ['--no-sandbox'] : [];

/** Starts the built program: on Electron if it is installed, otherwise on the development host. */
export async function launchConsole(options: ConsoleOptions = {}): Promise<RunningConsole> {
  const dataFolder = options.dataFolder ?? mkdtempSync(join(tmpdir(), 'address-console-'));
  const env = {
    ...(process.env as Record<string, string>),
    ADDRESS_CONSOLE_DATA_FOLDER: dataFolder,
    ...(options.recordFile === undefined ? {} : { ADDRESS_CONSOLE_HOST_RECORD: options.recordFile }),
    ...options.browser?.env,
    ...options.env,
  };
  const program = electronProgram();
  const given = {
    dataFolder,
    env: { ...env, ...packaged(options.archive) },
    preload: options.preload,
    archive: options.archive,
  };
  const running = program === undefined ? await onHost(given) : await onElectron(program, given);
  if (options.width !== undefined)
    await running.page.setViewportSize({ width: options.width, height: options.height ?? 800 });
  await running.page.waitForSelector('main');
  return {
    ...running,
    close: async () => {
      await running.close();
      if (options.dataFolder === undefined) removeFolder(dataFolder);
    },
  };
}

/** Starts the program with a data folder and waits for its end, for a second start or one that fails. Returns its exit code and standard error. */
export async function startToEnd(
  dataFolder: string,
  {
    args = [],
    preload,
    archive,
    printed,
    env = {},
  }: {
    args?: string[];
    preload?: string;
    archive?: string;
    printed?: (text: string) => void;
    env?: Record<string, string>;
  } = {},
): Promise<{ code: number | null; said: string }> {
  const program = electronProgram();
  const [command, first] =
    program === undefined
      ? [process.execPath, hostArguments(preload, archive)]
      : [program, [...rootSwitches, ...required(preload), root]];
  const child = spawn(command, [...first, ...args], {
    cwd: root,
    env: {
      ...process.env,
      ADDRESS_CONSOLE_DATA_FOLDER: dataFolder,
      ADDRESS_CONSOLE_HOST_HEADLESS: '1',
      ...packaged(archive),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  });
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => printed?.(chunk));
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const code = await new Promise<number | null>((done) => child.on('close', done));
  if (child.killed) throw new Error(`The program had not ended by itself after a minute: ${said}`);
  return { code, said };
}

/** Variables by which the development host knows that it runs from an archive. */
const packaged = (archive: string | undefined): Record<string, string> =>
  archive === undefined ? {} : { ADDRESS_CONSOLE_HOST_PACKAGED: '1', ADDRESS_CONSOLE_HOST_ARCHIVE: archive };

const hostArguments = (preload: string | undefined, archive: string | undefined): string[] => [
  '--disable-warning=ExperimentalWarning',
  ...[preload, archive === undefined ? undefined : join(root, 'test', 'host', 'from-archive.mjs')].flatMap((file) =>
    file === undefined ? [] : [`--import=${pathToFileURL(file).href}`],
  ),
  join(root, 'test', 'host', 'run.ts'),
  join(archive ?? root, 'dist', 'main', 'main.js'),
];
/** Electron's arguments that load on-electron.cjs, which answers in place of a person, and then `preload`. */
const required = (preload: string | undefined): string[] =>
  [join(import.meta.dirname, 'on-electron.cjs'), ...(preload === undefined ? [] : [preload])].flatMap((file) => [
    '-r',
    file,
  ]);

interface Given {
  dataFolder: string;
  env: Record<string, string>;
  preload: string | undefined;
  archive: string | undefined;
}

async function onElectron(program: string, { dataFolder, env, preload }: Given): Promise<RunningConsole> {
  const app = await _electron.launch({
    executablePath: program,
    args: [...rootSwitches, ...required(preload), root],
    env,
    cwd: root,
  });
  let printed = '';
  const read = (chunk: Buffer) => {
    printed += chunk;
  };
  const child = app.process();
  child.stdout?.on('data', read);
  child.stderr?.on('data', read);
  // Playwright does not wait for the process's end, and only then are the lock and the files of the data folder released.
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  return {
    page: await app.firstWindow(),
    host: 'electron',
    dataFolder,
    output: () => printed,
    close: async () => {
      await app.close();
      await ended;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    // Playwright treats the page as dead after that, so the new one is reached over a new connection.
    crashWindow: async () => {
      await app.evaluate(async ({ BrowserWindow }) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents;
        const loaded = new Promise((done) => contents?.once('did-finish-load', () => done(null)));
        contents?.forcefullyCrashRenderer();
        await loaded;
      });
      const [port] = readFileSync(join(dataFolder, 'DevToolsActivePort'), 'utf8').split('\n');
      const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`, { noDefaults: true });
      const page = browser.contexts()[0]?.pages()[0];
      if (page === undefined) throw new Error('the window did not come back');
      return ready(page);
    },
  };
}

async function ready(page: Page): Promise<Page> {
  page.setDefaultTimeout(60_000);
  await page.waitForSelector('main');
  return page;
}

async function onHost({ dataFolder, env, preload, archive }: Given): Promise<RunningConsole> {
  const child = spawn(process.execPath, hostArguments(preload, archive), {
    cwd: root,
    env: { ...env, ADDRESS_CONSOLE_HOST_DEVTOOLS: '1', ADDRESS_CONSOLE_HOST_HEADLESS: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group, so that a kill ends the browser too.
    detached: process.platform !== 'win32',
  });
  const ended = new Promise<void>((done) => child.on('exit', () => done()));
  let printed = '';
  const window = new Promise<{ address: string; targetId: string }>((found, failed) => {
    const read = (chunk: Buffer) => {
      printed += chunk;
      const [, address, targetId] = /^devtools (\S+) (\S+)$/m.exec(printed) ?? [];
      if (address !== undefined && targetId !== undefined) found({ address, targetId });
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('exit', (code) => failed(new Error(`The console ended with ${code}:\n${printed}`)));
  });
  const { address, targetId } = await window;
  const browser = await connect(address);
  const page = await windowOf(browser, targetId);
  /** The window, after a crash the one in its place. */
  let last = page;
  return {
    page,
    host: 'development host',
    dataFolder,
    output: () => printed,
    close: async () => {
      child.kill('SIGTERM');
      await Promise.race([ended, new Promise((done) => setTimeout(done, 10_000))]);
      killGroup(child);
      await browser.close().catch(() => {});
    },
    kill: async () => {
      killGroup(child);
      await ended;
      await browser.close().catch(() => {});
    },
    crashWindow: async () => {
      const context = page.context();
      const again = context.waitForEvent('page', { timeout: 60_000 });
      const session = await context.newCDPSession(last);
      session.send('Page.crash').catch(() => {});
      last = await again;
      await last.waitForURL(/^https:\/\/console\.app\.localhost\//);
      return ready(last);
    },
  };
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

async function connect(address: string): Promise<Browser> {
  const line = await socketLine(address);
  const transport: ConnectOverCDPTransport = {
    send: (message) => line.send(JSON.stringify(message)),
    close: () => line.close(),
  };
  line.onMessage((text) => {
    const message = JSON.parse(text) as object;
    // Each message gets its own turn of the event loop, as over Playwright's socket. Otherwise code that waits for one message misses the next.
    setImmediate(() => transport.onmessage?.(message));
  });
  line.onEnd(() => transport.onclose?.());
  return chromium.connectOverCDP(transport, { noDefaults: true });
}

/** The page with that target id among those of the browser. */
async function windowOf(browser: Browser, targetId: string): Promise<Page> {
  for (const context of browser.contexts())
    for (const page of context.pages()) {
      const session = await context.newCDPSession(page);
      const { targetInfo } = await session.send('Target.getTargetInfo');
      await session.detach();
      if (targetInfo.targetId !== targetId) continue;
      await page.waitForURL(/^https:\/\/console\.app\.localhost\//);
      return page;
    }
  throw new Error('the window is not in the browser');
}
