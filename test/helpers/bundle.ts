import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const assets = join(import.meta.dirname, '..', '..', 'dist', 'renderer', 'assets');

/**
 * Bytes that the window reads from the disk before it is usable. The budget is a line to be raised on purpose, not by chance:
 * about a sixth over what all planned screens take.
 */
export const bundleBudget = { js: 1550 * 1024, css: 340 * 1024 } as const;

/** Files, bytes and gzipped bytes of one kind in the built window. */
export function sizeBundle(kind: 'js' | 'css' | 'woff2'): { files: number; bytes: number; gzipped: number } {
  const contents = readdirSync(assets)
    .filter((name) => name.endsWith(`.${kind}`))
    .map((name) => readFileSync(join(assets, name)));
  const sum = (sizes: number[]) => sizes.reduce((a, b) => a + b, 0);
  return {
    files: contents.length,
    bytes: sum(contents.map(({ byteLength }) => byteLength)),
    gzipped: sum(contents.map((content) => gzipSync(content).byteLength)),
  };
}
