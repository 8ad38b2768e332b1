import { parse } from 'postcode';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { towns } from '../../../electron/demo-service/gazetteer/data/towns.ts';
import type { Gazetteer } from '../../../electron/demo-service/gazetteer/gazetteer.ts';
import { openGazetteer } from '../../../electron/demo-service/gazetteer/gazetteer.ts';
import { distanceMetres, toNationalGrid } from '../../../electron/demo-service/gazetteer/geography.ts';
import type { Premise } from '../../../electron/demo-service/gazetteer/types.ts';
import { listRealDistricts } from '../../fixtures/real-districts.ts';

// A whole gazetteer is built here; a busy machine may need more than the default five seconds.
const size = 20_000;
let gazetteer: Gazetteer;
let premises: Premise[];

beforeAll(() => {
  gazetteer = openGazetteer({ seed: 7, premises: size });
  premises = gazetteer.sample(size);
});
afterAll(() => gazetteer.close());

const distinct = (values: readonly string[]): number => new Set(values).size;

test('holds as many premises as asked for, for small and odd counts too', () => {
  expect(gazetteer.count()).toBe(size);
  expect(premises).toHaveLength(size);
  for (const count of [100, 101, 137, 1_009]) {
    const small = openGazetteer({ seed: 3, premises: count });
    expect(small.count()).toBe(count);
    for (const postcode of small.samplePostcodes(count)) {
      const { length } = small.premisesAtPostcode(postcode);
      expect(length).toBeGreaterThanOrEqual(10);
      expect(length).toBeLessThanOrEqual(40);
    }
    small.close();
  }
});

test('the default size builds', () => {
  // Its indexes of identifiers are unique, so a repeated one would fail here.
  const full = openGazetteer({ seed: 1, premises: 120_000 });
  expect(full.count()).toBe(120_000);
  full.close();
});

test('the same seed and count give the same premises, another seed gives others', () => {
  const again = openGazetteer({ seed: 7, premises: size });
  expect(again.sample(500)).toEqual(gazetteer.sample(500));
  expect(again.samplePostcodes(50)).toEqual(gazetteer.samplePostcodes(50));
  again.close();
  for (const seed of [8, -7, 7 + 2 ** 32]) {
    const other = openGazetteer({ seed, premises: 1_000 });
    const same = openGazetteer({ seed: 7, premises: 1_000 });
    expect(other.sample(500)).not.toEqual(same.sample(500));
    other.close();
    same.close();
  }
});

test('one premise of seed 1 is unchanged since the generator was written', () => {
  const pinned = openGazetteer({ seed: 1, premises: 100 });
  const premise = pinned.premisesAtPostcode('HR10 2DT')[2];
  expect(premise).toMatchObject({
    organisation: 'Weir End Upholstery',
    buildingNumber: '6',
    thoroughfare: 'Tannery Row',
  });
  expect({ id: premise?.id, udprn: premise?.udprn, uprn: premise?.uprn }).toEqual({
    id: '52112610',
    udprn: '50855077',
    uprn: '007196777200',
  });
  pinned.close();
});

test('identifiers are digits of the right length, unique, and never shared between id and udprn', () => {
  expect(premises.every((premise) => /^\d{8}$/.test(premise.id) && /^\d{8}$/.test(premise.udprn))).toBe(true);
  expect(premises.every((premise) => /^0\d{11}$/.test(premise.uprn))).toBe(true);
  expect(distinct(premises.flatMap((premise) => [premise.id, premise.udprn]))).toBe(2 * size);
  expect(distinct(premises.map((premise) => premise.uprn))).toBe(size);
  expect(premises.some((premise) => premise.id.startsWith('0'))).toBe(true);
  expect(premises.some((premise) => premise.udprn.startsWith('0'))).toBe(true);
});

