import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Condition } from '../../../electron/demo-service/gazetteer/conditions.ts';
import { searchFields } from '../../../electron/demo-service/gazetteer/conditions.ts';
import { formatOneLine } from '../../../electron/demo-service/gazetteer/format.ts';
import type { Gazetteer } from '../../../electron/demo-service/gazetteer/gazetteer.ts';
import { openGazetteer } from '../../../electron/demo-service/gazetteer/gazetteer.ts';
import type { Premise } from '../../../electron/demo-service/gazetteer/types.ts';

// A whole gazetteer is built here; a busy machine may need more than the default five seconds.
const size = 20_000;
let gazetteer: Gazetteer;
let premises: Premise[];

beforeAll(() => {
  gazetteer = openGazetteer({ seed: 1, premises: size });
  premises = gazetteer.sample(size);
});
afterAll(() => gazetteer.close());

const idsOf = (found: readonly Premise[]): string[] => found.map((premise) => premise.id).sort();
const idsWhere = (wanted: (premise: Premise) => boolean): string[] => idsOf(premises.filter(wanted));

test('finds a premise by its id, and takes no UDPRN for one', () => {
  for (const premise of gazetteer.sample(200)) {
    expect(gazetteer.premiseById(premise.id)).toEqual(premise);
    expect(gazetteer.premiseById(premise.udprn)).toBeNull();
  }
  const padded = premises.find((premise) => premise.id.startsWith('0'));
  expect(padded).toBeDefined();
  expect(gazetteer.premiseById(String(Number(padded?.id)))).toBeNull();
  for (const id of ['', ' ', "' OR 1=1 --", 'x'.repeat(10_240)]) expect(gazetteer.premiseById(id)).toBeNull();
});

test('a postcode gives all its premises in any case and spacing', () => {
  const showcase = gazetteer.premisesAtPostcode('HR10 2DT');
  expect(showcase).toHaveLength(34);
  for (const written of ['hr102dt', ' Hr10  2dT ', 'h r 1 0 2 d t'])
    expect(gazetteer.premisesAtPostcode(written)).toEqual(showcase);
  for (const postcode of gazetteer.samplePostcodes(50)) {
    expect(idsOf(gazetteer.premisesAtPostcode(postcode))).toEqual(idsWhere((premise) => premise.postcode === postcode));
  }
  for (const none of ['', 'HR10', 'HR10 9ZX', 'SW1A 1AA', "HR10 2DT' --", '%', '*'])
    expect(gazetteer.premisesAtPostcode(none)).toEqual([]);
});

test('a number finds ranges and suffixes, a flat finds its words', () => {
  const lines = (wanted: { number?: string; flatOrBuilding?: string }): string[] =>
    gazetteer
      .premisesAtPostcodeAndNumber('HR10 2DT', wanted)
      .map((premise) => formatOneLine(premise, { withoutPostcode: true }));
  const rest = 'Tannery Row, Bartonsham Mead, Hereford';
  expect(lines({ number: '14' })).toEqual([`14 ${rest}`]);
  for (const number of ['26', '28', '26-28']) expect(lines({ number })).toEqual([`Lugg Valley Cycles, 26-28 ${rest}`]);
  expect(lines({ number: '30a' })).toEqual([`30A ${rest}`]);
  expect(lines({ number: '30' })).toEqual([`30 ${rest}`]);
  expect(lines({ number: '20', flatOrBuilding: 'flat 3' })).toEqual([`Flat 3, 20 ${rest}`]);
  expect(lines({ flatOrBuilding: 'old bark house' })).toEqual([`The Old Bark House, 18 ${rest}`]);
  expect(lines({ number: '1' })).toEqual([]);
  expect(lines({ number: '!' })).toEqual([]);
  expect(lines({})).toHaveLength(34);
});

