/// <reference path="../js-yaml.d.ts" />
import { randomBytes } from 'node:crypto';
import { access, constants, open, readFile, stat, unlink } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { InstallKind, InstallPlace } from '../core/updates/plan-updates.ts';

/** Facts about the running program that show how it was installed; tests pass their own. */
export interface ProgramPlace {
  packaged: boolean;
  platform: NodeJS.Platform;
  /** The program's own file. */
  program: string;
  /** The folder of its resources. */
  resources: string;
  productName: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** Finds out how the program was installed, and whether this user can write where a newer version would be put. Never fails. */
export async function readInstallPlace(place: ProgramPlace): Promise<InstallPlace> {
  const own = dirname(place.program);
  if (!place.packaged) return { packaged: false, kind: 'loose', folder: own, writable: false, publisherKnown: false };
  const { kind, folder } = await readKind(place, own);
  const writable = kind === 'mac' ? await mayReplaceBundle(folder) : await canWrite(folder);
  return { packaged: true, kind, folder, writable, publisherKnown: kind === 'nsis' && (await knowsPublisher(place)) };
}

/**
 * The AppImage that the program runs from; null: none. Programs started by another AppImage inherit its variables, so only what runs from the
 * mounted image counts.
 */
export function findAppImage(env: NodeJS.ProcessEnv, program: string): string | null {
  const { APPIMAGE: image, APPDIR: mounted } = env;
  return image && mounted && program.startsWith(mounted.replace(/\/*$/, sep)) ? image : null;
}

async function readKind(place: ProgramPlace, own: string): Promise<{ kind: InstallKind; folder: string }> {
  const { platform, program, resources, productName, env } = place;
  if (platform === 'win32') {
    // The installer leaves its uninstaller beside the program, and a file where it installed for everyone (build/resources/installer.nsh); an
    // MSI is known to Windows alone.
    const isOfInstaller = await exists(join(own, `Uninstall ${productName}.exe`));
    const isForEveryone = await exists(join(resources, 'for-everyone'));
    return { kind: isOfInstaller ? (isForEveryone ? 'everyone' : 'nsis') : 'msi', folder: own };
  }
  if (platform === 'darwin') {
    const bundle = dirname(dirname(own));
    return bundle.endsWith('.app') ? { kind: 'mac', folder: bundle } : { kind: 'loose', folder: own };
  }
  const image = findAppImage(env, program);
  if (image !== null) return { kind: 'appimage', folder: dirname(image) };
  const type = await readFile(join(resources, 'package-type'), 'utf8').catch(() => '');
  return { kind: type.trim() === 'deb' ? 'deb' : 'loose', folder: own };
}

/** Whether app-update.yml names a publisher. electron-builder writes it if it signed; without it electron-updater checks no signature. */
async function knowsPublisher({ resources }: ProgramPlace): Promise<boolean> {
  try {
    const { JSON_SCHEMA, load } = await import('js-yaml');
    const { publisherName } = load(await readFile(join(resources, 'app-update.yml'), 'utf8'), {
      schema: JSON_SCHEMA,
    }) as { publisherName?: unknown };
    const names = Array.isArray(publisherName) ? publisherName : [publisherName];
    return names.length > 0 && names.every((name) => typeof name === 'string' && name.trim() !== '');
  } catch {
    return false;
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Writes a file to find out: on Windows the rights of a folder cannot be read this way, and a file system may be read-only. */
async function canWrite(folder: string): Promise<boolean> {
  const probe = join(folder, `.address-console-${randomBytes(8).toString('hex')}`);
  try {
    await (await open(probe, 'wx', 0o600)).close();
    await unlink(probe);
    return true;
  } catch {
    return false;
  }
}

/** Reads the rights instead of writing a file: one in the bundle would break its signature for as long as it is there. */
async function mayReplaceBundle(bundle: string): Promise<boolean> {
  try {
    await access(bundle, constants.W_OK);
    await access(dirname(bundle), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
