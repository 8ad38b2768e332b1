import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { _electron, type Browser, chromium, type Page } from 'playwright';

const root = resolve(import.meta.dirname, '..', '..');

export interface ConsoleOptions {
  /** A folder of its own unless given; one given is kept at the end. */
  dataFolder?: string;
  env?: Record<string, string>;
  /** Writes every message to the window into this file, a line each. */
  recordFile?: string;
  width?: number;
  height?: number;
}

export interface RunningConsole {
  page: Page;
  host: 'electron' | 'development host';
  dataFolder: string;
  /** What the program printed. */
  output(): string;
  close(): Promise<void>;
  /** Ends the program at once, as a crash or a power cut would. */
  kill(): Promise<void>;
}

function electronProgram(): string | undefined {
  const folder = join(root, 'node_modules', 'electron');
  if (!existsSync(join(folder, 'path.txt'))) return undefined;
  const program = join(folder, 'dist', readFileSync(join(folder, 'path.txt'), 'utf8'));
  return existsSync(program) ? program : undefined;
}

/** Starts the built program with a data folder of its own: on Electron where its runtime is there, else on the development host. */
export async function launchConsole(options: ConsoleOptions = {}): Promise<RunningConsole> {
  const dataFolder = options.dataFolder ?? mkdtempSync(join(tmpdir(), 'address-console-'));
  const env = {
    ...(process.env as Record<string, string>),
    ADDRESS_CONSOLE_DATA_FOLDER: dataFolder,
    ...(options.recordFile === undefined ? {} : { ADDRESS_CONSOLE_HOST_RECORD: options.recordFile }),
    ...options.env,
  };
  const program = electronProgram();
  const running = program === undefined ? await onHost(dataFolder, env) : await onElectron(program, dataFolder, env);
  if (options.width !== undefined)
    await running.page.setViewportSize({ width: options.width, height: options.height ?? 800 });
  await running.page.waitForSelector('main');
  return {
    ...running,
    close: async () => {
      await running.close();
      if (options.dataFolder === undefined) rmSync(dataFolder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function onElectron(program: string, dataFolder: string, env: Record<string, string>): Promise<RunningConsole> {
  const asRoot = process.platform === 'linux' && process.getuid?.() === 0;
  const app = await _electron.launch({
    executablePath: program,
    args: [...(asRoot ? ['--no-sandbox'] : []), root],
    env,
    cwd: root,
  });
  let printed = '';
  app.process().stdout?.on('data', (chunk) => {
    printed += chunk;
  });
  app.process().stderr?.on('data', (chunk) => {
    printed += chunk;
  });
  return {
    page: await app.firstWindow(),
    host: 'electron',
    dataFolder,
    output: () => printed,
    close: () => app.close(),
    kill: async () => {
      app.process().kill('SIGKILL');
    },
  };
}

async function onHost(dataFolder: string, env: Record<string, string>): Promise<RunningConsole> {
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      join(root, 'test', 'host', 'run.ts'),
      join(root, 'dist', 'main', 'main.js'),
    ],
    {
      cwd: root,
      env: { ...env, ADDRESS_CONSOLE_HOST_DEVTOOLS: '1', ADDRESS_CONSOLE_HOST_HEADLESS: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that a kill takes the browser with it.
      detached: process.platform !== 'win32',
    },
  );
  const ended = new Promise<void>((done) => child.on('exit', () => done()));
  let printed = '';
  const address = new Promise<string>((found, failed) => {
    const read = (chunk: Buffer) => {
      printed += chunk;
      const match = /^devtools (\S+)$/m.exec(printed);
      if (match?.[1] !== undefined) found(match[1]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('exit', (code) => failed(new Error(`The console ended with ${code}:\n${printed}`)));
  });
  const browser = await chromium.connectOverCDP(await address, { noDefaults: true });
  const page = await windowOf(browser);
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
  };
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}

async function windowOf(browser: Browser): Promise<Page> {
  const [context] = browser.contexts();
  if (!context) throw new Error('the browser has no context');
  const page = context.pages()[0] ?? (await context.waitForEvent('page'));
  await page.waitForURL(/^https:\/\/console\.app\.localhost\//);
  return page;
}