test('words are searched in the requested part of the address', () => {
  const street = gazetteer.searchWords(['tannery', 'row'], { in: 'street', limit: size });
  const wanted = idsWhere((premise) =>
    /\btannery\b.*\brow\b|\brow\b.*\btannery\b/i.test(`${premise.dependentThoroughfare} ${premise.thoroughfare}`),
  );
  expect(idsOf(street.found)).toEqual(wanted);
  expect(street.total).toBe(wanted.length);
  const town = gazetteer.searchWords(['hereford'], { in: 'locality', limit: size });
  expect(idsOf(town.found)).toEqual(idsWhere((premise) => premise.postTown === 'Hereford'));
  expect(gazetteer.searchWords(['upholstery', 'weir'], { in: 'premise' }).found[0]?.organisation).toBe(
    'Weir End Upholstery',
  );
  expect(gazetteer.searchWords(['hereford'], { in: 'premise' }).total).toBe(0);
  expect(gazetteer.searchWords(['upholstery', 'tannery', 'hereford'], { in: 'all' }).total).toBe(1);
  expect(gazetteer.searchWords(['upholst*'], { in: 'premise' }).total).toBeGreaterThan(0);
  expect(gazetteer.searchWords(['upholst'], { in: 'premise' }).total).toBe(0);
});

test('with "or" any selective word is enough, and noise words do not match everything', () => {
  const either = gazetteer.searchWords(['upholstery', 'cycles', 'ltd'], { in: 'premise', operator: 'or', limit: size });
  expect(idsOf(either.found)).toEqual(idsWhere((premise) => /Upholstery|Cycles/.test(premise.organisation)));
});

test('a limit cuts the list and leaves the total', () => {
  const all = gazetteer.searchWords(['hereford'], { in: 'locality', limit: size });
  const few = gazetteer.searchWords(['hereford'], { in: 'locality', limit: 5 });
  expect(few.found).toEqual(all.found.slice(0, 5));
  expect(few.total).toBe(all.total);
  expect(gazetteer.searchFreeText('hereford', 0).found).toEqual([]);
  expect(gazetteer.searchFreeText('hereford', -3).found).toEqual([]);
  expect(gazetteer.searchFreeText('hereford', Number.NaN).found).toHaveLength(100);
});

test('free text finds an address from any of its parts, in any order', () => {
  const first = (text: string): string | undefined => {
    const premise = gazetteer.searchFreeText(text).found[0];
    return premise && formatOneLine(premise);
  };
  const fourteen = '14 Tannery Row, Bartonsham Mead, Hereford, HR10 2DT';
  for (const text of [
    '14 tannery row hereford',
    'Hereford, 14 Tannery Row',
    '14, HR10 2DT',
    '14 hr102dt',
    '14 bartonsham mead',
    '14 tannery row herefordshire',
    '14 Tannery Row, Hereford, England, UK',
  ]) {
    expect(first(text), text).toBe(fourteen);
  }
  expect(gazetteer.searchFreeText('hr10 2dt').total).toBe(34);
  expect(idsOf(gazetteer.searchFreeText('HR10', size).found)).toEqual(
    idsWhere((premise) => premise.postcode.startsWith('HR10 ')),
  );
  expect(idsOf(gazetteer.searchFreeText('hr10 2', size).found)).toEqual(
    idsWhere((premise) => premise.postcode.startsWith('HR10 2')),
  );
  expect(gazetteer.searchFreeText('HR1').total).toBe(0);
  expect(gazetteer.searchFreeText('cafe noemie hereford').found[0]?.organisation).toMatch(/^Café Noémie/);
});

test('the last word may be unfinished, and whole matches come first', () => {
  const { found, total } = gazetteer.searchFreeText('hereford tann', size);
  const wanted = idsWhere(
    (premise) => premise.postTown === 'Hereford' && /\bTann/.test(Object.values(premise).join(' ')),
  );
  expect(idsOf(found)).toEqual(wanted);
  expect(total).toBe(wanted.length);
  const mill = gazetteer.searchFreeText('mill', size).found.map((premise) => /\bmill\b/i.test(formatOneLine(premise)));
  expect(mill).toContain(true);
  expect(mill).toContain(false);
  expect(mill.lastIndexOf(true)).toBeLessThan(mill.indexOf(false));
  // A number must match as a whole: 1 must not find 10 to 19.
  expect(gazetteer.searchFreeText('tannery row hereford 1').total).toBe(
    gazetteer.searchWords(['tannery row hereford 1'], { in: 'all' }).total,
  );
});

