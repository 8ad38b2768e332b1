import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nativeParts } from './packaged-files.ts';

// npm installs the keychain's native part for this computer only. Packages for the other architecture need theirs too, so it is
// fetched with npm, compared with the hash in the lock file and put beside the first.

interface Lock {
  packages: Record<string, { version?: string; integrity?: string }>;
}

/** Puts the missing native parts for a target into node_modules and returns their names. Throws an Error with a one-sentence message. */
export function ensureNativeParts(root: string, platform: string, arch: string): string[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
  const fetched: string[] = [];
  for (const part of nativeParts(platform, arch)) {
    const folder = join(root, 'node_modules', '@napi-rs', part);
    if (existsSync(folder)) continue;
    const locked = lock.packages[`node_modules/@napi-rs/${part}`];
    if (!locked?.version || !locked.integrity) throw new Error(`The lock file does not know @napi-rs/${part}.`);
    const scratch = mkdtempSync(join(tmpdir(), 'address-console-part-'));
    try {
      // On Windows npm runs in cmd.exe, which splits a path with a blank or &. So the path is not an argument: npm packs into its working directory.
      const npm = spawnSync('npm', ['pack', `@napi-rs/${part}@${locked.version}`], {
        cwd: scratch,
        stdio: 'ignore',
        shell: process.platform === 'win32',
      });
      const [tarball] = readdirSync(scratch);
      if (npm.status !== 0 || tarball === undefined) throw new Error(`npm could not fetch @napi-rs/${part}.`);
      unpackChecked(join(scratch, tarball), locked.integrity, folder);
      fetched.push(part);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  }
  return fetched;
}

/** Unpacks a package's tarball into a folder if its hash is the one in the lock file. Throws an Error with a one-sentence message. */
export function unpackChecked(tarball: string, integrity: string, folder: string): void {
  const found = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  if (found !== integrity) throw new Error('A package is not the one that the lock file means, so it was not used.');
  const half = `${folder}.half`;
  rmSync(half, { recursive: true, force: true });
  mkdirSync(half, { recursive: true });
  // The tarball goes through a pipe, because GNU tar, which may be first on the path on Windows, takes “C:” for the name of a computer.
  const tar = spawnSync('tar', ['-xzf', '-', '--strip-components=1'], { cwd: half, input: readFileSync(tarball) });
  if (tar.status !== 0) throw new Error('A package could not be unpacked: is there a program “tar”?');
  renameSync(half, folder);
}
