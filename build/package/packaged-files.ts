import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import { extractFile, listPackage, statFile, uncache } from '@electron/asar';

/** Every file that may be in a package. Any other file stops the packaging. */
const allowed: readonly RegExp[] = [
  /^package\.json$/,
  /^dist\/main\/(?:main|demo-worker|decode-worker|workbook-worker|sizes-worker|table-worker)\.js$/,
  /^dist\/main\/chunks\/[\w-]+\.js$/,
  /^dist\/preload\/preload\.cjs$/,
  /^dist\/licences\.json$/,
  /^dist\/renderer\/index\.html$/,
  /^dist\/renderer\/assets\/[\w-]+\.(?:js|css|woff2|svg|png)$/,
  /^node_modules\/@napi-rs\/keyring\/(?:package\.json|index\.js|LICENSE)$/,
  /^node_modules\/@napi-rs\/keyring-[\w-]+\/(?:package\.json|keyring\.[\w-]+\.node|LICENSE[\w.-]*)$/,
];

/** Files that every package must have. */
const needed: readonly RegExp[] = [
  /^package\.json$/,
  /^dist\/main\/main\.js$/,
  /^dist\/main\/demo-worker\.js$/,
  /^dist\/main\/decode-worker\.js$/,
  /^dist\/main\/workbook-worker\.js$/,
  /^dist\/main\/table-worker\.js$/,
  /^dist\/main\/sizes-worker\.js$/,
  /^dist\/preload\/preload\.cjs$/,
  /^dist\/licences\.json$/,
  /^dist\/renderer\/index\.html$/,
  /^node_modules\/@napi-rs\/keyring\/index\.js$/,
];

/** Name of the text with the licences of everything in the program. */
export const licencesFile = 'THIRD-PARTY-LICENCES.txt';

/** Name of the command line's starter on a system (build/resources/command-line). */
export const starterFile = (platform: string): string =>
  `command-line/address-console-cli${platform === 'win32' ? '.cmd' : ''}`;

/** npm's names (without scope) of the keychain's native parts for a target. */
export function nativeParts(platform: string, arch: string): string[] {
  const archs = arch === 'universal' ? ['x64', 'arm64'] : [arch];
  const ending = { win32: '-msvc', linux: '-gnu' }[platform] ?? '';
  return archs.map((one) => `keyring-${platform}-${one}${ending}`);
}

/** Texts that only development files contain. */
const strangers: readonly [RegExp, string][] = [
  [/sourceMappingURL=/, 'points to a source map'],
  [/from\s*["'](?:vitest|playwright|@playwright\/test)["']/, 'imports a test tool'],
  [/test\/host\//, 'names the development host'],
];

/** The library finds a file by the system's separator. */
const inArchive = (name: string): string => name.split('/').join(sep);

const filesIn = (archive: string): string[] =>
  listPackage(archive, { isPack: false })
    .map((name) => name.replace(/^[\\/]/, '').replaceAll('\\', '/'))
    .filter((name) => !('files' in statFile(archive, inArchive(name))));

/**
 * Checks a packaged program's archive. Returns a sentence for each fault. It is empty if the archive has the program only, the native
 * parts for its target are outside the archive, and nothing else is beside it.
 */
export function checkPackagedFiles(resources: string, platform: string, arch: string): string[] {
  const archive = join(resources, 'app.asar');
  if (!existsSync(archive)) return [`there is no ${archive}`];
  // The library caches archives by their path, which may have an earlier package.
  uncache(archive);
  const files = filesIn(archive);
  const wrong = files.filter((file) => !allowed.some((rule) => rule.test(file))).map((file) => `${file} is in it`);
  for (const rule of needed) if (!files.some((file) => rule.test(file))) wrong.push(`${rule.source} is not in it`);
  if (!existsSync(join(resources, licencesFile))) wrong.push(`${licencesFile} does not lie beside the archive`);
  if (!existsSync(join(resources, starterFile(platform)))) wrong.push(`there is no ${starterFile(platform)}`);
  if (existsSync(join(resources, 'app'))) wrong.push('the folder “app” lies beside the archive');

  const natives = files.filter((file) => file.endsWith('.node'));
  for (const part of nativeParts(platform, arch)) {
    const file = natives.find((one) => one.startsWith(`node_modules/@napi-rs/${part}/`));
    if (!file) wrong.push(`the keychain’s part ${part} is not in it`);
    else if (!existsSync(join(`${archive}.unpacked`, file))) wrong.push(`${file} is not unpacked`);
  }
  // On macOS the halves of the universal program, which are alike, have both parts.
  const own = nativeParts(platform, platform === 'darwin' ? 'universal' : arch);
  const foreign = natives.filter((file) => !own.some((part) => file.startsWith(`node_modules/@napi-rs/${part}/`)));
  wrong.push(...foreign.map((file) => `${file} is for another computer`));

  for (const file of files.filter((one) => /^dist\/.*\.(?:js|cjs)$/.test(one))) {
    const text = extractFile(archive, inArchive(file)).toString('utf8');
    for (const [mark, words] of strangers) if (mark.test(text)) wrong.push(`${file} ${words}`);
  }
  return wrong;
}
