import { randomBytes } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { app, BrowserWindow, clipboard, dialog, nativeTheme, session } from 'electron';
import type { EventName, EventPayload } from '../shared/contract.ts';
import { createConsole } from './core/console.ts';
import { createDispatcher } from './ipc/dispatcher.ts';
import { createHandlers } from './ipc/handlers.ts';
import { createFileLogger } from './platform/logger.ts';
import { readMachinePolicy } from './platform/policy-file.ts';
import { createProxyFinder } from './platform/proxy.ts';
import { chooseSaveFile, openTextFile } from './shell/dialogs.ts';
import { openOutside } from './shell/external.ts';
import { sendEvent, serveIpc } from './shell/ipc.ts';
import { installMenu } from './shell/menu.ts';
import { isWindowShown, showNotice } from './shell/notices.ts';
import { registerScheme, serveWindow } from './shell/scheme.ts';
import { denyPermissions, lockEveryContents } from './shell/security.ts';
import { createUpdateHost } from './shell/updates.ts';
import { createWindow } from './shell/window.ts';

// Start-up, in order. Each step is small; what it needs stands above it.

// 1 Paths. A folder of one's own lets two copies and the tests run side by side.
app.setName('Address Console');
const ownFolder = process.env.ADDRESS_CONSOLE_DATA_FOLDER;
if (ownFolder !== undefined && ownFolder !== '') app.setPath('userData', ownFolder);
const folder = app.getPath('userData');

// 2 One instance a data folder: a second start brings the first one's window forward.
if (!app.requestSingleInstanceLock()) {
  console.error('Address Console is already running; its window is brought forward.');
  app.exit(0);
} else {
  // 3 Before the engine is ready: the scheme, and the rules for every web contents there will be.
  registerScheme();
  // Date fields and the browser engine's own words are British, as the program's are, whatever the system's language.
  app.commandLine.appendSwitch('lang', 'en-GB');
  app.enableSandbox();
  lockEveryContents();
  void app.whenReady().then(start);
}

/** A window that ends more often than this in so long is not started again. */
const mostCrashes = 3;
const crashWindowMs = 60_000;

async function start(): Promise<void> {
  // 4 Security of the session, before anything is loaded.
  const styleNonce = randomBytes(16).toString('base64');
  denyPermissions(session.defaultSession);
  serveWindow(session.defaultSession, join(import.meta.dirname, '..', 'renderer'), styleNonce);

  // 5 The rules: plain Node, told of the outside through arguments.
  const logger = createFileLogger(join(folder, 'logs'));
  const emit = <E extends EventName>(event: E, payload: EventPayload<E>) => {
    for (const window of BrowserWindow.getAllWindows()) sendEvent(window.webContents, event, payload);
  };
  const core = await createConsole({
    folder,
    emit,
    logger,
    proxyFor: createProxyFinder((url) => session.defaultSession.resolveProxy(url)),
    policy: await readMachinePolicy(),
    machineName: hostname(),
    userName: userInfo().username,
    isShown: isWindowShown,
    showNotice,
    updates: await createUpdateHost(),
    demoWorker: join(import.meta.dirname, 'demo-worker.js'),
    decodeWorker: join(import.meta.dirname, 'decode-worker.js'),
  });
  if (!core.ok) {
    console.error(`${core.error.message} ${core.error.next}`);
    // There is no window to say it in.
    dialog.showErrorBox('Address Console cannot start', `${core.error.message}\n${core.error.next}\n\n${folder}`);
    app.exit(1);
    return;
  }

  // 6 The channels.
  const setColourScheme = (scheme: 'auto' | 'light' | 'dark') => {
    nativeTheme.themeSource = scheme === 'auto' ? 'system' : scheme;
  };
  const scheme = core.value.settings.read('colourScheme');
  if (scheme.ok) setColourScheme(scheme.value);
  const dispatcher = createDispatcher(
    createHandlers(core.value, {
      version: app.getVersion(),
      host: process.env.ADDRESS_CONSOLE_HOST === 'development host' ? 'development host' : 'electron',
      copyText: (text) => clipboard.writeText(text),
      chooseSaveFile,
      openTextFile,
      openOutside,
      licencesFile: join(import.meta.dirname, '..', 'licences.json'),
      setColourScheme,
    }),
    (error) => logger.error('channel', error),
  );
  serveIpc(dispatcher);

  // 7 The window and the menu.
  installMenu((command) => emit('menu.command', { command }));
  let crashes: number[] = [];
  const open = () => {
    const window = createWindow(join(import.meta.dirname, '..', 'preload', 'preload.cjs'));
    window.webContents.on('render-process-gone', (_event, details) => {
      logger.error('window', new Error(`the window’s process ended: ${details.reason}`));
      if (details.reason === 'clean-exit' || window.isDestroyed()) return;
      const now = performance.now();
      crashes = [...crashes.filter((at) => now - at < crashWindowMs), now];
      if (crashes.length > mostCrashes) {
        dialog.showErrorBox(
          'Address Console',
          'Its window ends again and again, so the program ends now. Nothing sent is lost: see Activity at the next start.',
        );
        app.quit();
        return;
      }
      core.value.noteCrash();
      window.webContents.reload();
    });
  };
  app.on('activate', () => {
    if (BrowserWindow.getAllWindows().length === 0) open();
  });
  app.on('second-instance', () => {
    const [window] = BrowserWindow.getAllWindows();
    if (window?.isMinimized()) window.restore();
    window?.focus();
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });

  // 8 The end: calls under way are cancelled, the demo service stops, the database closes, a newer version is handed over to.
  let closing = false;
  app.on('before-quit', (event) => {
    if (closing) return;
    closing = true;
    event.preventDefault();
    dispatcher.cancelAll();
    void core.value
      .close()
      .then((handOver) => {
        if (handOver === null) return;
        // The newer version is to find no other copy running.
        app.releaseSingleInstanceLock();
        if (!handOver()) logger.error('updates', new Error('the installer of the newer version could not be started'));
      })
      .finally(() => app.quit());
  });
  open();
  core.value.updates.start();
}
