import { expect, test } from 'vitest';
import { parcel, unpack } from '../../../electron/core/decode/parcels.ts';

const record = (n: number) => ({ id: String(n), line: `${n} High Street`, code: '1' });
const answers: [string, () => unknown][] = [
  ['a small one', () => ({ result: { value: { List: [record(1)] } } })],
  [
    'one long list',
    () => ({
      text: 'x',
      result: { value: { List: Array.from({ length: 30_000 }, (_, n) => record(n)), IsError: false } },
    }),
  ],
  [
    'a list of long lists',
    () => ({
      tables: [1, 2, 3].map((n) => ({ name: `t${n}`, rows: Array.from({ length: 9000 }, (_, row) => record(row)) })),
    }),
  ],
  [
    'a long text beside a long list, and one deeper',
    () => ({
      text: 'é😀x'.repeat(2_000_000),
      raw: { text: 'y'.repeat(2_000_001), bytes: 7 },
      list: Array.from({ length: 30_000 }, (_, n) => record(n)),
      short: 'z'.repeat(2_000_000),
    }),
  ],
  ['texts, null and nothing', () => [null, '', undefined, Array.from({ length: 50_000 }, String)]],
];

test.each(answers)('%s is transferred in short pieces and reassembled unchanged', (_what, make) => {
  const { first, pieces } = parcel(make());
  const count = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? Object.values(value).reduce<number>((sum, one) => sum + count(one), 1)
      : 1;
  const arrived = structuredClone(first);
  const longest = (value: unknown): number =>
    typeof value === 'string'
      ? value.length
      : typeof value === 'object' && value !== null
        ? Math.max(0, ...Object.values(value).slice(0, 1000).map(longest))
        : 0;
  expect(count(arrived)).toBeLessThan(25_000);
  expect(longest(arrived)).toBeLessThan(2_000_001);
  let more = first.more;
  while (more) {
    const piece = structuredClone(pieces.next().value);
    expect(count(piece.members)).toBeLessThan(80_000);
    expect(longest(piece.members)).toBeLessThan(2_000_001);
    unpack(arrived.answer, piece);
    more = piece.more;
  }
  expect(arrived.answer).toEqual(make());
});
