import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where a system keeps programs' data, as Electron's `appData`. */
function appData(): string {
  if (process.platform === 'win32') return process.env.APPDATA ?? join(homedir(), 'AppData', 'Roaming');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  return process.env.XDG_CONFIG_HOME || join(homedir(), '.config');
}

/**
 * The folder of the window's database and journal, so that the command line keeps the same ones: ADDRESS_CONSOLE_DATA_FOLDER, else
 * the program's own. The development host, which `npm start` takes where Electron's runtime is not there, has another.
 */
export function findDataFolder(): string {
  const own = process.env.ADDRESS_CONSOLE_DATA_FOLDER;
  if (own !== undefined && own !== '') return own;
  const runtime = resolve(import.meta.dirname, '..', '..', 'node_modules', 'electron', 'path.txt');
  return join(appData(), existsSync(runtime) ? 'Address Console' : 'Address Console (development host)');
}
