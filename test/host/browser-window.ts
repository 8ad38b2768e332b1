import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { app, openWindows } from './app.ts';
import { type Browser, joinBrowser, startBrowser } from './browser.ts';
import { allowedPermissions } from './permissions.ts';
import { WebContents } from './web-contents.ts';

interface WindowOptions {
  name?: string;
  x?: number;
  y?: number;
  width?: number;
  height?: number;
  webPreferences?: { preload?: string };
}

/** The browser that has the program's windows. */
let browser: Promise<Browser> | undefined;

function theBrowser(size: { width: number; height: number; headless: boolean }): Promise<Browser> {
  const { ADDRESS_CONSOLE_HOST_BROWSER: shared, ADDRESS_CONSOLE_HOST_BROWSER_SWITCHES: startedWith = '[]' } =
    process.env;
  const switches = app.commandLine.switches;
  browser ??=
    shared === undefined
      ? startBrowser({
          ...size,
          switches,
          shared: process.env.ADDRESS_CONSOLE_HOST_DEVTOOLS === '1',
          proxy: process.env.ADDRESS_CONSOLE_HOST_BROWSER_PROXY,
          profileFolder: join(app.getPath('userData'), 'browser'),
        })
      : joinBrowser(shared, startedWith, { switches });
  void browser.then(
    (one) => app.onEnd(() => one.close()),
    () => {},
  );
  return browser;
}

/** The window that has the focus. */
let focused: BrowserWindow | undefined;

export class BrowserWindow extends EventEmitter {
  static getAllWindows(): BrowserWindow[] {
    return [...openWindows] as BrowserWindow[];
  }
  static getFocusedWindow(): BrowserWindow | null {
    return focused ?? null;
  }
  private readonly name: string;
  private readonly bounds: { x: number; y: number; width: number; height: number };
  readonly webContents: WebContents;
  private readonly opened: Promise<void>;
  private shown = false;

  constructor(options: WindowOptions = {}) {
    super();
    if (!app.isReady()) throw new Error('Cannot create BrowserWindow before app is ready');
    const { name = '', x = 0, y = 0, width = 800, height = 600, webPreferences } = options;
    if (name !== '' && BrowserWindow.getAllWindows().some((window) => window.name === name))
      throw new TypeError(`Window name '${name}' is already in use. Window names must be unique.`);
    this.name = name;
    this.bounds = { x, y, width, height };
    const headless = process.env.ADDRESS_CONSOLE_HOST_HEADLESS === '1';
    this.webContents = new WebContents({
      preload: webPreferences?.preload,
      size: headless ? { width, height } : undefined,
    });
    this.webContents.once('destroyed', () => this.closed());
    this.webContents.once('painted', () => this.emit('ready-to-show'));
    // A click or a key press in a window gives it the focus.
    this.webContents.on('touched', () => this.takeFocus());
    openWindows.add(this);
    app.emit('web-contents-created', {}, this.webContents);
    this.opened = this.open({ width, height, headless });
    this.opened.catch((error: Error) => {
      console.error(error.message);
      app.exit(1);
    });
  }

  private async open(size: { width: number; height: number; headless: boolean }): Promise<void> {
    const browser = await theBrowser(size);
    void browser.devtools.ended.then(() => this.closed());
    await allowedPermissions(browser, this.webContents);
    await this.webContents.open(browser);
    if (browser.address !== undefined) console.error(`devtools ${browser.address} ${this.webContents.target}`);
  }

  private closed(): void {
    if (!openWindows.delete(this)) return;
    if (focused === this) focused = undefined;
    this.emit('closed');
    // The system gives the focus to another window.
    const next = BrowserWindow.getAllWindows().findLast((window) => window.shown);
    if (focused === undefined) next?.takeFocus();
    app.windowClosed();
  }

  async loadURL(url: string): Promise<void> {
    await this.opened;
    await this.webContents.load(url);
  }
  show(): void {
    this.shown = true;
    this.emit('show');
    this.takeFocus();
  }
  private takeFocus(): void {
    if (focused === this || this.isDestroyed()) return;
    const before = focused;
    focused = this;
    before?.emit('blur');
    this.emit('focus');
  }
  isFocused(): boolean {
    return focused === this;
  }
  /** The bounds as given, since on this host windows are not moved. */
  getNormalBounds(): { x: number; y: number; width: number; height: number } {
    return { ...this.bounds };
  }
  isVisible(): boolean {
    return this.shown;
  }
  isMinimized(): boolean {
    return false;
  }
  isDestroyed(): boolean {
    return !openWindows.has(this);
  }
  restore(): void {}
  focus(): void {
    this.webContents.focusPage();
    this.takeFocus();
  }
  /** Closes the window unless a listener prevents it, which also stops a quit. */
  close(): void {
    let stopped = false;
    this.emit('close', {
      preventDefault: () => {
        stopped = true;
      },
    });
    if (stopped) app.closeRefused();
    else this.destroy();
  }
  /** Closes the window without asking its listeners. */
  destroy(): void {
    void this.opened.then(() => this.webContents.closePage()).catch(() => {});
  }
}
