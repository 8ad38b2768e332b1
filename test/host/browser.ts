import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page, type Route } from 'playwright';
import { toApp, toBrowser } from './addresses.ts';
import type { Protocol } from './protocol.ts';

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

// Quiet on the network: the window's only server is the program itself.
const quietFlags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface BrowserOptions {
  profileFolder: string;
  headless: boolean;
  devtoolsPort: boolean;
  language: string;
  width: number;
  height: number;
}

/** Starts the browser with one page that looks like a window of its own. */
export async function startBrowser(options: BrowserOptions): Promise<{ context: BrowserContext; page: Page }> {
  const executablePath = findBrowser();
  if (executablePath === undefined)
    throw new Error('No Chromium, Chrome or Edge is installed. Install one, or name it in CHROMIUM_PATH.');
  const asRoot = process.platform === 'linux' && process.getuid?.() === 0;
  const context = await chromium.launchPersistentContext(options.profileFolder, {
    executablePath,
    headless: options.headless,
    viewport: options.headless ? { width: options.width, height: options.height } : null,
    ignoreDefaultArgs: ['--enable-automation'],
    acceptDownloads: false,
    locale: options.language,
    // Date fields go by the browser's own language, which Linux takes from the environment and the others from the switch.
    env: { ...(process.env as Record<string, string>), LANGUAGE: options.language.replace('-', '_') },
    handleSIGINT: false,
    handleSIGTERM: false,
    args: [
      ...quietFlags,
      `--lang=${options.language}`,
      // As root the browser's own sandbox cannot be; --test-type keeps the browser's bar about it off the window.
      ...(asRoot ? ['--no-sandbox', '--test-type'] : []),
      ...(options.devtoolsPort ? ['--remote-debugging-port=0'] : []),
      ...(options.headless ? [] : ['--app=data:text/html,', `--window-size=${options.width},${options.height}`]),
    ],
  });
  const page = context.pages()[0] ?? (await context.newPage());
  return { context, page };
}

/** The address at which a test may join the browser; only with `devtoolsPort`. */
export function readDevtoolsAddress(profileFolder: string): string {
  const [port] = readFileSync(join(profileFolder, 'DevToolsActivePort'), 'utf8').split('\n');
  return `http://127.0.0.1:${port}`;
}

/** Answers the page's requests through the program's own protocol handler; every other address is refused. */
export async function answerRequests(context: BrowserContext, protocol: Protocol): Promise<void> {
  await context.route('**/*', async (route: Route) => {
    const request = route.request();
    const url = toApp(request.url());
    const handler = protocol.handlers.get(new URL(url).protocol.slice(0, -1));
    if (!handler) return route.abort('blockedbyclient');
    const response = await handler(new Request(url, { method: request.method() }));
    return route.fulfill({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    });
  });
}

/** Runs the built preload before every page script, with a `require` that knows `electron` and nothing else. */
export function preloadScript(preloadFile: string): string {
  const code = readFileSync(preloadFile, 'utf8');
  return `(() => {
  const send = window.__hostInvoke;
  if (location.origin !== ${JSON.stringify(new URL(toBrowser('app://console/')).origin)} || window !== window.top) return;
  const listeners = new Map();
  Object.defineProperty(window, '__hostDeliver', { value: (channel, args) => {
    for (const listener of listeners.get(channel) ?? []) listener({}, ...JSON.parse(args));
  } });
  const freeze = (value) => { if (value && typeof value === 'object') { Object.values(value).forEach(freeze); Object.freeze(value); } return value; };
  const electron = {
    contextBridge: { exposeInMainWorld: (key, value) => Object.defineProperty(window, key, { value: freeze(value), enumerable: true }) },
    ipcRenderer: {
      invoke: async (...args) => { const answer = await send(JSON.stringify(args)); return answer === undefined ? undefined : JSON.parse(answer); },
      on: (channel, listener) => { listeners.set(channel, [...(listeners.get(channel) ?? []), listener]); },
    },
  };
  const require = (name) => { if (name === 'electron') return electron; throw new Error('not in the sandbox: ' + name); };
  const module = { exports: {} };
  (function (exports, require, module) {${code}
  })(module.exports, require, module);
})();`;
}
