import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..', '..', '..');
const read = (pattern: string): string =>
  globSync(pattern, { cwd: root })
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');

/** A class is a string in two languages: renamed in one of them, a rule is lost and nothing else fails. */
test('every class with a rule is given to something', () => {
  const rules = read('renderer/**/*.css')
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\{[^{}]*\}/g, '{}');
  const classes = new Set([...rules.matchAll(/\.(-?[a-zA-Z_][\w-]*)/g)].map(([, name = '']) => name));
  const source = read('renderer/**/*.{ts,tsx}');
  const isGiven = (name: string): boolean =>
    new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(source) ||
    // Of a row of colours the number is added: `c${index}`.
    new RegExp(`(?<=[\\s"'\`])${name.replace(/\d+$/, '')}\\$\\{`).test(source);
  const own = [...classes].filter((name) => !name.startsWith('mantine-'));
  expect(own.length).toBeGreaterThan(300);
  expect(own.filter((name) => !isGiven(name))).toEqual([]);
});

test('a column of a table has no class of a box: with its “display” it would be no column, and the widths after it were those before', () => {
  const given = [...read('renderer/**/*.tsx').matchAll(/<col className="([\w-]+)"/g)].map(([, name = '']) => name);
  const styles = read('renderer/**/*.css');
  expect(given).not.toEqual([]);
  expect(
    given.filter((name) => new RegExp(`(?:^|[\\s,])\\.${name}\\s*(?:,[^{}]*)?\\{[^}]*display:`).test(styles)),
  ).toEqual([]);
});
