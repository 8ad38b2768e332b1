import { describe, expect, test } from 'vitest';
import { organisationOf } from '../../../electron/core/lookup/found-premises.ts';
import { outsideMapAddress } from '../../../electron/core/lookup/outside-map.ts';
import { convertPlace, gridPosition, locate } from '../../../electron/core/lookup/position.ts';
import { mayOpenOutside } from '../../../electron/shell/outside-address.ts';
import { gbOutline } from '../../../renderer/features/lookup/map/gb-outline.ts';
import {
  around,
  gridLines,
  pan,
  squareLetters,
  toDrawing,
  wholeCountry,
  zoom,
} from '../../../renderer/features/lookup/map/map-view.ts';
import type { Address, AddressField } from '../../../shared/domain/address/address.ts';
import { compareAlongStreet, sharedEnd, withKey, withoutEnd } from '../../../shared/domain/lookup/order-results.ts';
import { unwrap } from '../../helpers/temp-database.ts';

describe('converts a place to every notation', () => {
  // Ordnance Survey's worked example: TG 51409 13177 is 52°39′27.25″N 1°43′4.52″E on OSGB36, which is 52.65798, 1.71605 on WGS 84.
  test.each([
    ['TG 51409 13177', 'grid-reference'],
    ['tg5140913177', 'grid-reference'],
    ['651409, 313177', 'metres'],
    ['651409 313177', 'metres'],
    ['52.657978, 1.716052', 'degrees'],
    ['52°39′28.72″N 1°42′57.79″E', 'degrees'],
  ])('%s', (text, given) => {
    const place = unwrap(convertPlace(text));
    expect(place.given).toBe(given);
    expect(place.gridReference.slice(0, 3)).toBe('TG ');
    expect(Math.abs(Number(place.easting) - 651409)).toBeLessThanOrEqual(5);
    expect(Math.abs(Number(place.northing) - 313177)).toBeLessThanOrEqual(5);
    expect(Number(place.latitude)).toBeCloseTo(52.65798, 4);
    expect(Number(place.longitude)).toBeCloseTo(1.71605, 4);
    expect(place.method).toContain('Helmert, ± 5 m');
  });

  test('a short reference names a square, and says so', () => {
    expect(unwrap(convertPlace('SO 50 40'))).toMatchObject({ easting: '350000', northing: '240000' });
    expect(unwrap(convertPlace('SO 50 40')).method).toContain('1,000 m');
  });

  test.each(['', 'here', 'ZZ 12 34', 'SO 123 45', '95, 0', '0, 0', '40.7, -74', '1, 2, 3', '9999999 9999999'])(
    'refuses “%s” in words',
    (text) => {
      expect(convertPlace(text)).toMatchObject({ ok: false, error: { code: 'bad-input', field: 'text' } });
    },
  );

  test('the outside map is one https page that receives two figures', () => {
    const { origin, searchParams } = new URL(outsideMapAddress({ latitude: 52.0573123, longitude: -2.71894 }));
    expect(origin).toBe('https://www.openstreetmap.org');
    expect([...searchParams]).toEqual([
      ['mlat', '52.05731'],
      ['mlon', '-2.71894'],
    ]);
  });
});

test.each([
  ['https://www.openstreetmap.org/?mlat=52&mlon=-2', true],
  ['http://www.openstreetmap.org/', false],
  ['https://www.openstreetmap.org.example/', false],
  ['https://evil.example/?https://www.openstreetmap.org/', false],
  ['https://user@www.openstreetmap.org/', false],
  ['https://www.openstreetmap.org:8443/', false],
  ['https://openstreetmap.org/', false],
  ['file:///etc/passwd', false],
  ['javascript:alert(1)', false],
  ['', false],
])('%s may be opened outside: %s', (address, allowed) => {
  expect(mayOpenOutside(address)).toBe(allowed);
});