test('accents, apostrophes and abbreviations do not matter', () => {
  const same = (one: string, other: string): void => {
    const found = gazetteer.searchFreeText(one, size);
    expect(found.total, one).toBeGreaterThan(0);
    expect(gazetteer.searchFreeText(other, size).total, other).toBe(found.total);
  };
  const nameWith = (wanted: RegExp): { name: string; postTown: string } => {
    for (const { thoroughfare, dependentLocality, buildingName, postTown } of premises) {
      const name = [thoroughfare, dependentLocality, buildingName].find((text) => wanted.test(text));
      if (name !== undefined) return { name, postTown };
    }
    throw new Error(`no name with ${wanted}`);
  };
  for (const letter of [/[ŵŷ]/, /è/]) {
    const { name, postTown } = nameWith(letter);
    const plain = name.normalize('NFD').replace(/[\u0300-\u036f']/g, '');
    expect(plain).not.toBe(name);
    same(`${plain} ${postTown}`, `${name} ${postTown}`.toUpperCase());
  }
  const { name, postTown } = nameWith(/ Street$/);
  same(`${name} ${postTown}`, `${name.replace('Street', 'St')} ${postTown}`);
  same("o'neill", 'O’Neill');
  same('saint andrews fife', 'st andrews fife');
  same('pomona & sons', 'pomona and sons');
});

test('only noise words are refused as too vague, no text as empty', () => {
  for (const text of ['the', 'road', 'The Road', 'a', '14', 'flat 3', '14 the street', 'ltd', 'road*']) {
    expect(gazetteer.searchFreeText(text), text).toEqual({ found: [], total: 0, refusal: 'too-vague' });
  }
  for (const text of ['', '   ', '***', '"', "'", '--', '()', '\u0000', '&']) {
    expect(gazetteer.searchFreeText(text), text).toEqual({ found: [], total: 0, refusal: 'empty' });
  }
  expect(gazetteer.searchWords([], { in: 'all' }).refusal).toBe('empty');
  expect(gazetteer.searchWords(['the', 'road'], { in: 'street' }).refusal).toBe('too-vague');
});

test('PO boxes, organisations and streets, with and without a town', () => {
  const box = premises.find((premise) => premise.poBox !== '');
  expect(box).toBeDefined();
  if (!box) return;
  const boxes = idsWhere((premise) => premise.poBox === box.poBox && premise.postTown === box.postTown);
  expect(idsOf(gazetteer.searchPoBox(box.poBox, box.postTown).found)).toEqual(boxes);
  expect(idsOf(gazetteer.searchPoBox(`PO Box ${box.poBox}`, box.postTown.toUpperCase()).found)).toEqual(boxes);
  expect(gazetteer.searchPoBox(box.poBox, '').total).toBe(idsWhere((premise) => premise.poBox === box.poBox).length);
  expect(gazetteer.searchPoBox(box.poBox, 'Atlantis').total).toBe(0);
  expect(gazetteer.searchPoBox('', box.postTown).refusal).toBe('empty');
  expect(
    gazetteer.searchOrganisation('Pomona & Sons', 'Hereford').found.map((premise) => premise.organisation),
  ).toContain('Pomona & Sons Ltd');
  expect(gazetteer.searchOrganisation('Ltd', '').refusal).toBe('too-vague');
  expect(gazetteer.searchOrganisation('', 'Hereford').refusal).toBe('empty');
  expect(
    gazetteer.searchStreet('Tannery Row', '28', 'Hereford').found.map((premise) => premise.buildingName),
  ).toContain('26-28');
  expect(gazetteer.searchStreet('Tannery Row', '14', 'Bartonsham Mead').total).toBe(1);
  expect(gazetteer.searchStreet('', '14', 'Hereford').refusal).toBe('empty');
});

test('thoroughfares by district and street, and their premises', () => {
  const inDistrict = gazetteer.thoroughfaresInDistrict('hr10');
  expect(inDistrict).toEqual(gazetteer.thoroughfaresInDistrict('HR10 2DT'));
  expect(inDistrict.every((street) => street.postcodeDistrict === 'HR10' && /^\d{8}$/.test(street.id))).toBe(true);
  expect(new Set(inDistrict.map((street) => street.id)).size).toBe(inDistrict.length);
  for (const street of inDistrict) {
    const there = gazetteer.premisesOnThoroughfare(street.id);
    expect(there.length).toBeGreaterThan(0);
    for (const premise of there) {
      expect(premise.thoroughfare).toBe(street.thoroughfare);
      expect(premise.dependentThoroughfare).toBe(street.dependentThoroughfare);
    }
  }
  const yard = gazetteer.thoroughfaresByStreet('Tannery Yard', '', 'Hereford').found;
  expect(yard.map((street) => street.dependentThoroughfare)).toContain('Tannery Yard');
  const withNumber = gazetteer.thoroughfaresByStreet('Tannery Row', '14', 'Hereford');
  expect(withNumber.found.map((street) => street.dependentThoroughfare)).toEqual(['']);
  expect(withNumber.total).toBe(1);
  expect(gazetteer.thoroughfaresInDistrict('nonsense')).toEqual([]);
  expect(gazetteer.premisesOnThoroughfare("' OR '1'='1")).toEqual([]);
  expect(gazetteer.thoroughfaresByStreet('road', '', '').refusal).toBe('too-vague');
});

test('streets of one name are in several towns', () => {
  const { found } = gazetteer.thoroughfaresByStreet('mill lane', '', '', size);
  expect(new Set(found.map((street) => street.postTown)).size).toBeGreaterThan(2);
});

test('keywords are joined by AND or OR, and empty ones are left out', () => {
  const both = gazetteer.searchKeywords(
    { street: 'tannery row', townOrCity: 'Hereford', number: '14', company: ' ' },
    'AND',
  );
  expect(both.total).toBe(1);
  const either = gazetteer.searchKeywords({ company: 'upholstery', postcode: 'HR10 2DT', number: '14' }, 'OR', size);
  expect(idsOf(either.found)).toEqual(
    idsWhere((premise) => premise.postcode === 'HR10 2DT' || /Upholstery/.test(premise.organisation)),
  );
  expect(gazetteer.searchKeywords({}, 'AND').refusal).toBe('empty');
  expect(gazetteer.searchKeywords({ number: '14' }, 'AND').refusal).toBe('too-vague');
  expect(gazetteer.searchKeywords({ postcode: 'nonsense' }, 'AND').total).toBe(0);
});

test('conditions nest', () => {
  const inShowcase: Condition = { field: 'postcode', value: 'HR10 2DT' };
  const outcome = gazetteer.searchCondition({
    all: [
      inShowcase,
      { not: { field: 'street', value: 'yard' } },
      {
        any: [
          { field: 'organisation', value: 'cycles' },
          { field: 'buildingName', value: 'bark' },
        ],
      },
    ],
  });
  expect(outcome.found.map((premise) => premise.buildingName).sort()).toEqual(['26-28', 'The Old Bark House']);
  expect(gazetteer.searchCondition({ not: inShowcase }).refusal).toBe('too-vague');
  expect(gazetteer.searchCondition({ all: [] }).refusal).toBe('empty');
  expect(gazetteer.searchCondition({ all: Array.from({ length: 60 }, () => inShowcase) }).refusal).toBe('too-complex');
  let deep: Condition = inShowcase;
  for (let depth = 0; depth < 30; depth += 1) deep = { not: deep };
  expect(gazetteer.searchCondition(deep).refusal).toBe('too-complex');
});

test('every field can be searched for the value a premise has there', () => {
  const premise = premises.find(
    (each) =>
      each.organisation !== '' &&
      each.department !== '' &&
      each.dependentLocality !== '' &&
      each.dependentThoroughfare !== '',
  );
  expect(premise).toBeDefined();
  if (!premise) return;
  const values: Partial<Record<string, string>> = {
    all: premise.organisation,
    premise: premise.organisation,
    organisation: premise.organisation,
    department: premise.department,
    building: premise.buildingName,
    subBuilding: premise.subBuilding,
    buildingName: premise.buildingName,
    street: premise.thoroughfare,
    place: premise.dependentLocality,
    locality: premise.dependentLocality,
    town: premise.postTown,
    county: premise.countyTraditional,
    id: premise.id,
    udprn: premise.udprn,
    uprn: premise.uprn,
    number: premise.buildingNumber,
    poBox: premise.poBox,
    postcode: premise.postcode,
    userCategory: premise.userCategory,
  };
  for (const field of searchFields) {
    const value = values[field];
    expect(value, field).toBeDefined();
    const { found } = gazetteer.searchCondition({
      all: [
        { field: 'id', value: premise.id },
        { field, value: value ?? '' },
      ],
    });
    expect(found, field).toEqual([premise]);
    expect(
      gazetteer.searchCondition({
        all: [
          { field: 'id', value: premise.id },
          { field, value: 'zzqx' },
        ],
      }).found,
      field,
    ).toEqual([]);
  }
});

test('the centre of a postcode is the mean of its premises', () => {
  for (const postcode of gazetteer.samplePostcodes(30)) {
    const there = gazetteer.premisesAtPostcode(postcode);
    const centre = gazetteer.postcodeCentroid(postcode.toLowerCase());
    const mean = (pick: (premise: Premise) => number): number =>
      there.reduce((sum, premise) => sum + pick(premise), 0) / there.length;
    expect(centre?.premises).toBe(there.length);
    expect(centre?.latitude).toBeCloseTo(
      mean((premise) => premise.latitude),
      5,
    );
    expect(centre?.longitude).toBeCloseTo(
      mean((premise) => premise.longitude),
      5,
    );
    if (centre?.country === 'Northern Ireland') expect(centre.easting).toBeNull();
    else expect(Math.abs((centre?.easting ?? 0) - mean((premise) => premise.easting ?? 0))).toBeLessThan(2);
  }
  expect(gazetteer.postcodeCentroid('HR10 9ZX')).toBeNull();
});

test('samples are spread, repeatable, and no larger than the file', () => {
  expect(gazetteer.samplePostcodes(3)[0]).toBe('HR10 2DT');
  expect(gazetteer.sample(10)).toHaveLength(10);
  expect(new Set(gazetteer.sample(10).map((premise) => premise.postTown)).size).toBeGreaterThan(5);
  expect(gazetteer.sample(0)).toEqual([]);
  expect(gazetteer.sample(-1)).toEqual([]);
  expect(gazetteer.sample(10 * size)).toHaveLength(size);
});

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc
    .array(
      fc.constantFrom(
        '"',
        "'",
        '*',
        '-',
        ':',
        '(',
        ')',
        '{',
        '}',
        '^',
        '+',
        'NEAR(',
        'AND',
        'OR',
        'NOT',
        'street:',
        'a',
        'tannery',
        '\u0000',
        '\ud800',
        '%',
        ';',
        'ﷺ',
        'İ',
        '\u0301',
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join(' ')),
  fc.constantFrom(
    'x'.repeat(10_240),
    '" '.repeat(5_120),
    'ﷺ'.repeat(10_240),
    'tannery* '.repeat(1_200),
    "'; DROP TABLE premise; --",
  ),
);

test('no text breaks a search', () => {
  // The effect of a text on a query does not depend on the number of premises, so a small gazetteer is enough.
  const few = openGazetteer({ seed: 1, premises: 1000 });
  fc.assert(
    fc.property(hostile, hostile, (one, other) => {
      const outcomes = [
        few.searchFreeText(one, 5),
        few.searchWords([one, other], { in: 'all', limit: 5, operator: 'or' }),
        few.searchPoBox(one, other, 5),
        few.searchOrganisation(one, other, 5),
        few.searchStreet(one, other, one, 5),
        few.searchKeywords(
          { street: one, postcode: other, number: one, locality: other, company: one, townOrCity: other },
          'OR',
          5,
        ),
        few.thoroughfaresByStreet(one, other, '', 5),
        ...searchFields.map((field) => few.searchField(field, one, 5)),
      ];
      for (const outcome of outcomes) expect(outcome.found.length).toBeLessThanOrEqual(Math.min(5, outcome.total));
      few.premisesAtPostcode(one);
      few.premisesAtPostcodeAndNumber('HR10 2DT', { number: one, flatOrBuilding: other });
      few.thoroughfaresInDistrict(one);
      few.premisesOnThoroughfare(one);
      few.postcodeCentroid(one);
    }),
    { numRuns: 150 },
  );
  expect(few.count()).toBe(1000);
  few.close();
});
