import { EventEmitter } from 'node:events';
import type { Session as ElectronSession } from 'electron';
import { app } from './app.ts';
import { Protocol } from './protocol.ts';

type PermissionCheck = Parameters<ElectronSession['setPermissionCheckHandler']>[0];
type PermissionRequest = Parameters<ElectronSession['setPermissionRequestHandler']>[0];

/** A session: protocol handlers and permission handlers (permissions.ts applies these to the browser). */
export class Session extends EventEmitter {
  readonly protocol: Protocol;
  permissionCheck: PermissionCheck = null;
  permissionRequest: PermissionRequest = null;
  spellCheckerLanguages = [/^[a-z]{2}_[A-Z]{2}/.exec(process.env.LANG ?? '')?.[0].replace('_', '-') ?? 'en-US'];
  private dictionaryUrl = 'https://redirector.gvt1.com/edgedl/chrome/dict/';
  constructor(protocol: Protocol) {
    super();
    this.protocol = protocol;
  }
  setPermissionCheckHandler(handler: PermissionCheck): void {
    this.permissionCheck = handler;
  }
  setPermissionRequestHandler(handler: PermissionRequest): void {
    this.permissionRequest = handler;
  }
  setDevicePermissionHandler(_handler: unknown): void {}
  setDisplayMediaRequestHandler(_handler: unknown): void {}
  setBluetoothPairingHandler(_handler: unknown): void {}
  setSpellCheckerEnabled(_enabled: boolean): void {}
  setSpellCheckerLanguages(languages: string[]): void {
    this.spellCheckerLanguages = [...languages];
  }
  /** Ignored: the browser reaches nothing except through the program (web-contents.ts). */
  readonly webRequest = { onBeforeRequest: (..._given: unknown[]): void => {} };
  setSpellCheckerDictionaryDownloadURL(url: string): void {
    this.dictionaryUrl = url;
  }
  /**
   * Electron fetches a dictionary for each language of every session, whatever a window's spell checker setting is, unless the list is
   * emptied in the turn in which the program becomes ready. Here those requests go to the browser's proxy, where a test records them.
   */
  async fetchDictionaries(): Promise<void> {
    for (const language of this.spellCheckerLanguages) {
      const url = new URL(`${language}.bdic`, this.dictionaryUrl);
      console.error(`The development host fetches no dictionary, Electron would: ${url}`);
      const proxy = process.env.ADDRESS_CONSOLE_HOST_BROWSER_PROXY;
      if (proxy !== undefined) await fetch(new URL(`/${url}`, proxy)).catch(() => {});
    }
  }
  /** Ignored, as `webRequest` is. */
  async setProxy(_config: object): Promise<void> {}
}

/** The only session, which the program may use once it is ready. */
export const ownSession = new Session(new Protocol());

export const session = {
  get defaultSession(): Session {
    if (!app.isReady()) throw new Error('Session can only be received when app is ready');
    return ownSession;
  },
};

/** The functions of this module apply to the default session. */
export const protocol = {
  registerSchemesAsPrivileged: (...args: Parameters<Protocol['registerSchemesAsPrivileged']>) =>
    ownSession.protocol.registerSchemesAsPrivileged(...args),
  handle: (...args: Parameters<Protocol['handle']>) => session.defaultSession.protocol.handle(...args),
};
