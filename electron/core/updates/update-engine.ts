import { execFileSync, spawn } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import { renameSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { AppUpdater } from 'electron-updater';
import { formatFigure } from '../../../shared/domain/text/figures.ts';
import { isPrerelease } from '../../../shared/domain/version.ts';
import type { AppError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { HttpTransport } from '../transport/http/http-transport.ts';
import { createUpdateFetcher } from './fetch-update.ts';
import { type InstallKind, isPutOffByCommands } from './plan-updates.ts';
import { type Feed, readFeed, writeFeed } from './read-feed.ts';
import { hashFile, replaceFile } from './replace-file.ts';
import { UpdateFailure, updateError } from './update-error.ts';
import { verifySignature } from './verify-signature.ts';

/** What electron-updater needs to know of the running program; its own type of this is not exported. */
export interface ProgramAdapter {
  version: string;
  name: string;
  isPackaged: boolean;
  appUpdateConfigPath: string;
  userDataPath: string;
  baseCachePath: string;
  whenReady(): Promise<void>;
  relaunch(): void;
  quit(): void;
  onQuit(handler: (exitCode: number) => void): void;
}

/** What the list of versions named; `is`: compared with the running version and this system. `too-new`: newer, and not for this system. */
export interface Seen {
  feed: Pick<Feed, 'version' | 'date' | 'notes'>;
  is: 'newer' | 'too-new' | 'not-newer';
}

/**
 * 'installer': it runs, or will once the program has ended. 'ends-the-program': macOS's updater closes the windows, ends the program and
 * starts the new one; quitting here would come before its quit. 'put-off': the next end installs it. 'failed': it could not be started.
 */
export type HandedOver = 'installer' | 'ends-the-program' | 'put-off' | 'failed';

/** The part that knows how a system replaces a program: electron-updater, on a short lead. */
export interface UpdateEngine {
  look(): Promise<Result<Seen>>;
  /** Fetches what was last seen as newer and makes it ready. */
  download(onPercent: (percent: number) => void): Promise<Result<void>>;
  /**
   * At the very end of the program: hands over to the installer. `restart`: it starts the program afterwards. `startedAgain`: somebody has
   * started the program while it was ending.
   */
  install(restart: boolean, startedAgain: boolean): HandedOver;
  /** Ends what is under way. */
  close(): void;
}

export interface EngineOptions {
  kind: InstallKind;
  /** The folder of releases. */
  address: string;
  program: ProgramAdapter;
  connect: HttpTransport['connect'];
  /** Whether a command of this program is at work in another process. Asked at the very end. */
  isCommandAlive(): boolean;
  /** For a whole list of versions, however slowly it arrives. Milliseconds; default 60 000. */
  listMs?: number;
}

/**
 * The folder of releases as electron-updater knows it. It looks for the name of an architecture in the whole address of a file (findFile in
 * Provider.js, filterFilesForArch in MacUpdater.js), so the real one's could decide which file is taken.
 */
const anyFolder = 'https://releases.invalid/';

/** Loads electron-updater for this installation. Only this module names it, and main loads this module when it is first needed. */
export async function createUpdateEngine({
  kind,
  address,
  program,
  connect,
  isCommandAlive,
  listMs,
}: EngineOptions): Promise<UpdateEngine> {
  const stopping = new AbortController();
  const fetcher = createUpdateFetcher(address, connect, stopping.signal, listMs);
  const updater = await loadUpdater(kind, program);
  let feed: Feed | null = null;
  let onPercent: (percent: number) => void = () => {};

  const folder = new URL(address.endsWith('/') ? address : `${address}/`);
  // Replaces electron-updater's own: that would bypass the program's proxy and certificates, follow redirects to any server, and send its
  // headers. Of its request only the path below `anyFolder` is used.
  const httpExecutor = {
    async request({ path = '/' }: { path?: string }): Promise<string> {
      const text = await fetcher.readText(new URL(`.${path}`, folder));
      if (!text.ok) throw new UpdateFailure(text.error);
      const read = readFeed(text.value);
      if (!read.ok) throw new UpdateFailure(read.error);
      feed = read.value;
      return writeFeed(read.value);
    },
    async download(url: URL, destination: string, options: { sha512?: string | null }): Promise<string> {
      const sha512 = options.sha512 ?? '';
      const size = feed?.files.find((file) => file.sha512 === sha512)?.size ?? null;
      const own = new URL(`.${url.pathname}`, folder);
      const got = await fetcher.download({ url: own, destination, sha512, size, onPercent });
      if (!got.ok) throw new UpdateFailure(got.error);
      return destination;
    },
    async downloadToBuffer(): Promise<never> {
      throw new UpdateFailure(updateError('internal', 'Newer versions are fetched whole.'));
    },
  };
  Object.assign(updater, { httpExecutor });
  // An identity for staged rollouts: it would be written to the data folder and sent. Nobody is to be identified.
  Object.defineProperty(updater, 'stagingUserIdPromise', { value: { value: Promise.resolve('') } });
  updater.isUserWithinRollout = () => Promise.resolve(true);
  updater.logger = null;
  updater.autoDownload = false;
  // Squirrel.Mac must receive the file as it arrives; elsewhere main hands over at the end (install below).
  updater.autoInstallOnAppQuit = kind === 'mac';
  updater.allowDowngrade = false;
  updater.disableWebInstaller = true;
  updater.disableDifferentialDownload = true;
  updater.setFeedURL({ provider: 'generic', url: anyFolder });

  return {
    async look() {
      try {
        const checked = await updater.checkForUpdates();
        if (checked === null || feed === null)
          return fail(updateError('internal', 'This installation cannot look for newer versions.'));
        // A trial version is for those who run one; semver alone calls it newer than any stable one before it.
        if (isPrerelease(feed.version) && !isPrerelease(program.version)) return ok({ feed, is: 'not-newer' });
        const newer = updater.currentVersion.compare(feed.version) < 0;
        return ok({ feed, is: checked.isUpdateAvailable ? 'newer' : newer ? 'too-new' : 'not-newer' });
      } catch (error) {
        return fail(reasonOf(error));
      }
    },
    async download(listener) {
      onPercent = listener;
      if (lacksRoom(kind, feed))
        return fail(
          updateError(
            'file-failed',
            'There is not enough room on the disk to install the newer version.',
            `Make room for ${formatFigure(Math.ceil(roomFor(feed) / 1_000_000))} MB, then look again.`,
          ),
        );
      const squirrel = kind === 'mac' ? waitForSquirrel(nativeUpdaterOf(updater)) : null;
      try {
        await updater.downloadUpdate();
        await squirrel?.verdict;
        return ok(undefined);
      } catch (error) {
        return fail(reasonOf(error));
      } finally {
        squirrel?.stop();
      }
    },
    install(restart, startedAgain) {
      if (kind === 'mac') {
        // Without a restart Squirrel.Mac installs by itself once the program has ended.
        if (!restart && !startedAgain) return 'installer';
        updater.quitAndInstall();
        return 'ends-the-program';
      }
      // No installer passes on what the program was started for, and that of Windows ends whatever runs from the program's folder
      // (allowOnlyOneInstallerInstance.nsh): a command's call may have been paid for.
      if ((startedAgain && !restart) || (isPutOffByCommands(kind) && isCommandAlive())) return 'put-off';
      if (lacksRoom(kind, feed) || !isAsDescribed(updater, feed)) return 'failed';
      const started =
        'install' in updater && (updater.install as (silent: boolean, restart: boolean) => boolean)(true, restart);
      return started ? 'installer' : 'failed';
    },
    close() {
      stopping.abort();
    },
  };
}

/**
 * What the installer of Windows takes on the disk for a while (bytes): its own size for a copy of itself, as much for its archive, three times as
 * much each for what it unpacks and for what it installs.
 */
const roomFor = (feed: Feed | null): number => 8 * Math.max(0, ...(feed?.files ?? []).map(({ size }) => size ?? 0));

/**
 * Whether less is free where the installer of Windows unpacks, or where it installs: it removes the old program first, and leaves an incomplete
 * one where the disk is full (installSection.nsh, extractAppPackage.nsh). If that cannot be found out it is taken for enough.
 */
function lacksRoom(kind: InstallKind, feed: Feed | null): boolean {
  if (kind !== 'nsis') return false;
  try {
    return [tmpdir(), dirname(process.execPath)].some((folder) => {
      const { bavail, bsize } = statfsSync(folder);
      return bavail * bsize < roomFor(feed);
    });
  } catch {
    return false;
  }
}

/** What the updater has ready, checked once more: since the fetch it was in a folder that the user's programs can write. */
function isAsDescribed(updater: AppUpdater, feed: Feed | null): boolean {
  const { installerPath } = updater as unknown as { installerPath?: string | null };
  if (feed === null || typeof installerPath !== 'string') return false;
  try {
    const found = hashFile(installerPath);
    return feed.files.some(({ sha512 }) => sha512 === found);
  } catch {
    return false;
  }
}

/** Electron's own updater behind electron-updater's; the published type omits it. */
const nativeUpdaterOf = (updater: AppUpdater): EventEmitter =>
  (updater as unknown as { nativeUpdater: EventEmitter }).nativeUpdater;

/** Squirrel.Mac checks the signature after receiving the file, when electron-updater already calls it downloaded. */
export function waitForSquirrel(native: EventEmitter): { verdict: Promise<void>; stop(): void } {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const accepted = () => resolve();
  native.once('update-downloaded', accepted);
  native.once('error', reject);
  // Whoever gives up on the download before does not wait for this.
  promise.catch(() => undefined);
  return {
    verdict: promise,
    stop() {
      native.off('update-downloaded', accepted);
      native.off('error', reject);
    },
  };
}

/** What only looks, and installs nothing, may represent its system: an MSI for Windows, a folder for Linux. */
async function loadUpdater(kind: InstallKind, program: ProgramAdapter): Promise<AppUpdater> {
  if (kind === 'mac') return new (await import('electron-updater/out/MacUpdater.js')).MacUpdater(undefined, program);
  if (kind === 'appimage') {
    const { AppImageUpdater } = await import('electron-updater/out/AppImageUpdater.js');
    const updater = new AppImageUpdater(undefined, program);
    // Replaces electron-updater's own, which removes the program first and then moves the newer one into place, truncated if the disk is
    // full.
    Object.assign(updater, { doInstall: (options: { isForceRunAfter: boolean }) => installAppImage(updater, options) });
    return updater;
  }
  const ofWindows: readonly InstallKind[] = ['nsis', 'everyone', 'msi'];
  if (ofWindows.includes(kind) || (kind === 'loose' && process.platform === 'win32')) {
    const updater = new (await import('electron-updater/out/NsisUpdater.js')).NsisUpdater(undefined, program);
    updater.verifyUpdateCodeSignature = verifySignature;
    return updater;
  }
  return new (await import('electron-updater/out/DebUpdater.js')).DebUpdater(undefined, program);
}

/** Replaces the single file that the program is, then starts it, or has it only install itself. Throws if the file stays as it was. */
function installAppImage(updater: AppUpdater, { isForceRunAfter }: { isForceRunAfter: boolean }): boolean {
  const { installerPath } = updater as unknown as { installerPath: string };
  const image = process.env.APPIMAGE ?? '';
  if (!isAbsolute(image)) return false;
  // A name with a version would be wrong afterwards; one that a person chose stays.
  const named = /\d+\.\d+\.\d+/.test(basename(image)) ? join(dirname(image), basename(installerPath)) : image;
  replaceFile(image, installerPath, hashFile(installerPath));
  if (named !== image) renameSync(image, named);
  rmSync(installerPath, { force: true });
  const env = { ...process.env, APPIMAGE: named, APPIMAGE_SILENT_INSTALL: 'true' };
  if (isForceRunAfter) spawn(named, [], { detached: true, stdio: 'ignore', env }).unref();
  else execFileSync(named, [], { env: { ...env, APPIMAGE_EXIT_AFTER_INSTALL: 'true' } });
  return true;
}

/** What electron-updater itself throws is about the list of versions, the signature or the system's installer. */
function reasonOf(error: unknown): AppError {
  if (error instanceof UpdateFailure) return error.error;
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (code === 'ERR_UPDATER_INVALID_SIGNATURE')
    return updateError(
      'unsafe-answer',
      'The newer version is not signed by those who signed this one. It was thrown away.',
      'Tell whoever looks after the update address.',
    );
  if (code.startsWith('ERR_UPDATER_'))
    return updateError(
      'unreadable-answer',
      'The list of versions at the update address cannot be used.',
      undefined,
      code,
    );
  return updateError(
    'file-failed',
    'The newer version could not be made ready.',
    'Try again later, or install it by hand.',
    message.split('\n')[0]?.slice(0, 300),
  );
}
