import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  formatAddressLines,
  formatOneLine,
  formatThoroughfare,
} from '../../../electron/demo-service/gazetteer/format.ts';
import type { Gazetteer } from '../../../electron/demo-service/gazetteer/gazetteer.ts';
import { openGazetteer } from '../../../electron/demo-service/gazetteer/gazetteer.ts';
import type { Premise } from '../../../electron/demo-service/gazetteer/types.ts';

let gazetteer: Gazetteer;
let blank: Premise;

beforeAll(() => {
  gazetteer = openGazetteer({ seed: 1, premises: 3_000 });
  const [first] = gazetteer.sample(1);
  if (!first) throw new Error('the gazetteer is empty');
  blank = {
    ...first,
    thoroughfare: '',
    dependentLocality: '',
    buildingNumber: '',
    postTown: 'Hereford',
    postcode: 'HR10 2DT',
  };
});
afterAll(() => gazetteer.close());

const linesOf = (fields: Partial<Premise>): string[] =>
  formatAddressLines({ ...blank, ...fields }, { withoutPostcode: true }).slice(0, -1);

test('one line: organisation, number and street, town, postcode', () => {
  const premise = { ...blank, organisation: 'Weir End Upholstery', buildingNumber: '6', thoroughfare: 'Tannery Row' };
  expect(formatOneLine(premise)).toBe('Weir End Upholstery, 6 Tannery Row, Hereford, HR10 2DT');
});

test('ranges and suffixes come before the street, names above it', () => {
  expect(linesOf({ buildingName: '26-28', thoroughfare: 'Tannery Row' })).toEqual(['26-28 Tannery Row']);
  expect(linesOf({ buildingName: '30A', thoroughfare: 'Tannery Row' })).toEqual(['30A Tannery Row']);
  expect(linesOf({ buildingName: '12A', subBuilding: 'Flat 2', thoroughfare: 'Mill Lane' })).toEqual([
    'Flat 2',
    '12A Mill Lane',
  ]);
  expect(linesOf({ buildingName: 'Rose Cottage', buildingNumber: '5', thoroughfare: 'Mill Lane' })).toEqual([
    'Rose Cottage',
    '5 Mill Lane',
  ]);
  expect(linesOf({ buildingName: 'Unit 3', thoroughfare: 'Mill Lane' })).toEqual(['Unit 3', 'Mill Lane']);
  expect(linesOf({ subBuilding: '2B', buildingName: 'Marlow Court', thoroughfare: 'Mill Lane' })).toEqual([
    '2B Marlow Court',
    'Mill Lane',
  ]);
});

test('the number goes with the yard, or with the locality when there is no street', () => {
  const yard = { buildingNumber: '3', dependentThoroughfare: 'Tannery Yard', thoroughfare: 'Tannery Row' };
  expect(linesOf(yard)).toEqual(['3 Tannery Yard', 'Tannery Row']);
  const hamlet = { buildingNumber: '3', doubleDependentLocality: 'Foxley Green', dependentLocality: 'Marlmead' };
  expect(linesOf(hamlet)).toEqual(['3 Foxley Green', 'Marlmead']);
});

test('PO boxes and departments', () => {
  expect(linesOf({ organisation: 'Pomona & Sons Ltd', department: 'Payroll', poBox: '61' })).toEqual([
    'Pomona & Sons Ltd',
    'Payroll',
    'PO Box 61',
  ]);
});

test('every premise formats to lines without gaps that end in town and postcode', () => {
  for (const premise of gazetteer.sample(3_000)) {
    const lines = formatAddressLines(premise);
    expect(lines.slice(-2)).toEqual([premise.postTown, premise.postcode]);
    expect(lines.length).toBeGreaterThanOrEqual(3);
    for (const line of lines) expect(line).toBe(line.trim().replace(/ {2,}/g, ' '));
    for (const part of [premise.organisation, premise.subBuilding, premise.buildingName, premise.thoroughfare]) {
      expect(lines.join('\n')).toContain(part);
    }
  }
});

test('a street on one line', () => {
  const yard = gazetteer
    .thoroughfaresInDistrict('HR10')
    .find((street) => street.dependentThoroughfare === 'Tannery Yard');
  expect(yard && formatThoroughfare(yard)).toBe('Tannery Yard, Tannery Row, Bartonsham Mead, Hereford, HR10');
});
