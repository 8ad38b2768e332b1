import { readdirSync } from 'node:fs';
import { dirname, isAbsolute, relative, sep } from 'node:path';
import { nearestReal } from './network-folder.ts';

/**
 * Whether a folder, existing or yet to be created, goes with the program: on Windows the installer's uninstaller, which each newer version runs
 * too, removes the folder that it lies in with all that is in it.
 */
export function goesWithProgram(
  folder: string,
  program = process.execPath,
  platform: NodeJS.Platform = process.platform,
): boolean {
  if (platform !== 'win32') return false;
  try {
    const own = dirname(program);
    if (!readdirSync(own).some((name) => /^uninstall .*\.exe$/i.test(name))) return false;
    const path = relative(nearestReal(own), nearestReal(folder));
    return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
  } catch {
    return false;
  }
}
