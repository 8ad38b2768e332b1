import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..', '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** Rows of the promise table: the promise's number and the files that keep it. */
const rows = [...readme.matchAll(/^\| (\d+) [^|]*\| ([^|]+) \|$/gm)].map(([, number = '', kept = '']) => ({
  number,
  files: [...kept.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
}));

test('the table has promises, each with a test', () => {
  expect(rows.length).toBeGreaterThanOrEqual(20);
  expect(rows.filter(({ files }) => files.length === 0)).toEqual([]);
});

test.each(rows.flatMap(({ number, files }) => files.map((file) => [number, file] as const)))(
  'promise %s: %s exists, has tests, and is where a suite finds it',
  (_number, file) => {
    expect(file).toMatch(/^test\/(?:(?:unit|contract|integration)\/[\w-]+\.test\.tsx?|app\/[\w-]+\.spec\.ts)$/);
    expect(existsSync(join(root, file))).toBe(true);
    const text = readFileSync(join(root, file), 'utf8');
    expect(text).toMatch(/\b(?:test|it)(?:\.\w+)*(?:\(|\.each)/);
    expect(text).not.toMatch(/\b(?:test|it|describe)\.(?:only|todo)\b/);
  },
);

test('every page and picture that the README points to is there', () => {
  const targets = [...readme.matchAll(/\]\(([^)#]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !target.startsWith('http'));
  expect(targets.length).toBeGreaterThan(5);
  expect(targets.filter((target) => !existsSync(join(root, target)))).toEqual([]);
});
