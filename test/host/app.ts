import { EventEmitter } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { freeLock, takeLock } from './lock.ts';

const packageFile = JSON.parse(readFileSync(resolve('package.json'), 'utf8')) as { version: string };

/** The system's folder for programs' data, as Electron's `appData`. */
function appData(): string {
  if (process.platform === 'win32') return process.env.APPDATA ?? join(homedir(), 'AppData', 'Roaming');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  return process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config');
}

/** The open windows; each adds and removes itself. */
export const openWindows = new Set<{ close(): void; destroy(): void }>();

/**
 * Switches that Electron sets in its own process before main begins (PreSandboxStartup in shell/app/electron_main_delegate.cc): the program
 * sees them as if somebody had given them. The browser here does not get them.
 */
const setByElectron: readonly string[] = [
  'allow-file-access-from-files',
  ...(process.platform === 'darwin' ? ['enable-avfoundation'] : []),
];

/**
 * Whether Electron on Windows starts with these arguments: nothing but `--` may follow a link (shell/app/command_line_args.cc). A link has a
 * scheme of more than one letter.
 */
export function admitsArguments(args: readonly string[]): boolean {
  const link = args.findIndex((one) => one === '--' || /^[a-z][^:\s]+:/i.test(one));
  return link === -1 || args[link] === '--' || [undefined, '--'].includes(args[link + 1]);
}

class App extends EventEmitter {
  /** True if the program runs from an archive, as a packaged one does (from-archive.mjs). */
  isPackaged = process.env.ADDRESS_CONSOLE_HOST_PACKAGED === '1';
  /** The program's switches for the browser engine. */
  readonly commandLine = {
    switches: new Map<string, string>(),
    appendSwitch(name: string, value = ''): void {
      this.switches.set(name, value);
    },
    isSandboxEnabled: false,
    hasSwitch(asked: string): boolean {
      const name = asked.toLowerCase();
      if (this.isSandboxEnabled && ['enable-sandbox', 'no-sandbox'].includes(name)) return name === 'enable-sandbox';
      // Arguments after `--` are not switches, and one dash is enough for one, as in Chromium's base/command_line.cc. On Windows a stroke is
      // too, and names have no case.
      const end = process.argv.indexOf('--');
      const given = (end === -1 ? process.argv : process.argv.slice(0, end)).map((one) => one.split('=')[0] ?? '');
      const isWindows = process.platform === 'win32';
      const forms = ['--', '-', ...(isWindows ? ['/'] : [])].map((prefix) => prefix + name);
      return (
        setByElectron.includes(name) ||
        this.switches.has(name) ||
        given.some((one) => forms.includes(isWindows ? one.toLowerCase() : one))
      );
    },
  };
  private readonly paths = new Map<string, string>();
  private name = 'Address Console';
  private ready = false;
  private quitting = false;
  private exitCode = 0;
  /** True once `exit` was called, which asks no listener. */
  private exiting = false;
  private ended = false;
  private closeBrowser: () => Promise<void> = async () => {};

