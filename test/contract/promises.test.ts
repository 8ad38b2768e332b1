import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { Outcome } from '../helpers/outcomes.ts';
import { findSkipped, findUnkept, readPromises } from '../helpers/promises.ts';

const root = resolve(import.meta.dirname, '..', '..');
const rows = readPromises(root);

test('the table has promises, each with a test', () => {
  const numbers = rows.flatMap(({ name }) => (/^\d+ /.test(name) ? [Number.parseInt(name, 10)] : []));
  expect(numbers).toEqual(Array.from({ length: 25 }, (_, index) => index));
  expect(rows.length).toBeGreaterThan(25);
});

test.each(rows.flatMap(({ name, files }) => files.map((file) => [name, file] as const)))(
  '%s: %s exists, has tests, and is found by a suite',
  (_name, file) => {
    expect(file).toMatch(
      /^test\/(?:(?:unit|contract|integration|simulator)\/(?:[\w-]+\/)*[\w-]+\.test\.tsx?|app\/[\w-]+\.spec\.ts)$/,
    );
    expect(existsSync(join(root, file))).toBe(true);
    const text = readFileSync(join(root, file), 'utf8');
    expect(text).toMatch(/\b(?:test|it)(?:\.\w+)*(?:\(|\.each)/);
    expect(text).not.toMatch(/\b(?:test|it|describe)\.(?:only|todo)\b/);
  },
);

test('a promise counts as broken if its test failed, was skipped or did not run; one test skipped beside others is only said', () => {
  const kept = [{ name: 'Once', files: ['a', 'b'] }];
  const outcome = (file: string, state: Outcome['state']) => ({ file, title: 'a test', state });
  const beside = [outcome('a', 'passed'), outcome('b', 'passed'), outcome('b', 'skipped'), outcome('c', 'skipped')];
  expect(findUnkept(kept, beside)).toEqual([]);
  expect(findSkipped(kept, beside)).toEqual(['“Once”: b skipped “a test”']);
  expect(findUnkept(kept, [outcome('a', 'passed'), outcome('a', 'failed'), outcome('b', 'skipped')])).toEqual([
    '“Once”: a failed',
    '“Once”: b did not run',
  ]);
});

test.each(['README.md', 'test/promises.md', 'test/screenshots/README.md', 'build/README.md', 'electron/README.md'])(
  'every page and picture that %s links to exists',
  (page) => {
    const targets = [...readFileSync(join(root, page), 'utf8').matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !target.startsWith('http'));
    expect(targets.filter((target) => !existsSync(join(root, dirname(page), target)))).toEqual([]);
  },
);
