import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { holdAgainst, kilobytes, type Row, reportFigure } from './support/rows.ts';

const assets = join(import.meta.dirname, '..', '..', 'dist', 'renderer', 'assets');

/**
 * Bytes that the window reads from the disk before it is usable. The budget is a line to be raised on purpose, not by chance:
 * about a sixth over what all planned screens take.
 */
const budget = { js: 1800 * 1024, css: 360 * 1024 } as const;

/** The built renderer's size against its budget. */
export function measureBundle(): Row[] {
  const files = readdirSync(assets).map((name) => ({ name, content: readFileSync(join(assets, name)) }));
  const rows = (['js', 'css'] as const).map((kind) => {
    const of = files.filter(({ name }) => name.endsWith(`.${kind}`));
    const total = of.reduce((sum, { content }) => sum + content.byteLength, 0);
    const packed = of.reduce((sum, { content }) => sum + gzipSync(content).byteLength, 0);
    return {
      ...holdAgainst(`renderer bundle, ${kind}`, total, budget[kind], kilobytes),
      other: `${kilobytes(packed)} gzipped`,
    };
  });
  const fonts = files.filter(({ name }) => name.endsWith('.woff2'));
  const bytes = fonts.reduce((sum, { content }) => sum + content.byteLength, 0);
  return [...rows, reportFigure(`fonts, ${fonts.length} files`, kilobytes(bytes))];
}
