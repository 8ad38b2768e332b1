import { existsSync, mkdtempSync, renameSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';
import { removeFolder } from './folders.ts';

const root = resolve(import.meta.dirname, '..', '..');

/** Modules find their workers and their own dependencies from where they stood. */
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
 * A program of the sources in one file, made once a run, for tests that start it again and again: most of what such a start takes is
 * the reading of two hundred modules. `entry`: its path in the project.
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
  try {
    renameSync(made, folder);
  } catch {
    // Another process of the run was quicker.
    removeFolder(made);
  }
  return file;
}