test('a suffix is not used twice in a postcode', () => {
  expect(premises.every((premise) => /^\d[ABD-HJLNP-UW-Z]$/.test(premise.deliveryPointSuffix))).toBe(true);
  expect(distinct(premises.map((premise) => premise.postcode + premise.deliveryPointSuffix))).toBe(size);
  expect(premises.every((premise) => /^\d{5}$/.test(premise.mailsort))).toBe(true);
});

test('every postcode is well-formed, by an independent reader, and of its town’s area', () => {
  const areas = new Map<string, Set<string>>();
  for (const town of towns) areas.set(town.postTown, (areas.get(town.postTown) ?? new Set()).add(town.area));
  // An assertion for each of them took longer than the generation.
  const wrong = premises.filter(({ postcode, postTown }) => {
    const read = parse(postcode);
    const whole = read.valid && read.postcode === postcode && areas.get(postTown)?.has(read.area ?? '');
    return !whole || / \d.*[CIKMOV]/.test(postcode);
  });
  expect(wrong).toEqual([]);
});

test('no postcode district is a real one, and none serves two towns', () => {
  // Spot checks of the list of real districts.
  expect(listRealDistricts('HR').has(9)).toBe(true);
  expect(listRealDistricts('AB').has(56)).toBe(true);
  expect(listRealDistricts('M').has(60)).toBe(true);
  const used = new Set<string>();
  for (const town of towns) {
    expect(listRealDistricts(town.area).size, town.area).toBeGreaterThan(0);
    for (const district of town.districts) {
      expect(listRealDistricts(town.area).has(district), `${town.area}${district}`).toBe(false);
      expect(used.has(`${town.area}${district}`), `${town.area}${district}`).toBe(false);
      used.add(`${town.area}${district}`);
    }
  }
  expect(premises.every((premise) => used.has(premise.postcode.split(' ')[0] ?? ''))).toBe(true);
});

test('the towns spread over all four countries', () => {
  expect(distinct(towns.map((town) => town.postTown))).toBeGreaterThanOrEqual(80);
  const countries = new Map<string, number>();
  for (const town of towns) countries.set(town.country, (countries.get(town.country) ?? 0) + 1);
  expect([...countries.keys()].sort()).toEqual(['England', 'Northern Ireland', 'Scotland', 'Wales']);
  expect(Math.min(...countries.values())).toBeGreaterThanOrEqual(3);
});

test('every premise is within 4 km of its town and has its grid figures', () => {
  const wrong = premises.filter((premise) => {
    const town = towns.find((each) => each.postTown === premise.postTown && premise.postcode.startsWith(each.area));
    const { latitude, longitude, easting, northing, gridReference } = premise;
    const near = town !== undefined && distanceMetres(premise, town) < 4_000;
    const rounded = latitude === Number(latitude.toFixed(6)) && longitude === Number(longitude.toFixed(6));
    const onGrid =
      premise.country === 'Northern Ireland'
        ? easting === null && northing === null && gridReference === ''
        : Number.isInteger(easting) && Number.isInteger(northing) && /^[A-Z]{2} \d{5} \d{5}$/.test(gridReference);
    return !near || !rounded || !onGrid;
  });
  expect(wrong).toEqual([]);
});

test('area data is complete, and the same for premises of one postcode', () => {
  for (const postcode of gazetteer.samplePostcodes(100)) {
    const [first, ...rest] = gazetteer.premisesAtPostcode(postcode);
    const centroid = gazetteer.postcodeCentroid(postcode);
    expect(first?.wardCode).toMatch(/^[ENSW]95\d{6}$/);
    for (const field of [
      'wardName',
      'nhsRegionalOffice',
      'nhsStrategicHealthBoardName',
      'countyTraditional',
    ] as const) {
      expect(first?.[field]).not.toBe('');
      expect(centroid?.[field]).toBe(first?.[field]);
    }
    for (const premise of rest) expect(premise.wardCode).toBe(first?.wardCode);
  }
});