  /** Called after main's module has been evaluated, for which Electron waits too. */
  becomeReady(): void {
    this.ready = true;
    this.emit('ready', {}, {});
  }
  whenReady(): Promise<void> {
    return this.ready ? Promise.resolve() : new Promise((done) => this.once('ready', () => done()));
  }
  isReady(): boolean {
    return this.ready;
  }
  getVersion(): string {
    return packageFile.version;
  }
  getName(): string {
    return this.name;
  }
  setName(name: string): void {
    this.name = name;
  }
  /** Makes the folder if nothing has set it, and throws if it cannot (shell/common/electron_paths.cc). `appData` itself is not made. */
  getPath(which: 'userData' | 'appData'): string {
    const set = this.paths.get(which);
    if (set !== undefined) return set;
    if (which === 'appData') return appData();
    const path = join(appData(), `${this.name} (development host)`);
    try {
      mkdirSync(path, { recursive: true });
    } catch {
      throw new Error(`Failed to get '${which}' path`);
    }
    return path;
  }
  setPath(which: string, path: string): void {
    if (!isAbsolute(path)) throw new Error('Path must be absolute');
    this.paths.set(which, path);
  }
  /** Electron asks the system. Here the answer, in PAC form, comes from the environment. */
  async resolveProxy(_url: string): Promise<string> {
    return process.env.ADDRESS_CONSOLE_HOST_PROXY ?? 'DIRECT';
  }
  setAppUserModelId(_id: string): void {}
  setToastActivatorCLSID(_id: string): void {}
  setAsDefaultProtocolClient(_scheme: string): boolean {
    return true;
  }
  setJumpList(_categories: unknown): 'ok' {
    return 'ok';
  }
  setAboutPanelOptions(_options: object): void {}
  /** Takes `--no-sandbox` back (shell/browser/api/electron_api_app.cc). */
  enableSandbox(): void {
    this.beforeReady('enableSandbox');
    this.commandLine.isSandboxEnabled = true;
  }
  disableHardwareAcceleration(): void {
    this.beforeReady('disableHardwareAcceleration');
  }
  private beforeReady(what: string): void {
    if (this.ready) throw new Error(`app.${what}() can only be called before app is ready`);
  }
  requestSingleInstanceLock(data: unknown = null): boolean {
    // Chromium passes on the switches first (AppendSwitchesAndArguments in base/command_line.cc); from `--` on there are none.
    const [program = '', ...rest] = process.argv;
    const end = rest.includes('--') ? rest.indexOf('--') : rest.length;
    const isSwitch = (one: string, at: number) => at < end && /^-./.test(one);
    const others = rest.filter((one, at) => !isSwitch(one, at));
    const args = [program, ...setByElectron.map((name) => `--${name}`), ...rest.filter(isSwitch), ...others];
    return takeLock(this.getPath('userData'), args, data, (argv, cwd, given) =>
      this.emit('second-instance', {}, argv, cwd, given),
    );
  }
  releaseSingleInstanceLock(): void {
    freeLock();
  }
  /**
   * Starts the program again once it has ended, with these arguments in place of its own. The development host only says so, and of Linux that
   * what is started there may gain no rights: it mounts no AppImage (shell/browser/relauncher.cc).
   */
  relaunch({
    execPath = process.execPath,
    args = process.argv.slice(1),
  }: {
    execPath?: string;
    args?: string[];
  } = {}): void {
    const rights = process.platform === 'linux' ? ', which may gain no rights,' : '';
    console.error(`starts ${execPath}${rights} again with ${JSON.stringify(args)}`);
  }
  /** Called by a window, with the function that closes the browser at the end. */
  onEnd(close: () => Promise<void>): void {
    this.closeBrowser = close;
  }

  // Quitting, in the order of Electron's shell/browser/browser.cc.
  quit(): void {
    if (this.quitting) return;
    this.quitting = this.asked('before-quit');
    if (!this.quitting) return;
    if (openWindows.size === 0) this.notifyAndEnd();
    else for (const window of [...openWindows]) window.close();
  }
  exit(code = 0): void {
    // There is no message loop yet to be ended (ExitWithCode in shell/browser/browser.cc).
    if (!this.ready) process.exit(code);
    this.exitCode = code;
    this.quitting = true;
    this.exiting = true;
    if (openWindows.size === 0) this.end();
    else for (const window of [...openWindows]) window.destroy();
  }
  windowClosed(): void {
    if (openWindows.size > 0) return;
    if (this.exiting) this.end();
    else if (this.quitting) this.notifyAndEnd();
    else if (!this.emit('window-all-closed')) this.quit();
  }
  /** Called by a window whose close was prevented, which stops the quit. */
  closeRefused(): void {
    this.quitting = false;
  }
  private notifyAndEnd(): void {
    this.quitting = this.asked('will-quit');
    if (this.quitting) this.end();
  }
  private end(): void {
    if (this.ended) return;
    this.ended = true;
    this.emit('quit', {}, this.exitCode);
    void this.closeBrowser().finally(() => process.exit(this.exitCode));
  }
  private asked(name: 'before-quit' | 'will-quit'): boolean {
    let goesOn = true;
    this.emit(name, {
      preventDefault: () => {
        goesOn = false;
      },
    });
    return goesOn;
  }
}

export const app = new App();
