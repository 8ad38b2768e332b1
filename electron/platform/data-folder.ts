import { mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, posix, win32 } from 'node:path';
import { type AppError, appError } from '../../shared/errors.ts';
import { findUser } from './user.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The folder for what programs of this user write. Windows: the local folder, not the roaming one, which is copied
 * at every sign-off and may lie on a server, where SQLite's write-ahead log does not work. Elsewhere as Electron's `appData`.
 */
export function programsData(platform: NodeJS.Platform, env: Environment, home: string): string {
  if (platform === 'win32') return env.LOCALAPPDATA || win32.join(home, 'AppData', 'Local');
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support');
  return env.XDG_CONFIG_HOME || posix.join(home, '.config');
}

/** The folder that the program was started in; the user's own if that one was deleted. */
export function startFolder(): string {
  try {
    return process.cwd();
  } catch {
    return homedir();
  }
}

/**
 * The folder that keeps a start from getting the lock, because nothing can be written to it, with the reason (`storage-failed`); null: something
 * can be written to each. Besides the data folder it is, on Linux, the one for temporary files, in which Chromium makes the lock's socket.
 */
export function findUnwritable(
  dataFolder: string,
  platform: NodeJS.Platform = process.platform,
): { folder: string; error: AppError } | null {
  const probe = join(dataFolder, `writable-${process.pid}`);
  const inData = tryToWrite(dataFolder, 'the data folder', () => {
    mkdirSync(dataFolder, { recursive: true });
    writeFileSync(probe, '');
    rmSync(probe);
  });
  if (inData !== null || platform !== 'linux') return inData;
  return tryToWrite(tmpdir(), 'the folder for temporary files', () =>
    rmdirSync(mkdtempSync(join(tmpdir(), 'address-console-'))),
  );
}

function tryToWrite(folder: string, name: string, write: () => void): ReturnType<typeof findUnwritable> {
  try {
    write();
    return null;
  } catch (cause) {
    const error = appError('storage-failed', {
      message: `Nothing can be written to ${name}.`,
      next: 'Check that it is a folder, that you may write to it and that the disk is not full.',
      detail: cause instanceof Error ? cause.message : String(cause),
      charge: 'not-charged',
    });
    return { folder, error };
  }
}

/** The program's folder of this user, whatever the environment says: by the system's own list of users. */
export const ownDataFolder = (name: string, platform: NodeJS.Platform = process.platform): string =>
  (platform === 'win32' ? win32 : posix).join(programsData(platform, {}, findUser().home), name);
