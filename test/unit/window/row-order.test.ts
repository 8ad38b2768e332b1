import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRowOrder, orderRows } from '../../../renderer/components/table/row-order.ts';

const rowsOf = fc.array(
  fc.record({
    value: fc.oneof(fc.constant(null), fc.integer({ min: -5, max: 5 }), fc.constantFrom('a', 'B', 'a 2', 'a 10')),
  }),
  { maxLength: 40 },
);

test('rows in order: none lost, unknown last either way, equal ones as they came', () => {
  fc.assert(
    fc.property(rowsOf, fc.boolean(), (given, descending) => {
      const rows = given.map((row, at) => ({ ...row, at }));
      const ordered = orderRows(rows, ({ value }) => value, descending);
      expect([...ordered].sort((a, b) => a.at - b.at)).toEqual(rows);
      const firstUnknown = ordered.findIndex(({ value }) => value === null);
      if (firstUnknown >= 0) expect(ordered.slice(firstUnknown).every(({ value }) => value === null)).toBe(true);
      for (const [index, row] of ordered.entries()) {
        const next = ordered[index + 1];
        if (!next) continue;
        if (next.value === row.value) expect(next.at).toBeGreaterThan(row.at);
        if (typeof row.value === 'number' && typeof next.value === 'number')
          expect(descending ? next.value <= row.value : next.value >= row.value).toBe(true);
      }
    }),
  );
});

test('filtered rows are in the same order as if sorted alone, whatever was sorted before', () => {
  const value = (row: { value: string | number | null }) => row.value;
  fc.assert(
    fc.property(
      rowsOf,
      fc.array(fc.tuple(fc.infiniteStream(fc.boolean()), fc.boolean(), fc.boolean()), { maxLength: 6 }),
      (given, filters) => {
        const rows = given.map((row, at) => ({ ...row, at }));
        const order = createRowOrder<(typeof rows)[number]>();
        for (const [passes, descending, whole] of filters) {
          const left = rows.filter(() => whole || passes.next().value);
          expect(order(left, value, descending)).toEqual(orderRows(left, value, descending));
        }
      },
    ),
  );
});

test('typing into the filter compares no text again', () => {
  const rows = Array.from({ length: 1000 }, (_, at) => ({ name: `WY-${(at * 7919) % 1000}` }));
  let read = 0;
  const name = (row: { name: string }) => {
    read += 1;
    return row.name;
  };
  const order = createRowOrder<(typeof rows)[number]>();
  order(rows, name, false);
  const once = read;
  for (const typed of ['WY-1', 'WY-12', 'WY-123'])
    expect(
      order(
        rows.filter((row) => row.name.startsWith(typed)),
        name,
        false,
      ).length,
    ).toBeGreaterThan(0);
  expect(read).toBe(once);
});

test('text in natural order', () => {
  const rows = ['WY-10', 'wy-9', 'WY-100', 'WY-9'];
  expect(orderRows(rows, (row) => row, false)).toEqual(['wy-9', 'WY-9', 'WY-10', 'WY-100']);
  expect(orderRows(rows, (row) => row, true)).toEqual(['WY-100', 'WY-10', 'wy-9', 'WY-9']);
});
