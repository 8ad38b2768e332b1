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

/** Names that no other window may have. */
const names = new Set<string>();
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
  private readonly contents: WebContents;
  private readonly opened: Promise<void>;
  private shown = false;

  constructor(options: WindowOptions = {}) {
    super();
    if (!app.isReady()) throw new Error('Cannot create BrowserWindow before app is ready');
    const { name = '', x = 0, y = 0, width = 800, height = 600, webPreferences } = options;
    if (names.has(name)) throw new TypeError(`Window name '${name}' is already in use. Window names must be unique.`);
    this.name = name;
    if (name !== '') names.add(name);
    this.bounds = { x, y, width, height };
    const headless = process.env.ADDRESS_CONSOLE_HOST_HEADLESS === '1';
    this.contents = new WebContents({
      preload: webPreferences?.preload,
      size: headless ? { width, height } : undefined,
    });
    this.contents.once('destroyed', () => this.closed());
    this.contents.once('painted', () => this.emit('ready-to-show'));
    // A click or a key press in a window gives it the focus.
    this.contents.on('touched', () => this.takeFocus());
    openWindows.add(this);
    app.emit('web-contents-created', {}, this.contents);
    this.opened = this.open({ width, height, headless });
    this.opened.catch((error: Error) => {
      console.error(error.message);
      app.exit(1);
    });
  }

  private async open(size: { width: number; height: number; headless: boolean }): Promise<void> {
    const browser = await theBrowser(size);
    void browser.devtools.ended.then(() => this.closed());
    await allowedPermissions(browser, this.contents);
    await this.contents.open(browser);
    if (browser.address !== undefined) console.error(`devtools ${browser.address} ${this.contents.target}`);
  }

  private closed(): void {
    if (!openWindows.delete(this)) return;
    if (focused === this) focused = undefined;
    this.emit('closed');
    // Electron takes a window off its list after that (NotifyWindowClosed in native_window.cc), and its name with it.
    names.delete(this.name);
    // The system gives the focus to another window.
    const next = BrowserWindow.getAllWindows().findLast((window) => window.shown);
    if (focused === undefined) next?.takeFocus();
    app.windowClosed();
  }

  /** Of a window that is closed nothing may be asked but `isDestroyed` (function_template.h, MarkDestroyed in electron_api_base_window.cc). */
  private mustBeOpen(): void {
    if (this.isDestroyed()) throw new TypeError('Object has been destroyed');
  }
  get webContents(): WebContents {
    this.mustBeOpen();
    return this.contents;
  }
  loadURL(url: string): Promise<void> {
    this.mustBeOpen();
    return this.opened.then(() => this.contents.load(url));
  }
  show(): void {
    this.mustBeOpen();
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
    app.emit('browser-window-focus', {}, this);
  }
  isFocused(): boolean {
    this.mustBeOpen();
    return focused === this;
  }
  /** The bounds as given, since on this host windows are not moved. */
  getNormalBounds(): { x: number; y: number; width: number; height: number } {
    this.mustBeOpen();
    return { ...this.bounds };
  }
  isVisible(): boolean {
    this.mustBeOpen();
    return this.shown;
  }
  isMinimized(): boolean {
    this.mustBeOpen();
    return false;
  }
  isDestroyed(): boolean {
    return !openWindows.has(this);
  }
  restore(): void {
    this.mustBeOpen();
  }
  focus(): void {
    this.mustBeOpen();
    this.contents.focusPage();
    this.takeFocus();
  }
  /** Closes the window unless a listener prevents it, which also stops a quit. */
  close(): void {
    this.mustBeOpen();
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
    this.mustBeOpen();
    void this.opened.then(() => this.contents.closePage()).catch(() => {});
  }
}