test('the mix is believable: each kind of premise occurs, and texts exercise encodings', () => {
  const share = (wanted: (premise: Premise) => boolean): number => premises.filter(wanted).length / size;
  expect(share((premise) => premise.userCategory === 'Residential')).toBeGreaterThan(0.6);
  expect(share((premise) => premise.userCategory === 'Business')).toBeGreaterThan(0.08);
  for (const [name, wanted] of Object.entries<(premise: Premise) => boolean>({
    range: (premise) => /^\d+-\d+$/.test(premise.buildingName),
    suffixed: (premise) => /^\d+[A-C]$/.test(premise.buildingName),
    flat: (premise) => premise.subBuilding.startsWith('Flat '),
    department: (premise) => premise.department !== '' && premise.organisation !== '',
    yard: (premise) => premise.dependentThoroughfare !== '' && premise.thoroughfare !== '',
    hamlet: (premise) => premise.doubleDependentLocality !== '' && premise.dependentLocality !== '',
    poBox: (premise) => premise.poBox !== '' && premise.userCategory === 'PO Box',
    multiple: (premise) => premise.userCategory === 'Multiple residence',
    apostrophe: (premise) => premise.organisation.includes("'"),
    ampersand: (premise) => premise.organisation.includes(' & '),
    welsh: (premise) => /[ŵŷŴŶ]/.test(premise.thoroughfare + premise.buildingName),
    gaelic: (premise) => /è/.test(premise.thoroughfare),
  })) {
    expect(share(wanted), name).toBeGreaterThan(0);
  }
  for (const premise of premises) {
    expect(premise.buildingNumber).toMatch(/^\d*$/);
    if (/^\d+(-\d+|[A-Z])$/.test(premise.buildingName)) expect(premise.buildingNumber).toBe('');
    const lead =
      premise.organisation + premise.buildingName + premise.buildingNumber + premise.subBuilding + premise.poBox;
    expect(lead).not.toBe('');
  }
});

test('no two premises share an address', () => {
  const address = (premise: Premise): string =>
    [
      premise.organisation,
      premise.department,
      premise.subBuilding,
      premise.buildingName,
      premise.buildingNumber,
      premise.poBox,
    ]
      .concat(premise.dependentThoroughfare, premise.thoroughfare, premise.dependentLocality, premise.postcode)
      .join('|');
  expect(distinct(premises.map(address))).toBe(size);
});

test('refuses invalid counts and seeds', () => {
  for (const count of [0, 99, 100.5, Number.NaN, 3_000_000]) {
    expect(() => openGazetteer({ seed: 1, premises: count })).toThrow(RangeError);
  }
  expect(() => openGazetteer({ seed: 0.5, premises: 100 })).toThrow(RangeError);
});

test('distances agree with published ones', () => {
  // Flinders Peak to Buninyong, the worked example of the Geocentric Datum of Australia manual: 54,972.271 m.
  const flinders = { latitude: -(37 + 57 / 60 + 3.7203 / 3600), longitude: 144 + 25 / 60 + 29.5244 / 3600 };
  const buninyong = { latitude: -(37 + 39 / 60 + 10.1561 / 3600), longitude: 143 + 55 / 60 + 35.3839 / 3600 };
  expect(distanceMetres(flinders, buninyong)).toBeCloseTo(54_972.271, 2);
  // Land's End to John o' Groats.
  const landsEnd = { latitude: 50.06632, longitude: -5.71475 };
  const johnOGroats = { latitude: 58.64402, longitude: -3.07009 };
  expect(distanceMetres(landsEnd, johnOGroats)).toBeCloseTo(969_954.166, 2);
  expect(distanceMetres(landsEnd, landsEnd)).toBe(0);
});

test('the National Grid agrees with Ordnance Survey’s example', () => {
  // Caister water tower: WGS84 52°39′28.72″N 1°42′57.79″E is E 651409.9 N 313177.3; the method is good to 5 m.
  const grid = toNationalGrid({ latitude: 52.657977, longitude: 1.716053 });
  expect(Math.abs(grid.easting - 651_410)).toBeLessThan(6);
  expect(Math.abs(grid.northing - 313_177)).toBeLessThan(6);
});