describe('typed degrees', () => {
  // 52°03′26″ is 52 + 3/60 + 26/3600, 2°43′08″ is 2 + 43/60 + 8/3600.
  test.each([
    ['N52 03 26, W2 43 08', '52.05722', '-2.71889'],
    ['N52 03 26 W2 43 08', '52.05722', '-2.71889'],
    ['52 03 26 N 2 43 08 W', '52.05722', '-2.71889'],
    ['52 03 26 N, 2 43 08 W', '52.05722', '-2.71889'],
    ['52 03 26 -2 43 08', '52.05722', '-2.71889'],
    ['52°03′26″N 2°43′08″W', '52.05722', '-2.71889'],
    ['2°43′08″W 52°03′26″N', '52.05722', '-2.71889'],
    ['52 3.5, -2 43.5', '52.05833', '-2.72500'],
    ['2.7W, 52N', '52.00000', '-2.70000'],
    ['2.7w 52n', '52.00000', '-2.70000'],
    ['52N 2.7W', '52.00000', '-2.70000'],
    ['52.5 −1.5', '52.50000', '-1.50000'],
    ['+52.5, 1.5', '52.50000', '1.50000'],
  ])('%s', (text, latitude, longitude) => {
    expect(unwrap(convertPlace(text))).toMatchObject({ given: 'degrees', latitude, longitude });
  });

  test.each([
    '52 75 26 N, 2 43 08 W',
    '52 03 61 N, 2 43 08 W',
    '52 03 26 N, 2 75 08 W',
    '52.5 30 N, 2 W',
    '52 3.5 20 N, 2 W',
    '52N, 2N',
    '2W, 3W',
    'N52N, 2W',
    'N-52, 2W',
    '52 03 26 2 43',
    '91N, 2W',
  ])('“%s” is no place', (text) => {
    expect(convertPlace(text)).toMatchObject({ ok: false, error: { message: 'This does not read as a place.' } });
  });

  test.each([
    ['54.5966, -5.9301', 'Ireland has a grid of its own'],
    ['53.3498, -6.2603', 'Ireland has a grid of its own'],
    ['J 339 741', 'Ireland has a grid of its own'],
    ['49.1868, -2.1061', 'The Channel Islands have grids of their own'],
    ['49.4555, -2.5368', 'The Channel Islands have grids of their own'],
  ])('%s: %s', (text, words) => {
    expect(convertPlace(text)).toMatchObject({ ok: false, error: { message: expect.stringContaining(words) } });
  });

  test.each([
    ['54.1523, -4.4861', 'SC', 'Douglas, Isle of Man'],
    ['50.0657, -5.7147', 'SW', 'Land’s End'],
    ['49.9137, -6.3097', 'SV', 'Scilly'],
    ['55.2953, -5.7993', 'NR', 'Mull of Kintyre'],
    ['54.6338, -4.8575', 'NX', 'Mull of Galloway'],
    ['55.6280, -6.1880', 'NR', 'Islay'],
    ['51.8620, -5.3420', 'SM', 'Ramsey Island'],
  ])('%s is on the British grid, in %s (%s)', (text, letters) => {
    expect(unwrap(convertPlace(text)).gridReference.slice(0, 2)).toBe(letters);
  });
});

test('metres and grid reference come from one rounding', () => {
  for (let index = 0; index < 2000; index += 1) {
    const [latitude, longitude] = [50.5 + ((index * 0.6180339) % 1) * 7, -4.5 + ((index * 0.4142135) % 1) * 4];
    const { easting, northing, gridReference } = unwrap(
      convertPlace(`${latitude.toFixed(7)}, ${longitude.toFixed(7)}`),
    );
    const [letters = '', east, north] = gridReference.split(' ');
    const hundreds = [Math.floor(Number(easting) / 1e5), Math.floor(Number(northing) / 1e5)] as const;
    expect([squareLetters(...hundreds), Number(east), Number(north)]).toEqual([
      letters,
      Number(easting) % 1e5,
      Number(northing) % 1e5,
    ]);
  }
});

