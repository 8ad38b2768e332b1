import { existsSync, mkdtempSync, realpathSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const prefix = 'ac-';
const inMemory = '/dev/shm';
const roomNeeded = 4e9;

function place(): string {
  if (process.env.TMPDIR === undefined && process.platform === 'linux' && existsSync(inMemory)) {
    const { bavail, bsize } = statfsSync(inMemory);
    if (bavail * bsize >= roomNeeded) return inMemory;
  }
  // Windows may name it shortened (RUNNER~1), which compares with nothing.
  return realpathSync.native(tmpdir());
}

/**
 * One folder for all that a run of tests writes, for this process and those that it starts; removed at its end, since what a test kills
 * leaves files behind. In memory on Linux, where there is room and no other place is named: tens of thousands of commits then wait for
 * no disk. What a killed process has written outlives it in either; power cuts are not what is tested. Its name is short because
 * sockets live in it, and their paths may not be long.
 */
export function enterTemporaryFolder(): string {
  const given = process.env.TMPDIR;
  if (given !== undefined && basename(given).startsWith(prefix)) return given;
  const folder = mkdtempSync(join(place(), prefix));
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
  // Half of the time of a child that runs sources is their compiling.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled');
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
