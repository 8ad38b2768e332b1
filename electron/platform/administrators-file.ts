import { constants, type Stats } from 'node:fs';
import { lstat, open, readlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Why a file is not read, as the end of a sentence. */
export class UntrustedFile extends Error {}

const mostBytes = 1024 * 1024;
const mostLinks = 40;
const sticky = 0o1000;

/**
 * The text of a file that only administrators can have written. Each folder on the way to it must be theirs, and each link with every folder
 * that it leads through: whoever can write one of them decides what is read. null: there is no such file. Throws an UntrustedFile, or the
 * system's error. Not for Windows, whose rights work differently.
 */
export async function readAdministratorsFile(path: string, administrators: readonly number[]): Promise<string | null> {
  const found = await walk(path, administrators);
  if (found === null) return null;
  // Opened so that it does not wait for a writer if it has become a pipe meanwhile.
  const file = await open(found.path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const { dev, ino, size } = await file.stat();
    if (dev !== found.info.dev || ino !== found.info.ino) throw new UntrustedFile('it was changed while it was read');
    if (size > mostBytes) throw new UntrustedFile('it is larger than 1 MB');
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

async function walk(path: string, administrators: readonly number[]): Promise<{ path: string; info: Stats } | null> {
  let at = '/';
  let info = await lstat(at);
  let links = 0;
  const pending = partsOf(path);
  for (let part = pending.shift(); part !== undefined; part = pending.shift()) {
    if (part === '..') {
      at = dirname(at);
      continue;
    }
    const next = join(at, part);
    try {
      info = await lstat(next);
    } catch (error) {
      if (!isMissing(error)) throw error;
      if (links > 0) throw new UntrustedFile('a link on the way to it leads to nothing');
      return null;
    }
    if (isOpenToOthers(info, administrators))
      throw new UntrustedFile('others than administrators can write it or its folder');
    if (info.isSymbolicLink()) {
      links += 1;
      if (links > mostLinks) throw new UntrustedFile('the links on the way to it lead nowhere');
      const target = await readlink(next);
      if (target.startsWith('/')) at = '/';
      pending.unshift(...partsOf(target));
    } else at = next;
  }
  if (!info.isFile()) throw new UntrustedFile('it is not a file');
  return { path: at, info };
}

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '' && part !== '.');

const isMissing = (error: unknown): boolean => {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
};

/** A link's own mode means nothing. In a sticky folder others can add entries but neither change nor remove ours. */
function isOpenToOthers(info: Stats, administrators: readonly number[]): boolean {
  if (!administrators.includes(info.uid)) return true;
  if (info.isSymbolicLink() || (info.isDirectory() && (info.mode & sticky) !== 0)) return false;
  return (info.mode & 0o022) !== 0;
}
