import { EventEmitter } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { takeLock } from './lock.ts';

const packageFile = JSON.parse(readFileSync(resolve('package.json'), 'utf8')) as { version: string };

/** Where a system keeps a program's data, as Electron's `appData`. */
function appData(): string {
  if (process.platform === 'win32') return process.env.APPDATA ?? join(homedir(), 'AppData', 'Roaming');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  return process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config');
}

class App extends EventEmitter {
  isPackaged = false;
  /** Switches for the browser, from the program. */
  readonly commandLine = {
    switches: new Map<string, string>(),
    appendSwitch(name: string, value = ''): void {
      this.switches.set(name, value);
    },
  };
  private readonly paths = new Map<string, string>();
  private name = 'Address Console';
  private quitting = false;
  private closeBrowser: () => Promise<void> = async () => {};

  whenReady(): Promise<void> {
    return Promise.resolve();
  }
  isReady(): boolean {
    return true;
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
  getPath(which: string): string {
    const set = this.paths.get(which);
    if (set !== undefined) return set;
    const path = which === 'userData' ? join(appData(), `${this.name} (development host)`) : join(appData(), which);
    mkdirSync(path, { recursive: true });
    return path;
  }
  setPath(which: string, path: string): void {
    mkdirSync(path, { recursive: true });
    this.paths.set(which, path);
  }
  setAppUserModelId(): void {}
  setAboutPanelOptions(): void {}
  enableSandbox(): void {}
  requestSingleInstanceLock(): boolean {
    return takeLock(this.getPath('userData'), () => this.emit('second-instance'));
  }
  /** Called by the window: how to close the browser at the end. */
  onEnd(close: () => Promise<void>): void {
    this.closeBrowser = close;
  }
  quit(): void {
    if (this.quitting) return;
    this.quitting = true;
    let stopped = false;
    const event = {
      preventDefault: () => {
        stopped = true;
      },
    };
    this.emit('before-quit', event);
    this.emit('will-quit', event);
    this.quitting = false;
    if (!stopped) void this.closeBrowser().finally(() => process.exit(0));
  }
  exit(code = 0): void {
    void this.closeBrowser().finally(() => process.exit(code));
  }
}

export const app = new App();
