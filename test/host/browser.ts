import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Duplex, Readable, Writable } from 'node:stream';
import { linuxBrowsers } from '../../build/setup.mjs';
import { type Conversation, type Devtools, type Line, speakDevtools } from './devtools.ts';

const candidates: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: linuxBrowsers,
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => {
    const root = process.env[name];
    return root === undefined
      ? []
      : [
          join(root, 'Google', 'Chrome', 'Application', 'chrome.exe'),
          join(root, 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
        ];
  }),
};

/** Path of an installed browser of the Chromium family; CHROMIUM_PATH takes precedence. */
export function findBrowser(): string | undefined {
  const named = process.env.CHROMIUM_PATH;
  return [...(named === undefined ? [] : [named]), ...(candidates[process.platform] ?? [])].find((path) =>
    existsSync(path),
  );
}

export interface BrowserOptions {
  profileFolder: string;
  headless: boolean;
  /** Whether other processes on this computer may join it. */
  shared: boolean;
  /** A proxy for everything, even this computer's addresses; undefined for none. Tests use one that refuses and records each request. */
  proxy?: string | undefined;
  /** The program's switches for the browser engine. */
  switches: ReadonlyMap<string, string>;
  width: number;
  height: number;
}

export interface Browser {
  devtools: Devtools;
  /** The window's context in a shared browser; undefined in a browser of its own. */
  contextId: string | undefined;
  /** The address at which a test may join it; only for a shared browser. */
  address: string | undefined;
  close(): Promise<void>;
}

// Switches off what Chrome does and Electron does not: first run, components, account, and the two pages behind the
// address bar, which cost each window more than the program's page. What both do stays on.
const productFeatures = [
  'Translate',
  'OptimizationHints',
  'MediaRouter',
  'DialMediaRouteProvider',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  // Electron turns this off too (shell/browser/feature_list.cc).
  'SpareRendererForSitePerProcess',
];
const productFlags = [
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-component-update',
  '--disable-background-networking',
  '--disable-sync',
  '--disable-default-apps',
  `--disable-features=${productFeatures.join()}`,
];

// Windows are drawn and run at full speed even when they are not visible.
const headlessFlags = [
  '--headless',
  '--hide-scrollbars',
  '--mute-audio',
  '--force-color-profile=srgb',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  // Windows live for seconds here: compiling their code for speed costs a tenth of the browser's time and does not come back.
  '--js-flags=--no-turbofan',
];

/** Whether scrollbars are drawn and take up space, as on a real screen; headless Chromium hides them by default. */
const showsScrollbars = () => process.env.ADDRESS_CONSOLE_HOST_SCROLLBARS === '1';

/** Starts a browser for one window or, if it is `shared`, for the windows of several tests. */
export function launchBrowser(options: BrowserOptions): { child: ChildProcess; address: Promise<string>; line: Line } {
  const executablePath = findBrowser();
  if (executablePath === undefined)
    throw new Error('No Chromium, Chrome or Edge is installed. Install one, or name it in CHROMIUM_PATH.');
  const asRoot = process.platform === 'linux' && process.getuid?.() === 0;
  const language = options.switches.get('lang') ?? 'en-US';
  const child = spawn(
    executablePath,
    [
      ...productFlags,
      '--disable-gpu',
      '--password-store=basic',
      '--use-mock-keychain',
      ...(process.platform === 'linux' ? ['--disable-dev-shm-usage'] : []),
      `--user-data-dir=${options.profileFolder}`,
      ...[...options.switches].map(([name, value]) => (value === '' ? `--${name}` : `--${name}=${value}`)),
      // The browser cannot use its sandbox as root. --test-type suppresses the bar in which it would warn about that.
      ...(asRoot ? ['--no-sandbox', '--test-type'] : []),
      ...(options.proxy === undefined ? [] : [`--proxy-server=${options.proxy}`, '--proxy-bypass-list=<-loopback>']),
      '--remote-debugging-pipe',
      ...(options.shared ? ['--remote-debugging-port=0'] : []),
      ...(options.headless
        ? [...headlessFlags.filter((flag) => flag !== '--hide-scrollbars' || !showsScrollbars()), 'about:blank']
        : ['--app=data:text/html,', `--window-size=${options.width},${options.height}`]),
    ],
    {
      // Date fields use the browser's language, which comes from the environment on Linux and from the switch elsewhere.
      env: { ...process.env, LANGUAGE: language.replace('-', '_') },
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    },
  );
  const [, , errors, input, output] = child.stdio as [null, null, Readable, Writable, Duplex];
  let said = '';
  const address = new Promise<string>((found, failed) => {
    errors.on('data', (chunk) => {
      said = `${said}${chunk}`.slice(-20_000);
      const match = /^DevTools listening on (\S+)$/m.exec(said);
      if (match?.[1] !== undefined) found(match[1]);
    });
    child.on('error', failed);
    child.on('exit', () => failed(new Error(`The browser ended:\n${said}`)));
  });
  address.catch(() => {});
  return { child, address, line: pipeLine(child, input, output) };
}

