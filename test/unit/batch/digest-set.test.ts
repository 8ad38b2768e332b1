import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDigestSet } from '../../../electron/core/batch/table/digest-set.ts';

test('says whether a text was there, like a set of texts', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3 }), { maxLength: 400 }), (texts) => {
      const [digests, plain] = [createDigestSet(), new Set<string>()];
      for (const text of texts) {
        expect(digests.add(text)).toBe(!plain.has(text));
        plain.add(text);
      }
    }),
  );
});

test('a hundred thousand different texts are all new once, and none afterwards', () => {
  const digests = createDigestSet();
  const count = () => Array.from({ length: 100_000 }, (_, index) => digests.add(`row ${index}`)).filter(Boolean).length;
  expect(count()).toBe(100_000);
  expect(count()).toBe(0);
});
