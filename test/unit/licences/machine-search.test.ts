import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findMachines, likeliest } from '../../../shared/domain/licences/machine-search.ts';

const machine = (name: string, nickname = '', more: { owner?: string; site?: string; note?: string } = {}) => ({
  name,
  nickname,
  owner: '',
  site: '',
  note: '',
  ...more,
});

const office = [
  machine('HFD-LT-0147', 'Reception laptop, failed', { site: 'Hereford' }),
  machine('hfd-lt-0147.wyebank.example'),
  machine('HFD-LT-0174', 'Stock room', { site: 'Hereford' }),
  machine('LEO-DT-0147', 'Billing 2', { site: 'Leominster' }),
  machine('HFD-LT-0219', 'Front office, new', { owner: 'Marian Oakes' }),
  machine('SRV', 'Café till', { note: 'was reception once' }),
];
const found = (text: string) => findMachines(text, office).map(({ name, reasons }) => `${name}: ${reasons.join(', ')}`);

describe('a machine by an approximate name', () => {
  test('nickname and digits find it, together with its long name, before swapped digits and other places', () => {
    expect(found('reception laptop 147')).toEqual([
      'HFD-LT-0147: nickname, same digits',
      'hfd-lt-0147.wyebank.example: same as HFD-LT-0147 but for domain and capitals',
      'LEO-DT-0147: same digits',
      'SRV: note',
      'HFD-LT-0174: two digits swapped',
    ]);
    expect(likeliest(findMachines('reception laptop 147', office))).toEqual([
      'HFD-LT-0147',
      'hfd-lt-0147.wyebank.example',
    ]);
  });

  test.each([
    ['recpetion', 'HFD-LT-0147: nearly the same nickname'],
    ['marian', 'HFD-LT-0219: owner'],
    ['cafe', 'SRV: nickname'],
    ['HFD LT 219', 'HFD-LT-0219: name, same digits'],
    ['hfd-lt-0219', 'HFD-LT-0219: same name but for capitals'],
    ['HFD-LT-0219', 'HFD-LT-0219: this name'],
    ['0218', 'HFD-LT-0219: one digit differs'],
  ])('“%s” finds first %s', (text, first) => {
    expect(found(text)[0]).toBe(first);
  });

  // Leading zeros are digits too where they were typed.
  test.each([
    ['021', 'PC-012', 'two digits swapped'],
    ['102', 'PC-012', 'two digits swapped'],
    ['021', 'PC-00012', 'two digits swapped'],
    ['013', 'PC-012', 'one digit differs'],
    ['0012', 'PC-12', 'same digits'],
  ])('“%s” finds %s: %s', (typed, name, reason) => {
    expect(findMachines(typed, [machine(name)])).toMatchObject([{ name, reasons: [reason] }]);
  });

  test.each(['21', '210', '0215'])('“%s” is too short for, or too far from, PC-012', (typed) => {
    expect(findMachines(typed, [machine('PC-012')])).toEqual([]);
  });

  test('of two equal matches none is chosen; a text like no name finds nothing', () => {
    expect(likeliest(findMachines('147', [machine('A-0147'), machine('B-0147')]))).toEqual([]);
    expect(found('zzz')).toEqual([]);
    expect(found('  -- ')).toEqual([]);
  });

  test('a name that ends in a space comes before one that differs by more', () => {
    expect(findMachines('g. ', [machine('g. '), machine('g')])[0]).toMatchObject({
      name: 'g. ',
      reasons: ['this name'],
    });
  });

  test('whatever is typed: each name once, marks inside it, and every machine first by its own name', () => {
    const name = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => /[\p{L}\p{N}]/u.test(text.trim()));
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 12, minLength: 1 }), fc.string(), (names, text) => {
        const machines = names.map((one) => machine(one));
        const matches = findMachines(text, machines);
        expect(new Set(matches.map((match) => match.name)).size).toBe(matches.length);
        for (const match of matches)
          for (const [from, to] of match.marks) expect(from < to && to <= match.name.length).toBe(true);
        const [one = ''] = names;
        expect(findMachines(one, machines)[0]?.name.trim()).toBe(one.trim());
      }),
      { numRuns: 500 },
    );
  });
});
