import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from './outcomes.ts';

export interface PromiseRow {
  /** The promise in the words of test/promises.md. */
  name: string;
  /** Test files that the page names for it. */
  files: string[];
}

/** Rows of the table of promises. */
export function readPromises(root: string): PromiseRow[] {
  const page = readFileSync(join(root, 'test', 'promises.md'), 'utf8');
  return [...page.matchAll(/^\| ((?:\d+ )?[A-Z][^|]*) \| ((?:`test\/[^`]+`(?:, )?)+) \|$/gm)].map(
    ([, name = '', kept = '']) => ({
      name,
      files: [...kept.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
    }),
  );
}

/** Returns a sentence for each test that was skipped in a file named for a promise. */
export function findSkipped(rows: readonly PromiseRow[], outcomes: readonly Outcome[]): string[] {
  return rows.flatMap(({ name, files }) =>
    outcomes
      .filter(({ file, state }) => state === 'skipped' && files.includes(file))
      .map(({ file, title }) => `“${name}”: ${file} skipped “${title}”`),
  );
}

/** Returns a sentence for each file named for a promise in which a test failed or none passed. */
export function findUnkept(rows: readonly PromiseRow[], outcomes: readonly Outcome[]): string[] {
  return rows.flatMap(({ name, files }) =>
    files.flatMap((named) => {
      const ran = outcomes.filter(({ file }) => file === named);
      if (ran.some(({ state }) => state === 'failed')) return [`“${name}”: ${named} failed`];
      return ran.some(({ state }) => state === 'passed') ? [] : [`“${name}”: ${named} did not run`];
    }),
  );
}
