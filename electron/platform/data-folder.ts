import { userInfo } from 'node:os';
import { posix, win32 } from 'node:path';

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

/** The program's folder of this user, whatever the environment says: by the system's own list of users. */
export const ownDataFolder = (name: string, platform: NodeJS.Platform = process.platform): string =>
  (platform === 'win32' ? win32 : posix).join(programsData(platform, {}, userInfo().homedir), name);
