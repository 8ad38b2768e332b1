import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const prefix = 'ac-';
const inMemory = '/dev/shm';
const roomNeeded = 4e9;

function place(): string {
  if (process.env.TMPDIR === undefined && process.platform === 'linux' && existsSync(inMemory)) {
    const { bavail, bsize } = statfsSync(inMemory);
    // Containers and hardened systems let nothing be started from there, as tests do.
    const startsNothing = / \/dev\/shm \S+ \S*\bnoexec\b/.test(readFileSync('/proc/self/mounts', 'utf8'));
    if (bavail * bsize >= roomNeeded && !startsNothing) return inMemory;
  }
  // On Windows the path may have a short name (RUNNER~1), which does not equal the full paths that programs report.
  const folder = realpathSync.native(tmpdir());
  // The keychain's sockets need 58 of the 99 characters that D-Bus leaves a socket's path, and its addresses take only these unescaped.
  return process.platform === 'linux' && !/^[\w./-]{1,40}$/.test(folder) ? '/tmp' : folder;
}

/**
 * Sets one folder for everything that a test run writes, in this process and those that it starts, and returns it. It is removed at the end,
 * because processes that tests kill leave files behind. On Linux it is in memory if there is room, programs may be started from there and
 * TMPDIR is not set, so that tens of thousands of commits do not wait for a disk; what a killed process has written survives there too, and
 * power cuts are not tested. Its path is short because it has sockets: on Linux a TMPDIR that is long, or has a space, is not used.
 */
export function enterTemporaryFolder(): string {
  const given = process.env.TMPDIR;
  if (given !== undefined && basename(given).startsWith(prefix)) return given;
  const folder = mkdtempSync(join(place(), prefix));
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
  // A child process that runs sources spends half of its time on compiling them.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled');
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
