import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Duplex, Readable, Writable } from 'node:stream';
import { type Conversation, type Devtools, type Line, speakDevtools } from './devtools.ts';

const candidates: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/microsoft-edge'],
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

/** An installed browser of the Chromium family; CHROMIUM_PATH comes first. */
export function findBrowser(): string | undefined {
  const named = process.env.CHROMIUM_PATH;
  return [...(named === undefined ? [] : [named]), ...(candidates[process.platform] ?? [])].find((path) =>
    existsSync(path),
  );
}

export interface BrowserOptions {
  profileFolder: string;
  headless: boolean;
  /** Whether others on this computer may join it. */
  shared: boolean;
  /** A proxy that everything goes through, this computer's own addresses too; undefined: none. For tests, which refuse there and record. */
  proxy?: string | undefined;
  /** The program's switches for the browser engine. */
  switches: ReadonlyMap<string, string>;
  width: number;
  height: number;
}

export interface Browser {
  devtools: Devtools;
  /** The context of its own that a window has in a browser it shares. */
  contextId: string | undefined;
  /** Where a test may join it; only of one that is shared. */
  address: string | undefined;
  close(): Promise<void>;
}

// What Chrome the product does by itself and Electron has not: its first run, its components, its account, and the two pages behind its
// address bar, which cost each window more than the program's own page does. What both have stays on.
const productFeatures = [
  'Translate',
  'OptimizationHints',
  'MediaRouter',
  'DialMediaRouteProvider',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  // Off in Electron too (shell/browser/feature_list.cc).
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

// A window that nobody looks at is drawn and runs as one that somebody does.
const headlessFlags = [
  '--headless',
  '--hide-scrollbars',
  '--mute-audio',
  '--force-color-profile=srgb',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
];

/** Whether scrollbars are drawn and take their room, as on a real screen; headless Chromium leaves them out by itself. */
const showsScrollbars = () => process.env.ADDRESS_CONSOLE_HOST_SCROLLBARS === '1';

/** Starts a browser for one window, or for the windows of several tests where it is `shared`. */
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
      // As root the browser's own sandbox cannot be; --test-type keeps the browser's bar about it off the window.
      ...(asRoot ? ['--no-sandbox', '--test-type'] : []),
      ...(options.proxy === undefined ? [] : [`--proxy-server=${options.proxy}`, '--proxy-bypass-list=<-loopback>']),
      '--remote-debugging-pipe',
      ...(options.shared ? ['--remote-debugging-port=0'] : []),
      ...(options.headless
        ? [...headlessFlags.filter((flag) => flag !== '--hide-scrollbars' || !showsScrollbars()), 'about:blank']
        : ['--app=data:text/html,', `--window-size=${options.width},${options.height}`]),
    ],
    {
      // Date fields go by the browser's own language, which Linux takes from the environment and the others from the switch.
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

/** Messages end with a zero byte. */
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

/** Node's dispatcher as far as it is used; it takes any, and has no other way to leave a header of a socket out. */
interface Dispatcher {
  dispatch(request: { headers: Record<string, string> }, handler: object): boolean;
}

/** Without compression, which Node's and Playwright's sockets ask for by themselves: on one machine it costs both ends and saves nothing. */
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

/** A browser of the window's own. */
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
 * A context of one's own, with storage and permissions of its own, in a browser that runs already; it ends with this process. The browser
 * must have been started with the switches that the program asks for: they cannot be given later.
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

/** Those whose first page is somebody's. */
const taken = new WeakSet<Devtools>();

/** Opens a page, or takes the one that a browser of one's own has opened, and attaches to it. */
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