/** A line over pipes. Messages end with a zero byte. */
function pipeLine(child: ChildProcess, input: Writable, output: Readable): Line {
  input.on('error', () => {});
  return {
    send: (text) => void input.write(`${text}\0`),
    onMessage(listener) {
      let parts: Buffer[] = [];
      output.on('data', (chunk: Buffer) => {
        let rest = chunk;
        for (let end = rest.indexOf(0); end !== -1; end = rest.indexOf(0)) {
          listener(Buffer.concat([...parts, rest.subarray(0, end)]).toString('utf8'));
          parts = [];
          rest = rest.subarray(end + 1);
        }
        if (rest.length > 0) parts.push(rest);
      });
    },
    onEnd: (listener) => void child.on('exit', listener),
    close: () => input.end(),
  };
}

/** The part of undici's dispatcher that is used. Passing one is the only way to omit a header from Node's WebSocket. */
interface Dispatcher {
  dispatch(request: { headers: Record<string, string> }, handler: object): boolean;
}

/** A line over a WebSocket without compression, which Node and Playwright request by default: on one machine it only costs time. */
export async function socketLine(address: string): Promise<Line> {
  const plain: Dispatcher = {
    dispatch({ headers: { 'sec-websocket-extensions': _, ...headers }, ...request }, handler) {
      const usual = (globalThis as unknown as Record<symbol, Dispatcher>)[Symbol.for('undici.globalDispatcher.1')];
      return usual?.dispatch({ ...request, headers }, handler) ?? false;
    },
  };
  const socket = new WebSocket(address, { dispatcher: plain } as never);
  await new Promise<void>((opened, failed) => {
    socket.onopen = () => opened();
    socket.onerror = () => failed(new Error(`There is no browser at ${address}.`));
  });
  return {
    send: (text) => socket.send(text),
    onMessage: (listener) => socket.addEventListener('message', ({ data }) => listener(String(data))),
    onEnd: (listener) => socket.addEventListener('close', () => listener()),
    close: () => socket.close(),
  };
}

/** Starts a browser for one window. */
export async function startBrowser(options: BrowserOptions): Promise<Browser> {
  const { child, address, line } = launchBrowser(options);
  const devtools = speakDevtools(line);
  const ended = new Promise<void>((done) => child.on('exit', () => done()));
  return {
    devtools,
    contextId: undefined,
    address: options.shared ? await address : undefined,
    close: async () => {
      await devtools.browser.send('Browser.close').catch(() => {});
      await ended;
    },
  };
}

/**
 * Creates a context with separate storage and permissions in a running browser; it ends with this process. Throws if the browser was
 * not started with the switches that the program sets, because they cannot be set later.
 */
export async function joinBrowser(
  address: string,
  startedWith: string,
  { switches }: Pick<BrowserOptions, 'switches'>,
): Promise<Browser> {
  const asked = JSON.stringify([...switches]);
  if (asked !== startedWith)
    throw new Error(`The program asks for the switches ${asked}, the shared browser has ${startedWith}.`);
  const devtools = speakDevtools(await socketLine(address));
  const { browserContextId } = await devtools.browser.send('Target.createBrowserContext', { disposeOnDetach: true });
  return {
    devtools,
    contextId: browserContextId,
    address,
    close: async () => {
      await devtools.browser.send('Target.disposeBrowserContext', { browserContextId }).catch(() => {});
      devtools.close();
    },
  };
}

/** Browsers whose first page is already used by a window. */
const taken = new WeakSet<Devtools>();

/** Opens a page, or takes the first page of a browser that is not shared, and attaches to it. */
export async function openPage(
  { devtools, contextId }: Browser,
  fresh: boolean,
): Promise<{ targetId: string; page: Conversation }> {
  const { browser } = devtools;
  let targetId: string | undefined;
  const first = !taken.has(devtools);
  taken.add(devtools);
  if (!fresh && first) {
    const found = await browser.send('Target.getTargets');
    targetId = found.targetInfos.find(({ type }) => type === 'page')?.targetId;
  }
  targetId ??= (
    await browser.send('Target.createTarget', {
      url: 'about:blank',
      newWindow: true,
      ...(contextId === undefined ? {} : { browserContextId: contextId }),
    })
  ).targetId;
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
  return { targetId, page: devtools.page(sessionId) };
}
