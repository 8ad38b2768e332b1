import { app, type Session, type WebContents } from 'electron';
import { windowOrigin } from './scheme.ts';

/**
 * The program needs no permission of the browser engine: the clipboard, files and notices go through main. So every request
 * and every check is refused, for every permission there is now or will be (safety.md 20).
 */
export function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, callback) => callback(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, callback) => callback(null));
  session.setBluetoothPairingHandler((_details, callback) => callback({ confirmed: false }));
  session.on('will-download', (event) => event.preventDefault());
  session.on('select-hid-device', (event, _details, callback) => {
    event.preventDefault();
    callback(null);
  });
  session.on('select-serial-port', (event, _ports, _contents, callback) => {
    event.preventDefault();
    callback('');
  });
  session.on('select-usb-device', (event, _details, callback) => {
    event.preventDefault();
    callback();
  });
}

/** A window shows the program's own page and nothing else: no navigation, no redirect, no further window, no webview. */
export function lockNavigation(contents: WebContents): void {
  const stay = (event: { preventDefault(): void; url: string }) => {
    if (!isOwnPage(event.url)) event.preventDefault();
  };
  contents.on('will-navigate', stay);
  contents.on('will-frame-navigate', stay);
  contents.on('will-redirect', stay);
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

/** Applies to every web contents there will ever be, so that none is forgotten. */
export function lockEveryContents(): void {
  app.on('web-contents-created', (_event, contents) => lockNavigation(contents));
  app.on('certificate-error', (event, _contents, _url, _error, _certificate, callback) => {
    event.preventDefault();
    callback(false);
  });
  app.on('login', (event) => event.preventDefault());
  app.on('select-client-certificate', (event) => event.preventDefault());
}

/** Exact origin, compared after parsing: a URL that does not parse, or is empty, is not ours. */
export function isOwnPage(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, host, username, password } = new URL(url);
  return `${protocol}//${host}` === windowOrigin && username === '' && password === '';
}
