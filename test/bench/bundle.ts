import { bundleBudget, sizeBundle } from '../helpers/bundle.ts';
import { holdAgainst, kilobytes, type Row, reportFigure } from './support/rows.ts';

/** The built renderer's size against its budget. */
export function measureBundle(): Row[] {
  const rows = (['first', 'js', 'css'] as const).map((kind) => {
    const { bytes, gzipped } = sizeBundle(kind);
    return {
      ...holdAgainst(
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
