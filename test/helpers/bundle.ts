import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const assets = join(import.meta.dirname, '..', '..', 'dist', 'renderer', 'assets');

/**
 * The most bytes of each kind in the built window. `first` is the script that it loads before it draws anything. `js` is all of its script;
 * the rest is loaded with the screen that needs it, or when the window is idle. Raise a budget only on purpose.
 */
export const bundleBudget = { first: 350_000, js: 1600 * 1024, css: 340 * 1024 } as const;

const namesOf = (kind: string) => readdirSync(assets).filter((name) => name.endsWith(`.${kind}`));
const textOf = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');

/** What a script of the built window imports statically: names of files beside it. */
const importsOf = (name: string): string[] =>
  [...textOf(assets, name).matchAll(/(?:\bfrom|\bimport)\s*["']\.\/([\w.-]+\.js)["']/g)].map(([, next = '']) => next);

/** The static imports of every script of the built window. */
export const scriptImports = (): Map<string, Set<string>> =>
  new Map(namesOf('js').map((name) => [name, new Set(importsOf(name))]));

/** The scripts that the page names, and the scripts that these import statically. */
function firstScripts(): string[] {
  const found = new Set<string>();
  const take = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    for (const next of importsOf(name)) take(next);
  };
  for (const [, name] of textOf(join(assets, '..'), 'index.html').matchAll(/<script[^>]* src="\.\/assets\/([^"]+)"/g))
    if (name) take(name);
  return [...found];
}

/** Files, bytes and gzipped bytes of one kind in the built window. */
export function sizeBundle(kind: 'first' | 'js' | 'css' | 'woff2'): { files: number; bytes: number; gzipped: number } {
  const names = kind === 'first' ? firstScripts() : namesOf(kind);
  const contents = names.map((name) => readFileSync(join(assets, name)));
  const sum = (sizes: number[]) => sizes.reduce((a, b) => a + b, 0);
  return {
    files: contents.length,
    bytes: sum(contents.map(({ byteLength }) => byteLength)),
    gzipped: sum(contents.map((content) => gzipSync(content).byteLength)),
  };
}
