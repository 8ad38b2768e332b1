import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from './outcomes.ts';

export interface PromiseRow {
  number: string;
  /** Test files that the README names as keeping it. */
  files: string[];
}

/** Rows of the README's promise table. */
export function readPromises(root: string): PromiseRow[] {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  return [...readme.matchAll(/^\| (\d+) [^|]*\| ([^|]+) \|$/gm)].map(([, number = '', kept = '']) => ({
    number,
    files: [...kept.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
  }));
}

/** What keeps a promise must have run: a sentence for each named file of which no test ran and passed, or one did not. */
export function findUnkept(rows: readonly PromiseRow[], outcomes: readonly Outcome[]): string[] {
  return rows.flatMap(({ number, files }) =>
    files.flatMap((named) => {
      const ran = outcomes.filter(({ file }) => file === named);
      if (ran.some(({ state }) => state === 'failed')) return [`promise ${number}: ${named} failed`];
      return ran.some(({ state }) => state === 'passed') ? [] : [`promise ${number}: ${named} did not run`];
    }),
  );
}
