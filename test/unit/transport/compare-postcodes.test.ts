import { expect, it } from 'vitest';
import { comparePostcodes } from '../../../electron/core/transport/compare-answer.ts';

/** A list that counts how many of its texts are read. */
function counted(texts: readonly string[]) {
  let reads = 0;
  const list = new Proxy([...texts], {
    get(target, name) {
      if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1;
      return Reflect.get(target, name);
    },
  });
  return { list, reads: () => reads };
}

it('looks no further than the postcode that was asked for', () => {
  const came = counted(Array.from({ length: 50_000 }, () => 'hr102dw'));
  expect(comparePostcodes(['HR10 2DW'], came.list)).toEqual({ verdict: 'same' });
  expect(came.reads()).toBe(1);
});

it('finds it at any position, and among texts that are not whole postcodes', () => {
  const others = Array.from({ length: 500 }, (_, n) => `AB1 ${n % 10}CD`);
  expect(comparePostcodes(['HR10 2DW'], [...others, 'HR10', '', 'HR10 2DW'])).toEqual({ verdict: 'same' });
  expect(comparePostcodes(['HR10 2DW'], ['HR10', '', '•••'])).toEqual({ verdict: 'unknown' });
  expect(comparePostcodes(['HR10'], ['HR10'])).toEqual({ verdict: 'unknown' });
});

it('names the first three of many others', () => {
  const others = ['', ...Array.from({ length: 50 }, (_, n) => `AB1 ${n % 10}CD`)];
  const compared = comparePostcodes(['HR10 2DW'], others);
  expect(compared).toMatchObject({
    verdict: 'other',
    error: {
      detail: 'postcode HR10 2DW was asked for; the answer is about AB1 0CD, AB1 1CD, AB1 2CD ….',
      next: expect.stringContaining('AB1 0CD, AB1 1CD, AB1 2CD …'),
    },
  });
});
