import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { app, openWindows } from './app.ts';
import { joinBrowser, startBrowser } from './browser.ts';
import { allowedPermissions } from './permissions.ts';
import { WebContents } from './web-contents.ts';

interface WindowOptions {
  width?: number;
  height?: number;
  webPreferences?: { preload?: string };
}

export class BrowserWindow extends EventEmitter {
  static getAllWindows(): BrowserWindow[] {
    return [...openWindows] as BrowserWindow[];
  }
  readonly webContents: WebContents;
  private readonly opened: Promise<void>;
  private shown = false;

  constructor(options: WindowOptions = {}) {
    super();
    if (!app.isReady()) throw new Error('Cannot create BrowserWindow before app is ready');
    const { width = 800, height = 600, webPreferences } = options;
    const headless = process.env.ADDRESS_CONSOLE_HOST_HEADLESS === '1';
    this.webContents = new WebContents({
      preload: webPreferences?.preload,
      size: headless ? { width, height } : undefined,
    });
    this.webContents.once('destroyed', () => this.closed());
    this.webContents.once('painted', () => this.emit('ready-to-show'));
    openWindows.add(this);
    app.emit('web-contents-created', {}, this.webContents);
    this.opened = this.open({ width, height, headless });
    this.opened.catch((error: Error) => {
      console.error(error.message);
      app.exit(1);
    });
  }

  private async open(size: { width: number; height: number; headless: boolean }): Promise<void> {
    const { ADDRESS_CONSOLE_HOST_BROWSER: shared, ADDRESS_CONSOLE_HOST_BROWSER_SWITCHES: startedWith = '[]' } =
      process.env;
    const switches = app.commandLine.switches;
    const devtoolsPort = process.env.ADDRESS_CONSOLE_HOST_DEVTOOLS === '1';
    const browser =
      shared === undefined
        ? await startBrowser({
            ...size,
            switches,
            shared: devtoolsPort,
            proxy: process.env.ADDRESS_CONSOLE_HOST_BROWSER_PROXY,
            profileFolder: join(app.getPath('userData'), 'browser'),
          })
        : await joinBrowser(shared, startedWith, { switches });
    app.onEnd(() => browser.close());
    void browser.devtools.ended.then(() => this.closed());
    await allowedPermissions(browser, this.webContents);
    await this.webContents.open(browser);
    if (browser.address !== undefined) console.error(`devtools ${browser.address} ${this.webContents.target}`);
  }

  private closed(): void {
    if (!openWindows.delete(this)) return;
    this.emit('closed');
    app.windowClosed();
  }

  async loadURL(url: string): Promise<void> {
    await this.opened;
    await this.webContents.load(url);
  }
  show(): void {
    this.shown = true;
    this.emit('show');
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
  }
  /** Asks; a listener may prevent it, which stops a quit too. */
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
  /** Without asking. */
  destroy(): void {
    void this.opened.then(() => this.webContents.closePage()).catch(() => {});
  }
}
