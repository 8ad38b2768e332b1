import { realpathSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';

/** `\\server\share`, also as `\\?\UNC\server\share`; not `\\?\C:\…`, which is a drive. */
export const isNetworkPath = (path: string): boolean =>
  /^(?:[\\/]{2}[?.][\\/]UNC[\\/]|[\\/]{2}(?![?.][\\/]))[^\\/]/i.test(path);

/** statfs(2), f_type: NFS, SMB, CIFS, SMB 2, AFS, Ceph. */
const networkFileSystems: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x5346414f, 0x00c36400,
]);

/**
 * Whether a folder, existing or yet to be created, is on another computer: by its path, by what a drive letter is mapped to (Windows), by the
 * kind of file system (Linux). If that cannot be found out it is taken for this computer's.
 */
export function liesOnNetwork(folder: string, platform: NodeJS.Platform = process.platform): boolean {
  if (platform === 'win32' && isNetworkPath(folder)) return true;
  try {
    const real = nearestReal(folder);
    if (platform === 'win32') return isNetworkPath(real);
    return platform === 'linux' && networkFileSystems.has(statfsSync(real).type >>> 0);
  } catch {
    return false;
  }
}

/** The real path of the nearest existing folder above; Windows then names the share behind a drive letter. */
export function nearestReal(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch (error) {
    const above = dirname(folder);
    if (above === folder) throw error;
    return nearestReal(above);
  }
}
