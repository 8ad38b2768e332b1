import type { DatabaseSync } from 'node:sqlite';

/** How words and texts are compared when a person searches: without regard to upper and lower case, in any script. */
export const foldCase = (text: string): string => text.toLowerCase();

/** The same, and without regard to accents: “ecole” finds “École”. */
export const foldAccents = (text: string): string => foldCase(text.normalize('NFD').replace(/\p{M}/gu, ''));

/** The SQL functions by which a column is compared with words that `foldCase` has folded. */
export type FoldFunction = 'lower' | 'fold_case';

/** SQLite's own `lower` knows A to Z alone: enough for words of ASCII, and ten times as fast. */
export const foldFor = (words: string): FoldFunction => (/^[ -~]*$/.test(words) ? 'lower' : 'fold_case');

/** Makes `fold_case` known to a database. Throws where SQLite does. */
export function addFoldCase(sql: DatabaseSync): void {
  sql.function('fold_case', { deterministic: true }, (text) => foldCase(String(text)));
}
