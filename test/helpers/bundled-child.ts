import { existsSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';
import { removeFolder } from './folders.ts';

const root = resolve(import.meta.dirname, '..', '..');

/** Keeps `import.meta.dirname` of each module at its source folder, by which it finds its workers, and leaves the native keychain outside. */
const fromSources: Plugin = {
  name: 'from-sources',
  enforce: 'pre',
  resolveId: (id) =>
    id === '@napi-rs/keyring'
      ? { id: pathToFileURL(createRequire(import.meta.url).resolve(id)).href, external: true }
      : null,
  transform: (code, id) =>
    code.includes('import.meta.dirname')
      ? code.replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
      : undefined,
};

/**
 * Bundles a child program into one file, once for each test run, for tests that start it many times: most of such a start
 * is spent on reading two hundred modules. `entry` is its path in the project. Returns the path of the bundle.
 */
export async function bundleChild(entry: string): Promise<string> {
  const name = basename(entry, '.ts');
  const folder = join(tmpdir(), `address-console-bundled-${name}`);
  const file = join(folder, `${name}.js`);
  if (existsSync(file)) return file;
  const made = mkdtempSync(`${folder}-`);
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [fromSources],
    ssr: { noExternal: true },
    build: { ssr: resolve(root, entry), outDir: made, emptyOutDir: false, minify: false, target: 'node24' },
  });
  // Without it Node reads the file as a script first, and then again as a module.
  writeFileSync(join(made, 'package.json'), '{"type":"module"}');
  try {
    renameSync(made, folder);
  } catch {
    // Another process of this run made it first.
    removeFolder(made);
  }
  return file;
}
