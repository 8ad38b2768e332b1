import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';

/**
 * Switches inside Electron's executable, set for good when it is packaged. The packaged program cannot be run as Node, ignores
 * options from the environment and debuggers, and loads its code only from its archive, whose hash it checks. Cookies are
 * not encrypted because there are none; with that fuse the engine would use the system's keychain at each start, before the program does.
 */
export const fuses = {
  RunAsNode: false,
  EnableCookieEncryption: false,
  EnableNodeOptionsEnvironmentVariable: false,
  EnableNodeCliInspectArguments: false,
  EnableEmbeddedAsarIntegrityValidation: true,
  OnlyLoadAppFromAsar: true,
  LoadBrowserProcessSpecificV8Snapshot: false,
  GrantFileProtocolExtraPrivileges: false,
} as const satisfies Record<keyof typeof FuseV1Options, boolean>;

export type FuseName = keyof typeof fuses;
export const fuseNames = Object.keys(fuses) as FuseName[];

/** The file that has the fuses: on macOS, the framework inside the program's folder. */
export const fuseFileOf = (program: string): string =>
  program.endsWith('.app')
    ? join(program, 'Contents', 'Frameworks', 'Electron Framework.framework', 'Electron Framework')
    : program;

export async function setFuses(program: string): Promise<void> {
  const wanted = Object.fromEntries(fuseNames.map((name) => [FuseV1Options[name], fuses[name]]));
  await flipFuses(program, { version: FuseVersion.V1, ...wanted });
}

const sentinel = Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX', 'latin1');
const states: Readonly<Record<number, boolean>> = { 48: false, 49: true };

/**
 * Reads the fuses, one set for each architecture in the file, without using the tool that wrote them. The format is a sentinel, a version,
 * a count and then one letter for each fuse: 0 off, 1 on, r removed. Throws if there is no set, or one of another version.
 */
export async function readFuses(program: string): Promise<Record<FuseName, boolean | undefined>[]> {
  const bytes = await readFile(fuseFileOf(program));
  const sets: Record<FuseName, boolean | undefined>[] = [];
  for (let at = bytes.indexOf(sentinel); at !== -1; at = bytes.indexOf(sentinel, at + 1)) {
    const start = at + sentinel.length;
    if (bytes[start] !== 1) throw new Error(`The fuses are of version ${bytes[start]}, which is not known here.`);
    const count = bytes[start + 1] ?? 0;
    const stateOf = (name: FuseName) => {
      const number = FuseV1Options[name];
      return number < count ? states[bytes[start + 2 + number] ?? 0] : undefined;
    };
    sets.push(Object.fromEntries(fuseNames.map((name) => [name, stateOf(name)])) as (typeof sets)[number]);
  }
  if (sets.length === 0) throw new Error('The program holds no fuses: is it Electron?');
  return sets;
}

/** A sentence for each fuse that is not set as above; empty if all are. */
export async function checkFuses(program: string): Promise<string[]> {
  const sets = await readFuses(program);
  const wrong = sets.flatMap((set) => fuseNames.filter((name) => set[name] !== fuses[name]));
  return [...new Set(wrong)].map((name) => `the fuse ${name} is not ${fuses[name] ? 'on' : 'off'}`);
}
