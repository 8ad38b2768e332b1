/** Pixels of a row, `--row-h` and `--row-h-compact`: what is not drawn yet is measured by them. */
export const rowHeight = 30;
export const tightHeight = 26;