describe('a premise on another grid, or on none that is known', () => {
  const origin = { interface: 'rest', operation: 'GetPremiseGeoData', shape: 'B' } as const;
  const address = (fields: Partial<Record<AddressField, string>>): Address => ({
    premiseId: '1',
    fields: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, { value, source: origin }])),
    emptyFields: [],
    lines: null,
    other: [],
    origin,
  });
  // Belfast City Hall: J 339 741 on the Irish Grid.
  const irish = { easting: '333900', northing: '374100' };
  test.each<Partial<Record<AddressField, string>>>([
    { ...irish, postcode: 'BT1 5GS' },
    { ...irish, postcode: 'bt15gs' },
    { ...irish, postcodeOutward: 'BT1', postcodeInward: '5GS' },
    { ...irish, country: 'Northern Ireland' },
    { ...irish, latitude: '54.5966', longitude: '-5.9301' },
    { ...irish, gridReference: 'J 33900 74100' },
    { latitude: '54.5966', longitude: '-5.9301' },
    { easting: '565000', northing: '5448000', postcode: 'JE2 3AB' },
    { latitude: '49.1868', longitude: '-2.1061' },
    { easting: '333900', northing: '374100', postcodeOutward: 'GY1' },
    { easting: '333900', northing: '374100', countryIso2: 'GG' },
    irish,
  ])('%o is shown as it came', (fields) => {
    const position = locate(address(fields));
    for (const field of ['latitude', 'longitude', 'easting', 'northing', 'gridReference'] as const)
      expect(position[field]?.value ?? null).toBe(fields[field] ?? null);
    expect(position.onMap).toBeNull();
    expect(position.gridNote).toMatch(/own|no postcode tells/);
    expect(gridPosition(address(fields))).toBeNull();
  });

  test('degrees and metres more than 100 m apart are both shown, and nothing is derived', () => {
    // TG 51409 13177 is 52.65798, 1.71605; a hundredth of a degree of latitude is 1.1 km.
    const at = (latitude: string) =>
      locate(address({ postcode: 'NR1 1AA', easting: '651409', northing: '313177', latitude, longitude: '1.71605' }));
    expect(at('52.66798')).toMatchObject({
      gridReference: null,
      onMap: null,
      gridNote: expect.stringMatching(/1,11\d m apart/),
    });
    expect(at('52.65798')).toMatchObject({ gridReference: { value: 'TG 51409 13177' }, gridNote: null });
    expect(at('52.65848').gridReference).not.toBeNull();
  });

  test('the Isle of Man is on the British grid, and on the map', () => {
    const snaefell = { easting: 239_800, northing: 488_100 };
    const found = locate(address({ postcode: 'IM4 7AQ', easting: '239800', northing: '488100' }));
    expect(found).toMatchObject({ gridReference: { value: 'SC 39800 88100' }, onMap: snaefell });
    const rings = gbOutline
      .split('z')
      .filter(Boolean)
      .map((ring) => {
        const numbers = ring.replace('M', '').split(/[l ]+/).map(Number);
        const points: [number, number][] = [];
        for (let index = 0; index + 1 < numbers.length; index += 2) {
          const [x, y] = points.at(-1) ?? [0, 0];
          points.push([x + (numbers[index] ?? 0), y + (numbers[index + 1] ?? 0)]);
        }
        return points;
      });
    const isLand = (point: { easting: number; northing: number }): boolean => {
      const { x, y } = toDrawing(point);
      return rings.some((ring) => {
        let inside = false;
        for (const [index, [x1, y1]] of ring.entries()) {
          const [x2, y2] = ring.at(index - 1) ?? [0, 0];
          if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
        }
        return inside;
      });
    };
    expect(isLand(snaefell)).toBe(true);
    // Ben Nevis, Snowdon, and the sea between the island and Wales.
    expect(isLand({ easting: 216_700, northing: 771_300 })).toBe(true);
    expect(isLand({ easting: 261_000, northing: 354_400 })).toBe(true);
    expect(isLand({ easting: 240_000, northing: 430_000 })).toBe(false);
  });
});

