import { expect, test } from 'playwright/test';
import { bundleBudget, sizeBundle } from '../helpers/bundle.ts';

for (const kind of ['first', 'js', 'css'] as const)
  test(`the built window’s ${kind} keeps to its budget`, () => {
    const { files, bytes } = sizeBundle(kind);
    expect(files).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(bundleBudget[kind]);
  });
