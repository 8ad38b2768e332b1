import { EventEmitter } from 'node:events';
import type { CustomScheme } from 'electron';

type Handler = (request: Request) => Response | Promise<Response>;

export class Protocol {
  readonly schemes: CustomScheme[] = [];
  readonly handlers = new Map<string, Handler>();
  registerSchemesAsPrivileged(schemes: CustomScheme[]): void {
    this.schemes.push(...schemes);
  }
  handle(scheme: string, handler: Handler): void {
    if (this.handlers.has(scheme)) throw new Error(`${scheme} is already handled`);
    this.handlers.set(scheme, handler);
  }
}

type PermissionCheck = (contents: unknown, permission: string, origin: string) => boolean;

/** A session: protocol handlers and what was refused. Permissions are applied to the browser context by `browser.ts`. */
export class Session extends EventEmitter {
  readonly protocol: Protocol;
  permissionCheck: PermissionCheck | null = null;
  constructor(protocol: Protocol) {
    super();
    this.protocol = protocol;
  }
  setPermissionCheckHandler(handler: PermissionCheck | null): void {
    this.permissionCheck = handler;
  }
  setPermissionRequestHandler(): void {}
  setDevicePermissionHandler(): void {}
  setDisplayMediaRequestHandler(): void {}
  setBluetoothPairingHandler(): void {}
  /** Electron asks the system. Here the system's answer, in PAC form, is what the environment names. */
  async resolveProxy(): Promise<string> {
    return process.env.ADDRESS_CONSOLE_HOST_PROXY ?? 'DIRECT';
  }
}