describe('the map', () => {
  test.each([
    [0, 0, 'SV'],
    [3, 2, 'SO'],
    [5, 1, 'TQ'],
    [6, 3, 'TG'],
    [4, 12, 'HP'],
    [2, 7, 'NN'],
    [7, 0, ''],
    [0, 13, ''],
  ])('square %i, %i is %s', (east, north, letters) => {
    expect(squareLetters(east, north)).toBe(letters);
  });

  test('zooming keeps the place under the pointer', () => {
    const view = around({ easting: 350_803, northing: 240_125 }, 30_000);
    const at = { x: view.x + view.width / 4, y: view.y };
    const closer = zoom(view, 0.5, at);
    expect((at.x - closer.x) / closer.width).toBeCloseTo((at.x - view.x) / view.width, 6);
  });

  test('lines are those of the grid, closer together the closer one looks', () => {
    const view = around({ easting: 350_803, northing: 240_125 }, 30_000);
    const { step, across } = gridLines(view);
    expect(step).toBe(10);
    expect(across).toContain(350);
    expect(gridLines(wholeCountry).step).toBe(100);
    expect(pan(wholeCountry, 1e9, 0).x).toBeLessThan(1e4);
  });
});

describe('the rows of a search', () => {
  const row = (line: string) => ({ premiseId: line, organisation: '', line, kind: 'premise' as const, cached: false });
  test('what all share is taken off, and at least one part stays', () => {
    const rows = [
      '2 Tannery Row, Bartonsham, Hereford, HR10 2DT',
      'Flat 1, 20 Tannery Row, Bartonsham, Hereford, HR10 2DT',
    ];
    const end = sharedEnd(rows.map(row));
    expect(end).toBe('Bartonsham, Hereford, HR10 2DT');
    expect(rows.map((line) => withoutEnd(line, end))).toEqual(['2 Tannery Row', 'Flat 1, 20 Tannery Row']);
  });

  test('they are ordered along the street: by number, named premises last, flats in their order', () => {
    const lines = ['Flat 10, 20 Row', '10 Row', 'Flat 2, 20 Row', '2 Row', 'The Barn, Row', '10A Row'];
    const ordered = lines.map((line) => withKey(row(line))).sort(compareAlongStreet);
    expect(ordered.map(({ result }) => result.line)).toEqual([
      '2 Row',
      '10 Row',
      '10A Row',
      'Flat 2, 20 Row',
      'Flat 10, 20 Row',
      'The Barn, Row',
    ]);
  });

  test('nothing is taken off a single row, equal rows keep their first part, and rows with nothing in common keep all', () => {
    expect(sharedEnd([row('2 Tannery Row, Hereford')])).toBe('');
    expect(sharedEnd([row('A, B'), row('A, B')])).toBe('B');
    expect(sharedEnd([row('A, B'), row('A, C')])).toBe('');
    expect(sharedEnd([row('B'), row('A, B')])).toBe('');
    expect(withoutEnd('Row, B', '')).toBe('Row, B');
  });

  test('an organisation is recognised by the fields beside the line, never by the line alone', () => {
    const fields = { buildingNumber: '6', street: 'Tannery Row' };
    expect(organisationOf('Weir End Upholstery, 6 Tannery Row, Hereford', fields)).toBe('Weir End Upholstery');
    expect(organisationOf('Weir End Upholstery, 6 Tannery Row, Hereford', {})).toBe('');
    expect(
      organisationOf('The Old Bark House, 18 Tannery Row', { ...fields, buildingName: 'The Old Bark House' }),
    ).toBe('');
    expect(organisationOf('Flat 2, 6 Tannery Row', fields)).toBe('');
    expect(organisationOf('Basement, 6 Tannery Row', fields)).toBe('');
  });
});
