import { expect, test } from 'playwright/test';
import { findCircles } from '../../build/sources.ts';
import { bundleBudget, scriptImports, sizeBundle } from '../helpers/bundle.ts';

for (const kind of ['first', 'js', 'css'] as const)
  test(`the built window’s ${kind} keeps to its budget`, () => {
    const { files, bytes } = sizeBundle(kind);
    expect(files).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(bundleBudget[kind]);
  });

test('no scripts of the built window import each other in a circle: one would run before what it imports', () => {
  const imports = scriptImports();
  expect([...imports.values()].some((names) => names.size > 0)).toBe(true);
  expect(findCircles(imports)).toEqual([]);
});
