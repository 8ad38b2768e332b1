import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { homedir, hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { app, BrowserWindow, clipboard, dialog, nativeTheme, powerMonitor, powerSaveBlocker, session } from 'electron';
import type { EventName, EventPayload } from '../shared/contract.ts';
import type { AppError } from '../shared/errors.ts';
import type { Place } from '../shared/places.ts';
import { type AppCore, createCore } from './core/app-core.ts';
import { checkDataFolder } from './core/policy/apply-policy.ts';
import { readOrDefault } from './core/settings/settings.ts';
import { createWindowStates } from './core/settings/window-states.ts';
import type { HandedOver } from './core/updates/update-engine.ts';
import { createDispatcher } from './ipc/dispatcher.ts';
import { createHandlers } from './ipc/handlers.ts';
import { systemClock } from './platform/clock.ts';
import { findUnwritable, ownDataFolder, programsData, startFolder } from './platform/data-folder.ts';
import { createDemoLauncher } from './platform/demo-service.ts';
import { readDemoSize } from './platform/demo-size.ts';
import { findAppImage } from './platform/install-place.ts';
import { createFileLogger } from './platform/logger.ts';
import { bundleId, readMachinePolicy, withoutOwnAuthorities } from './platform/policy-file.ts';
import { createProxyFinder } from './platform/proxy.ts';
import { detectKeychain } from './platform/system-keychain.ts';
import { findUser } from './platform/user.ts';
import { argumentsToRestart, createArrivals, newWindowArgument } from './shell/arrivals.ts';
import { copyText, outOfHistories } from './shell/clipboard.ts';
import { findCommandLine } from './shell/command-line.ts';
import { createDialogs } from './shell/dialogs.ts';
import { openOutside } from './shell/external.ts';
import { sendEvent, serveIpc } from './shell/ipc.ts';
import { linkScheme } from './shell/link.ts';
import { installMenu, installShortcuts } from './shell/menu.ts';
import { isWindowShown, showNotice } from './shell/notices.ts';
import { isPackaged } from './shell/packaged.ts';
import { findRefusedSwitch } from './shell/refused-switches.ts';
import { registerScheme, serveWindow } from './shell/scheme.ts';
import { createSecretClipboard } from './shell/secret-clipboard.ts';
import { denyPermissions, keepOffNetwork, lockEveryContents } from './shell/security.ts';
import { createUpdateHost } from './shell/updates.ts';
import { createWatchedWindow } from './shell/window-failures.ts';
import { bringForward, createMenuRunner, createWindows, type Windows } from './shell/windows.ts';

// Start-up, in order. Each step needs only what is above it.

// 1 Who it is, and its paths. A folder of one's own lets two copies and the tests run side by side.
app.setName('Address Console');
if (process.platform === 'win32') {
  // What the installers write into their shortcuts: else notices and the task bar take it for another program.
  app.setAppUserModelId(bundleId);
  // Fixed, otherwise Electron would register another one with Windows at each start.
  app.setToastActivatorCLSID('{7C0B7E4D-1B0E-4B57-9C53-5D0C4C1F3A86}');
}
const ownFolder = process.env.ADDRESS_CONSOLE_DATA_FOLDER;
if (ownFolder !== undefined && ownFolder !== '') app.setPath('userData', resolve(startFolder(), ownFolder));
else if (process.platform === 'win32')
  app.setPath('userData', join(programsData(process.platform, process.env, homedir()), app.getName()));
const folder = findFolder();
const logger = createFileLogger(join(folder, 'logs'));

// 2 What no part has caught is written down. Electron would show a stack to the user, or go on without a word. Before there is a window
// it ends the start: else a process would stay that nobody sees and that keeps the next start from beginning.
let hasStarted = false;
process.on('uncaughtException', (error) => (hasStarted ? logger.error('uncaught', error) : giveUp(error)));
process.on('unhandledRejection', (error) => logger.error('unhandled', error));

const emit = <E extends EventName>(event: E, payload: EventPayload<E>) => {
  for (const window of BrowserWindow.getAllWindows()) sendEvent(window.webContents, event, payload);
};
/** Set once the program has started; until then what arrives waits for the first window. */
let windows: Windows | undefined;
/** To the window used last alone: what somebody asked for outside of a window is for one. */
const emitToFront = <E extends EventName>(event: E, payload: EventPayload<E>) => {
  const window = windows?.front();
  if (window) sendEvent(window.webContents, event, payload);
};
/** The arguments of a start that came while the program was ending: it is started again with them. */
let startAgain: string[] | null = null;
/** So long the end may take (ms): calls, batches and the demo service have some seconds each. */
const longestEndMs = 15_000;
let closing = false;
/** A wish to quit while the program is ending waits for that, until this time (performance.now()): another ends it at once. */
let endsUntil = Number.POSITIVE_INFINITY;
/** `args`: what it was asked for, if that is not among the arrivals. */
const showFront = (args: string[] = []) => {
  if (closing) startAgain = [...(startAgain ?? []), ...args];
  else bringForward(windows?.front() ?? windows?.open());
};
/** What keeps the computer from falling asleep of itself, while there is one. The screen may go off. */
let awake: number | null = null;
const arrivals = createArrivals(() => emitToFront('app.arrived', {}));

const appImage = process.platform === 'linux' ? findAppImage(process.env, process.execPath) : null;
const inAppImage = appImage !== null;
const commandLine = findCommandLine(process.argv, isPackaged, inAppImage);
const refused = isPackaged ? findRefusedSwitch((name) => app.commandLine.hasSwitch(name), inAppImage) : null;
if (refused !== null) {
  console.error(`Address Console does not start with --${refused}: it would let another program into its window.`);
  app.exit(2);
} else if (commandLine !== null) {
  // No window and no lock: beside a console that is open it takes its turn at the database, as two windows' calls do.
  app.dock?.hide();
  hasStarted = true;
  // On Linux Electron waits for it before it asks for a display, without which it would end here on a server. No chunk may import this file
  // meanwhile (test/integration/build).
  await runCommandLine(commandLine).catch((error: unknown) => {
    // It would wait for ever: with the handlers above a throw does not end the process.
    logger.error('command line', error);
    console.error('The command line could not be started or ended. The log of the program says why.');
    app.exit(1);
  });
} else if (!app.requestSingleInstanceLock()) {
  // 3 One instance a data folder: a second start brings the first one's window forward, with what it was started for. Electron refuses the
  // lock in the same way if it can write neither the lock nor its socket.
  const unwritable = findUnwritable(folder);
  if (unwritable === null) {
    console.error('Address Console is already running; its window is brought forward.');
    app.exit(0);
  } else cannotStart(unwritable.error, unwritable.folder);
} else {
  // 4 Before the engine is ready: the scheme, and the rules for every web contents there will be.
  registerScheme();
  // The browser engine's own words are British, as the program's are, whatever the system's language.
  app.commandLine.appendSwitch('lang', 'en-GB');
  // It would take back the `--no-sandbox` of an AppImage's launcher, or of root's start from the sources (build/run.mjs), when the processes
  // that make the windows' are already there without.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
  lockEveryContents();
  // macOS reports links and files by events, also before there is a window.
  app.on('open-url', (event, url) => {
    event.preventDefault();
    arrivals.addArguments([url], folder);
    showFront([url]);
  });
  app.on('open-file', (event, path) => {
    event.preventDefault();
    void arrivals.addFile(path).then(() => showFront([path]));
  });
  app.on('second-instance', (_event, args, from) => {
    const given = args.slice(1);
    arrivals.addArguments(given, from);
    // A path is from the folder that it was typed in, and a start of its own begins in another.
    if (closing) showFront(given.map((one) => (/^-|:\/\//.test(one) ? one : resolve(from, one))));
    else if (given.includes(newWindowArgument)) windows?.open();
    else showFront();
  });
  arrivals.addArguments(process.argv.slice(1), startFolder());
  app.whenReady().then(start).catch(giveUp);
}

/** The same program as a command line (`--command-line -- call …`); a packaged program has no other Node to run it in. */
async function runCommandLine(args: string[]): Promise<void> {
  const { main } = await import('./cli/main.ts');
  const { packagedSurroundings } = await import('./cli/surroundings.ts');
  const status = await main(args, packagedSurroundings(app.getName()));
  // What a pipe has not taken yet would be lost.
  await Promise.all([process.stdout, process.stderr].map((out) => new Promise((done) => out.write('', done))));
  app.exit(status);
}

/**
 * The data folder. Electron makes it when it is first asked for, and throws if it cannot: it is then named all the same, so that asking for the
 * lock fails, where the reason is said.
 */
function findFolder(): string {
  try {
    return app.getPath('userData');
  } catch {
    app.setPath('userData', resolve(startFolder(), app.getPath('appData'), app.getName()));
    return app.getPath('userData');
  }
}

/** The start failed: it is said, and nothing stays behind that would keep the next start from beginning. */
function giveUp(error: unknown): void {
  logger.error('start', error);
  console.error(error);
  dialog.showErrorBox(
    'Address Console cannot start',
    `A part of the program failed at its start. Nothing was sent.\nStart it again. If that fails too, send the log to whoever looks after this computer.\n\n${join(folder, 'logs')}`,
  );
  app.exit(1);
}

/** There is no window to say it in. `where`: the folder that it is about. */
function cannotStart({ message, next }: AppError, where = folder): void {
  console.error(`${message} ${next}`);
  dialog.showErrorBox('Address Console cannot start', `${message}\n${next}\n\n${where}`);
  app.exit(1);
}

async function start(): Promise<void> {
  // 5 Security of the session, before anything is loaded. The engine's dictionaries first: in this turn, or they are fetched.
  await keepOffNetwork(session.defaultSession);
  const styleNonce = randomBytes(16).toString('base64');
  denyPermissions(session.defaultSession);
  serveWindow(session.defaultSession, join(import.meta.dirname, '..', 'renderer'), styleNonce);

  // 6 The rules: plain Node, which receives everything from outside as arguments.
  const decodeWorker = join(import.meta.dirname, 'decode-worker.js');
  const demoSize = readDemoSize();
  const policy = await readMachinePolicy();
  withoutOwnAuthorities(policy.policy);
  const folderAllowed = checkDataFolder(policy.policy, folder, ownDataFolder(app.getName()));
  if (!folderAllowed.ok) return cannotStart(folderAllowed.error);
  const core = await createCore({
    folder,
    emit,
    logger,
    proxyFor: createProxyFinder((url) => app.resolveProxy(url)),
    policy,
    machineName: hostname(),
    userName: findUser().name,
    isShown: isWindowShown,
    showNotice: (title, body) => showNotice(title, body, () => showFront()),
    keepAwake,
    updates: await createUpdateHost(),
    clock: systemClock,
    keychain: await detectKeychain(),
    demo: createDemoLauncher({
      worker: join(import.meta.dirname, 'demo-worker.js'),
      folder: join(folder, 'demo'),
      premises: demoSize.premises,
    }),
    demoDays: demoSize.days,
    decodeWorker,
    workbookWorker: join(import.meta.dirname, 'workbook-worker.js'),
    tableWorker: join(import.meta.dirname, 'table-worker.js'),
    sizesWorker: join(import.meta.dirname, 'sizes-worker.js'),
  });
  if (!core.ok) return cannotStart(core.error);

  // 7 The channels.
  const { settings } = core.value;
  const setColourScheme = (scheme: 'auto' | 'light' | 'dark') => {
    nativeTheme.themeSource = scheme === 'auto' ? 'system' : scheme;
  };
  const scheme = settings.read('colourScheme');
  if (scheme.ok) setColourScheme(scheme.value);
  const lastFolders = () => readOrDefault(settings, 'dialogFolders');
  const secretClipboard = createSecretClipboard(
    outOfHistories(clipboard),
    core.value.clipboardMark,
    () => process.platform !== 'linux' || BrowserWindow.getFocusedWindow() !== null,
    process.platform === 'darwin',
  );
  const clearLeft = () => void secretClipboard.clearLeft();
  clearLeft();
  app.on('browser-window-focus', clearLeft);
  powerMonitor.on('resume', clearLeft);
  const states = createWindowStates(settings, app.getVersion());
  const preload = join(import.meta.dirname, '..', 'preload', 'preload.cjs');
  const { closeWindow } = core.value.operations;
  const all: Windows = createWindows(
    (place) =>
      createWatchedWindow(preload, place, {
        logger,
        isLast: () => all.count() <= 1,
        onCrash: () => {
          states.crash(place.number);
          closeWindow(place.number);
        },
      }),
    {
      onUse: states.use,
      onClose: (number) => {
        states.close(number);
        closeWindow(number);
      },
    },
  );
  windows = all;
  const dispatcher = createDispatcher(
    createHandlers(core.value, {
      version: app.getVersion(),
      host: process.env.ADDRESS_CONSOLE_HOST === 'development host' ? 'development host' : 'electron',
      copyText: (text) => copyText(clipboard, text),
      copySecret: secretClipboard.copy,
      ...createDialogs(
        {
          read: (kind) => lastFolders()[kind],
          write: (kind, used) => void settings.write('dialogFolders', { ...lastFolders(), [kind]: used }),
        },
        all.front,
      ),
      openOutside,
      licencesFile: join(import.meta.dirname, '..', 'licences.json'),
      takeArrivals: arrivals.take,
      windows: states,
      openWindow: () => all.open() !== undefined,
      setColourScheme,
    }),
    core.value.secrets.findTyped,
    (error) => logger.error('channel', error),
  );
  serveIpc(dispatcher, all.numberOf);

  // 8 The window and the menus.
  const arriveAt = (screen: Place) => arrivals.add({ kind: 'screen', screen, text: null });
  installMenu(createMenuRunner(all, (command) => emitToFront('menu.command', { command }), arriveAt));
  installShortcuts((wanted) => {
    if (wanted === 'new-window') return void all.open();
    arriveAt(wanted);
    showFront();
  });
  // On Linux the deb's own entry names the scheme; this would write into the user's mimeapps.list, where it stays for good.
  if (isPackaged && process.platform !== 'linux') app.setAsDefaultProtocolClient(linkScheme);
  app.on('child-process-gone', (_event, { type, reason }) => {
    if (reason !== 'clean-exit') logger.error(`engine, process ${type}: ${reason}`, null);
  });
  app.on('activate', (_event, hasVisibleWindows) => {
    // Where none is seen macOS does nothing by itself, not even for a minimised one: Electron tells it so (applicationShouldHandleReopen).
    if (!hasVisibleWindows || all.count() === 0) showFront();
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });

  // 9 The end: calls under way are cancelled, the demo service stops, the database closes, a newer version is handed over to.
  app.on('before-quit', (event) => {
    // A second one, as by a window that is still there, would cut off what the first one waits for: answers that are paid for.
    if (closing && performance.now() >= endsUntil) return;
    event.preventDefault();
    if (closing) return;
    closing = true;
    endsUntil = performance.now() + longestEndMs;
    dispatcher.cancelAll();
    void end(core.value, secretClipboard);
  });
  all.open();
  hasStarted = true;
  core.value.updates.start();

  // 10 For a release: what of the package works, written into a file (build/package/start-once.ts).
  const report = process.env.ADDRESS_CONSOLE_SELF_CHECK;
  if (report !== undefined && report !== '' && ownFolder !== undefined) {
    const { writeSelfCheck } = await import('./shell/self-check.ts');
    await writeSelfCheck(report, core.value, decodeWorker);
  }
}

function keepAwake(isNeeded: boolean): void {
  if (isNeeded) awake ??= powerSaveBlocker.start('prevent-app-suspension');
  else if (awake !== null) {
    powerSaveBlocker.stop(awake);
    awake = null;
  }
}

/** Ends the program when nothing of it is under way any more, and starts it again if somebody has asked for that meanwhile. */
async function end(core: Pick<AppCore, 'close'>, secretClipboard: { clear(): Promise<void> }): Promise<void> {
  let handed: HandedOver | null = null;
  try {
    await secretClipboard.clear();
    const handOver = await core.close();
    endsUntil = 0;
    if (handOver !== null) {
      // The newer version is to find no other copy running.
      app.releaseSingleInstanceLock();
      handed = handOver(startAgain !== null);
      if (handed === 'failed') logger.error('updates, the installer could not be started', null);
    }
  } catch (error) {
    logger.error('end', error);
  }
  endsUntil = 0;
  if (handed === 'ends-the-program') {
    setTimeout(() => app.quit(), 10_000);
    return;
  }
  // If an installer runs all the same, it starts the program itself.
  if (startAgain !== null && handed !== 'installer') startAtEnd(argumentsToRestart(startAgain));
  app.quit();
}

/**
 * Starts the program once this one has ended. Electron does it through a process of its own, which on Linux runs from the AppImage that is gone
 * by then, and may gain no rights (shell/browser/relauncher.cc, base/process/launch_posix.cc): no image is mounted without, and a deb's
 * chrome-sandbox does nothing.
 */
function startAtEnd(args: string[]): void {
  if (process.platform !== 'linux') app.relaunch({ args });
  else
    app.once('quit', () => {
      app.releaseSingleInstanceLock();
      spawn(appImage ?? process.execPath, args, { detached: true, stdio: 'ignore' }).unref();
    });
}
