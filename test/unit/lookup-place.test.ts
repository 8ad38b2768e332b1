import { describe, expect, test } from 'vitest';
import { organisationOf } from '../../electron/core/lookup/found-premises.ts';
import { outsideMapAddress } from '../../electron/core/lookup/outside-map.ts';
import { convertPlace } from '../../electron/core/lookup/position.ts';
import { mayOpenOutside } from '../../electron/shell/outside-address.ts';
import { around, gridLines, pan, squareLetters, wholeCountry, zoom } from '../../renderer/features/lookup/map-view.ts';
import { orderResults, sharedEnd, withoutEnd } from '../../shared/domain/order-results.ts';
import { unwrap } from '../helpers/temp-database.ts';

describe('a place in every notation', () => {
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

  test('the outside map is one https page that is told two figures', () => {
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

  test('zooming keeps the place under the pointer where it is', () => {
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
  const row = (line: string) => ({ premiseId: line, organisation: '', line, kind: 'premise' as const, held: false });
  test('what all share is taken off, and at least one part stays', () => {
    const rows = [
      '2 Tannery Row, Bartonsham, Hereford, HR10 2DT',
      'Flat 1, 20 Tannery Row, Bartonsham, Hereford, HR10 2DT',
    ];
    const end = sharedEnd(rows.map(row));
    expect(end).toBe('Bartonsham, Hereford, HR10 2DT');
    expect(rows.map((line) => withoutEnd(line, end))).toEqual(['2 Tannery Row', 'Flat 1, 20 Tannery Row']);
  });

  test('they stand as along the street: by number, named premises last, flats in their order', () => {
    const lines = ['Flat 10, 20 Row', '10 Row', 'Flat 2, 20 Row', '2 Row', 'The Barn, Row', '10A Row'];
    expect(orderResults(lines.map(row)).map(({ line }) => line)).toEqual([
      '2 Row',
      '10 Row',
      '10A Row',
      'Flat 2, 20 Row',
      'Flat 10, 20 Row',
      'The Barn, Row',
    ]);
  });

  test('nothing is taken off one row, equal rows keep their first part, and others nothing in common keep all', () => {
    expect(sharedEnd([row('2 Tannery Row, Hereford')])).toBe('');
    expect(sharedEnd([row('A, B'), row('A, B')])).toBe('B');
    expect(sharedEnd([row('A, B'), row('A, C')])).toBe('');
    expect(sharedEnd([row('B'), row('A, B')])).toBe('');
    expect(withoutEnd('Row, B', '')).toBe('Row, B');
  });

  test('an organisation is told by the fields beside the line, never by the line alone', () => {
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
