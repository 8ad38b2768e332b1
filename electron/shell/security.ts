import { app, type Session, type WebContents } from 'electron';
import { windowOrigin } from './scheme.ts';

/**
 * The program needs no permission of the browser engine: the clipboard, files and notices go through main. So every request
 * and every check is refused, for every permission there is now or will be (promise 20).
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

/**
 * Stops network traffic of the engine itself. Every session begins with the spelling dictionary of the system's language, which Linux, and
 * Windows without one of its own, fetches from Google, whatever the window sets for spelling. An empty list ends that if it is set in the
 * turn in which the session is first used; it is filled again at each start. The dictionary's address is set to nowhere as well.
 * No page connects to anything over the network: what the content security policy does not cover ends here. WebRTC over TCP is not a
 * request: no setting of the window forbids it, so it is sent to a proxy that is nowhere. What remains is that a name may be looked up.
 */
export async function keepOffNetwork(session: Session): Promise<void> {
  session.setSpellCheckerLanguages([]);
  session.setSpellCheckerEnabled(false);
  session.setSpellCheckerDictionaryDownloadURL('https://127.0.0.1:1/');
  const urls = ['http://*/*', 'https://*/*', 'ws://*/*', 'wss://*/*', 'ftp://*/*', 'file://*/*'];
  session.webRequest.onBeforeRequest({ urls }, (_details, callback) => callback({ cancel: true }));
  await session.setProxy({
    mode: 'fixed_servers',
    proxyRules: 'http://127.0.0.1:1',
    proxyBypassRules: '<-loopback>',
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
  // Without a listener Electron refuses a server that asks for a user name. One that asks for a certificate would be given the
  // first in the system's store: it is given none.
  app.on('select-client-certificate', (event, _contents, _url, _certificates, callback) => {
    event.preventDefault();
    callback();
  });
}

/** Exact origin, compared after parsing: a URL that does not parse, or is empty, is not ours. */
export function isOwnPage(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, host, username, password } = new URL(url);
  return `${protocol}//${host}` === windowOrigin && username === '' && password === '';
}
