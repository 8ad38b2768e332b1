import { bundleBudget, sizeBundle } from '../helpers/bundle.ts';
import { compareWithLimit, kilobytes, type Row, reportFigure } from './support/rows.ts';

/** Compares the size of the built window with its budget. */
export function measureBundle(): Row[] {
  const rows = (['first', 'js', 'css'] as const).map((kind) => {
    const { bytes, gzipped } = sizeBundle(kind);
    return {
      ...compareWithLimit(
        `renderer bundle, ${kind === 'first' ? 'js before first paint' : kind}`,
        bytes,
        bundleBudget[kind],
        kilobytes,
      ),
      other: `${kilobytes(gzipped)} gzipped`,
    };
  });
  const fonts = sizeBundle('woff2');
  return [...rows, reportFigure(`fonts, ${fonts.files} files`, kilobytes(fonts.bytes))];
}
