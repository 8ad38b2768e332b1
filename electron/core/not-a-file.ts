import type { Stats } from 'node:fs';

/** The code by which what stands at a path is refused, as no ordinary file: of a device or a pipe the system itself gives none. null: it is one. */
export const notAFile = (there: Stats): 'EISDIR' | 'ENOTFILE' | null =>
  there.isFile() ? null : there.isDirectory() ? 'EISDIR' : 'ENOTFILE';
