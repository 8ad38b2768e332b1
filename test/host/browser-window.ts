import { EventEmitter } from 'node:events';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright';
import { toApp, toBrowser } from './addresses.ts';
import { app } from './app.ts';
import { answerRequests, preloadScript, readDevtoolsAddress, startBrowser } from './browser.ts';
import { handlers } from './ipc.ts';
import { session } from './session.ts';

interface WindowOptions {
  width?: number;
  height?: number;
  webPreferences?: { preload?: string };
}

/** For tests: every message to the window, a line each. */
function record(text: string): void {
  const file = process.env.ADDRESS_CONSOLE_HOST_RECORD;
  if (file !== undefined) appendFileSync(file, `${text}\n`);
}

type OpenHandler = (details: { url: string }) => { action: 'deny' | 'allow' };

export class WebContents extends EventEmitter {
  page: Page | undefined;
  readonly session = session.defaultSession;
  /** The frame that invokes come from is compared with this one, so there is one object for it. */
  readonly mainFrame: { url: string };
  private openHandler: OpenHandler = () => ({ action: 'deny' });
  constructor() {
    super();
    const contents = this;
    this.mainFrame = {
      get url() {
        return contents.getURL();
      },
    };
  }
  getURL(): string {
    return toApp(this.page?.url() ?? '');
  }
  isDestroyed(): boolean {
    return this.page?.isClosed() ?? false;
  }
  /** Set by the window: what stands in for a page whose process has ended, for Playwright cannot load that one again. */
  replace: (() => Promise<void>) | undefined;
  crashed = false;
  reload(): void {
    const loaded = this.crashed ? this.replace?.() : this.page?.reload();
    loaded?.catch((error: Error) => console.error(error.message));
  }
  setWindowOpenHandler(handler: OpenHandler): void {
    this.openHandler = handler;
  }
  mayOpen(url: string): boolean {
    return this.openHandler({ url }).action === 'allow';
  }
  send(channel: string, ...args: unknown[]): void {
    record(JSON.stringify(args));
    void this.page
      ?.evaluate(
        ([name, text]) =>
          (window as unknown as { __hostDeliver?: (n: string, t: string) => void }).__hostDeliver?.(name, text),
        [channel, JSON.stringify(args)] as const,
      )
      .catch(() => {});
  }
}

/** Asks the program's own navigation rules, as Electron does, before a page may go elsewhere. */
async function guardNavigation(context: BrowserContext, contents: WebContents): Promise<void> {
  await context.route('**/*', async (route) => {
    const request = route.request();
    if (!request.isNavigationRequest()) return route.fallback();
    let stopped = false;
    const event = {
      url: toApp(request.url()),
      preventDefault: () => {
        stopped = true;
      },
    };
    contents.emit('will-frame-navigate', event);
    contents.emit('will-navigate', event);
    // 204 leaves the page where it is, as preventDefault does; an abort would show an error page.
    return stopped ? route.fulfill({ status: 204 }) : route.fallback();
  });
}

export class BrowserWindow extends EventEmitter {
  static windows: BrowserWindow[] = [];
  static getAllWindows(): BrowserWindow[] {
    return [...BrowserWindow.windows];
  }
  readonly webContents = new WebContents();
  private readonly opened: Promise<void>;
  private shown = false;

  constructor(options: WindowOptions) {
    super();
    BrowserWindow.windows.push(this);
    app.emit('web-contents-created', {}, this.webContents);
    this.opened = this.open(options);
    this.opened.catch((error: Error) => {
      console.error(error.message);
      app.exit(1);
    });
  }

  private async open(options: WindowOptions): Promise<void> {
    const profileFolder = join(app.getPath('userData'), 'browser');
    const devtoolsPort = process.env.ADDRESS_CONSOLE_HOST_DEVTOOLS === '1';
    const { context, page } = await startBrowser({
      profileFolder,
      devtoolsPort,
      language: app.commandLine.switches.get('lang') ?? 'en-GB',
      headless: process.env.ADDRESS_CONSOLE_HOST_HEADLESS === '1',
      width: options.width ?? 1280,
      height: options.height ?? 800,
    });
    const contents = this.webContents;
    app.onEnd(() => context.close());
    await answerRequests(context, session.defaultSession.protocol);
    await guardNavigation(context, contents);
    let replacing = false;
    context.on('page', (extra) => {
      if (!replacing && !contents.mayOpen(extra.url())) void extra.close();
    });
    await this.equip(page, options);
    contents.replace = async () => {
      const [old, url] = [contents.page, contents.page?.url() ?? ''];
      replacing = true;
      const fresh = await context.newPage();
      replacing = false;
      await this.equip(fresh, options);
      contents.crashed = false;
      await old?.close();
      await fresh.goto(url);
      contents.emit('did-finish-load');
    };
    if (devtoolsPort) console.error(`devtools ${readDevtoolsAddress(profileFolder)}`);
  }

  /** Makes a page this window's: what it calls, its preload, its end. */
  private async equip(page: Page, options: WindowOptions): Promise<void> {
    const contents = this.webContents;
    contents.page = page;
    await page.exposeBinding('__hostInvoke', async (source, text: string) => {
      const [channel, ...args] = JSON.parse(text) as [string, ...unknown[]];
      const senderFrame = source.frame === page.mainFrame() ? contents.mainFrame : { url: toApp(source.frame.url()) };
      const answer = await handlers.get(channel)?.({ sender: contents, senderFrame }, ...args);
      if (answer === undefined) return undefined;
      const message = JSON.stringify(answer);
      record(message);
      return message;
    });
    if (options.webPreferences?.preload !== undefined)
      await page.addInitScript(preloadScript(options.webPreferences.preload));
    page.on('close', () => {
      if (contents.page === page) this.closed();
    });
    page.on('crash', () => {
      contents.crashed = true;
      contents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 });
    });
    page.on('dialog', (dialog) => void dialog.dismiss());
  }

  private closed(): void {
    BrowserWindow.windows = BrowserWindow.windows.filter((window) => window !== this);
    this.emit('closed');
    if (BrowserWindow.windows.length === 0) app.emit('window-all-closed');
  }

  async loadURL(url: string): Promise<void> {
    await this.opened;
    await this.webContents.page?.goto(toBrowser(url));
    this.emit('ready-to-show');
    this.webContents.emit('did-finish-load');
  }
  show(): void {
    this.shown = true;
  }
  isVisible(): boolean {
    return this.shown;
  }
  isMinimized(): boolean {
    return false;
  }
  isDestroyed(): boolean {
    return this.webContents.isDestroyed();
  }
  restore(): void {}
  focus(): void {
    void this.webContents.page?.bringToFront();
  }
  close(): void {
    void this.webContents.page?.close();
  }
}
