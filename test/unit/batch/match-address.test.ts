import { expect, test } from 'vitest';
import { matchAddress } from '../../../electron/core/batch/match/match-address.ts';

const postcode = 'HR10 2DT';
const list = (namesFlats: boolean, ...lines: string[]) =>
  lines.map((line, index) => ({ premiseId: String(index), line: `${line}, Hereford, ${postcode}`, namesFlats }));

const ask = (premise: string, candidates = list(true), more: { organisation?: string; town?: string } = {}) =>
  matchAddress({ organisation: '', town: 'Hereford', postcode, premise, ...more }, candidates);

test('an answer without a premise has no match', () => {
  expect(ask('2 Tannery Row')).toEqual({ result: 'none', reason: 'none', notUsed: [], fitting: [] });
});

test('given words that were not used are named as written, and words that were not given beside them', () => {
  const outcome = ask('Rear door, 6 Tannery Row', list(true, 'Weir End Upholstery, 6 Tannery Row, Bartonsham Mead'), {
    town: 'Herefrod',
  });
  expect(outcome).toMatchObject({ result: 'differs', reason: 'differs-words', notUsed: ['Rear', 'door', 'Herefrod'] });
  expect(outcome.fitting[0]?.notGiven).toEqual(['Weir', 'End', 'Upholstery', 'Bartonsham', 'Mead']);
});

test('a flat is not exact in a list that names no flats, and the possible premise is named', () => {
  const rest = list(false, '20 Tannery Row', '22 Tannery Row');
  expect(ask('Flat 2, 20 Tannery Row', rest)).toMatchObject({
    result: 'differs',
    reason: 'flat-not-known',
    fitting: [{ candidate: { premiseId: '0' } }],
  });
  expect(ask('Flat 2, 20 Tannery Row', list(false, '20 Tannery Row', '20 Tannery Row'))).toMatchObject({
    result: 'several',
  });
  expect(ask('20 Tannery Row', rest)).toMatchObject({ result: 'exact' });
  expect(ask('Flat 2, 20 Tannery Row', list(true, '20 Tannery Row'))).toMatchObject({ reason: 'not-found-flat' });
});

test('flats that cannot be distinguished are several, and a range contains its numbers without being one of them', () => {
  expect(ask('20 Tannery Row', list(true, 'Flat 1, 20 Tannery Row', 'Flat 2, 20 Tannery Row'))).toMatchObject({
    result: 'several',
    reason: 'several-flats',
    fitting: [{}, {}],
  });
  const range = list(true, '12-16 Tannery Row');
  expect(['12', '14', '16', '13', '18', '12A'].map((number) => ask(`${number} Tannery Row`, range).reason)).toEqual([
    'differs-number',
    'differs-number',
    'differs-number',
    'not-found-number',
    'not-found-number',
    'not-found-number',
  ]);
});

test('a range is one with whichever hyphen or dash it is written', () => {
  for (const dash of '‐‑‒–—−')
    for (const [given, known] of [
      [`12${dash}14`, '12-14'],
      ['12-14', `12${dash}14`],
    ])
      expect(ask(`${given} High Street`, list(true, `${known} High Street`)).result, dash).toBe('exact');
  expect(ask('Flat 3 — 12 High Street', list(true, 'Flat 3, 12 High Street')).result).toBe('exact');
});

test('two numbers with a slash are never exactly a range, and no number lies within them', () => {
  const find = (premise: string, ...lines: string[]) => {
    const { result, reason, notUsed, fitting } = ask(premise, list(true, ...lines));
    return [result, reason, ...notUsed, ...fitting.map(({ candidate }) => candidate.premiseId)];
  };
  for (const [given, known] of [
    ['12/14', '12-14'],
    ['12-14', '12/14'],
    ['12 / 14', '12–14'],
  ] as const) {
    expect(find(`${given} Leith Walk`, `${known} Leith Walk`, 'Flat 14, 12 Leith Walk'), given).toEqual([
      'differs',
      'differs-words',
      given.replaceAll(' ', ''),
      '0',
    ]);
    expect(find(`${given} Leith Walk`, `${known} Leith Walk`, `${given} Leith Walk`), given).toEqual([
      'exact',
      'exact',
      '1',
    ]);
  }
  for (const row of ['Flat 1/2, 12/14', 'Flat 1-2, 12-14', '1-2, 12-14', 'Flat 2/1, 12/14'])
    expect(find(`${row} High Street`, 'Flat 1/2, 12-14 High Street', 'Flat 2/1, 12-14 High Street')[0], row).toBe(
      'differs',
    );
  for (const number of ['13', '14', '15'])
    expect(find(`${number} Leith Walk`, '12/14 Leith Walk', '12/15 Leith Walk')).toEqual([
      'premise-not-found',
      'not-found-number',
    ]);
});

test('flats of a Scottish stair agree or are absent, with and without the word', () => {
  const stair = list(true, '1F1, 20 Tannery Row', '1F2, 20 Tannery Row', 'Flat 2F2, 20 Tannery Row');
  for (const given of ['1F2, 20 Tannery Row', '1f2 20 Tannery Row', '20 (1F2) Tannery Row', 'Flat 1F2, 20 Tannery Row'])
    expect(ask(given, stair), given).toMatchObject({ result: 'exact', fitting: [{ candidate: { premiseId: '1' } }] });
  expect(ask('2F2, 20 Tannery Row', stair)).toMatchObject({ result: 'exact' });
  for (const given of ['2F1', 'Flat 2F1', '3F1', 'Flat 3', 'GF1', '1FL'])
    expect(ask(`${given}, 20 Tannery Row`, stair).reason, given).toBe('not-found-flat');
  expect(ask('PF2, 20 Tannery Row', list(true, 'PF1, 20 Tannery Row')).reason).toBe('not-found-flat');
  expect(ask('Flat 3F1, 20 Tannery Row', list(true, 'Flat 3, 20 Tannery Row')).reason).toBe('not-found-flat');
  expect(ask('20 Tannery Row', stair)).toMatchObject({ reason: 'several-flats' });
  expect(ask('2F1, 20 Tannery Row', list(false, '20 Tannery Row'))).toMatchObject({ reason: 'flat-not-known' });
  // The letter of a house.
  expect(ask('2F Tannery Row', list(true, '2F Tannery Row'))).toMatchObject({ result: 'exact' });
});

test('a number belongs to its own street and not to cottages on it, and a flat of no named house is not exact', () => {
  const lane = list(true, '2 Weir Cottages, Mill Lane', 'Flat 8, Capstan House, 8 Ropery Quay');
  expect(ask('2 Mill Lane', lane)).toMatchObject({ result: 'premise-not-found' });
  expect(ask('2 Weir Cottages', lane)).toMatchObject({ result: 'exact' });
  expect(ask('Flat 8, Ropery Quay', lane)).toMatchObject({ result: 'differs' });
});

test('the street of a flat is no name of it: a house that is not in the list is not found there, and a bare street means none', () => {
  for (const namesFlats of [true, false]) {
    const lane = list(
      namesFlats,
      'Flat 3, Mill House, Brewery Lane',
      'Rose Cottage, Brewery Lane',
      'Mill House, Brewery Lane',
    );
    const find = (premise: string, candidates = lane.slice(0, 2), organisation = '') => {
      const { result, reason, fitting } = ask(premise, candidates, { organisation });
      return [result, reason, ...fitting.map(({ candidate }) => candidate.premiseId)];
    };
    expect(find('Lily Cottage, Brewery Lane')).toEqual(['premise-not-found', 'not-found-premise']);
    expect(find('Brewery Lane')).toEqual(['several', 'premise-not-given', '0', '1']);
    expect(find('', undefined, 'Brewery Lane')).toEqual(['several', 'premise-not-given', '0', '1']);
    expect(find('Brewery Lane', lane.slice(0, 1))).toEqual(['differs', 'premise-not-given', '0']);
    expect(find('Mill House, Brewery Lane')).toEqual(['differs', 'flat-not-given', '0']);
    expect(find('Flat 3, Mill House', lane)).toEqual(['exact', 'exact', '0']);
    const units = list(namesFlats, 'Weir End, Unit 4, Tannery Yard, Mill Lane', 'Rose Cottage, Mill Lane');
    for (const organisation of ['', 'Weir End'])
      expect(find('Tannery Yard', units, organisation)).toEqual(['differs', 'flat-not-given', '0']);
    expect(find('Mill Lane', units)).toEqual(['several', 'premise-not-given', '0', '1']);
  }
});

test('a unit that was not given makes another premise, as a flat does, and an organisation none', () => {
  const units = [
    ...['The Flat', 'Flat Over', 'Penthouse', 'Annexe', 'Lower Ground', '1st & 2nd Floors', 'Garage', 'Rear Of'],
    ...['Land Adjacent To', 'Shop', 'Weir End, The Flat'],
  ];
  for (const unit of units)
    for (const namesFlats of [true, false]) {
      const street = list(namesFlats, `${unit}, 12 High Street`, '14 High Street');
      expect(ask('12 High Street', street), unit).toMatchObject({ result: 'differs', reason: 'name-not-whole' });
      expect(ask(`${unit}, 12 High Street`, street), unit).toMatchObject({ result: 'exact' });
      expect(ask('12 High Street', [...street, ...list(namesFlats, '12 High Street')]), unit).toMatchObject({
        result: 'exact',
        notUsed: [],
        fitting: [{ notGiven: [] }],
      });
    }
  expect(ask('Mill House', list(true, 'The Flat, Mill House, Mill Lane')).result).not.toBe('exact');
  for (const line of ['Weir End, 12 High Street', 'Garage Weir End, 12 High Street', '12 High Street, Over'])
    expect(ask('12 High Street', list(true, line)), line).toMatchObject({ result: 'exact' });
});

test('the same words and numbers in another order are another premise', () => {
  const pairs: [given: string, line: string, result: string][] = [
    ['1 Kings Court, 3 High Street', '3 Kings Court, 1 High Street', 'differs'],
    ['1 Kings Court 3 High Street', '3 Kings Court, 1 High Street', 'differs'],
    ['Flat 2, 3 Kings Court, 5 High Street', 'Flat 2, 5 Kings Court, 3 High Street', 'differs'],
    ['Block 2, 5 Mill Lane', 'Block 5, 2 Mill Lane', 'differs'],
    ['3 Church Farm Cottages, Mill Lane', '3 Mill Farm Cottages, Church Lane', 'differs'],
    ['3 Church Farm Cottages Mill Lane', '3 Mill Farm Cottages, Church Lane', 'differs'],
    ['Church House, Mill Lane', 'Mill House, Church Lane', 'differs'],
    ['12 Grove Park', '12 Park Grove', 'differs'],
    ['1 Kings Court, 1 High Street', '1 Kings Court, 3 High Street', 'premise-not-found'],
    ['12½ High Street', '121 High Street, 2 Bye Street', 'premise-not-found'],
    // The same premise, its parts in another order or without commas.
    ['3 High Street, 1 Kings Court', '1 Kings Court, 3 High Street', 'exact'],
    ['1 Kings Court 3 High Street', '1 Kings Court, 3 High Street', 'exact'],
    ['Mill Lane, Mill House', 'Mill House, Mill Lane', 'exact'],
    ['12½ High Street', '12½ High Street', 'exact'],
  ];
  for (const [given, line, result] of pairs)
    expect(`${given} in ${line}: ${ask(given, list(true, line)).result}`).toBe(`${given} in ${line}: ${result}`);
  expect(ask('12 Grove Park', list(true, '12 Park Grove')).reason).toBe('differs-order');
});

test('a number in the name of an organisation is no house number, and a name that reads as a flat none', () => {
  const street = list(true, 'Forever 21, 12 Tannery Row', 'Weir End, 12 Tannery Row', '21 Tannery Row');
  const at = (organisation: string, premise: string, candidates = street) => {
    const { result, fitting } = ask(premise, candidates, { organisation });
    return [result, ...fitting.map(({ candidate }) => candidate.premiseId)];
  };
  expect(at('Forever 21', '12 Tannery Row')).toEqual(['exact', '0']);
  expect(at('FOREVER 21', '21 Tannery Row')).toEqual(['premise-not-found']);
  expect(at('Forever 21', '14 Tannery Row')).toEqual(['premise-not-found']);
  expect(at('Forever 21 Ltd', '12 Tannery Row', street.slice(0, 1))).toEqual(['differs', '0']);
  for (const name of ['7-Eleven', '3M UK', '99p Stores', 'Bar 12', 'Route 66 Diner', 'Studio 54', 'Unit 4 Design'])
    expect(at(name, '12 Tannery Row', list(true, `${name}, 12 Tannery Row`, '12 Tannery Row')), name).toEqual([
      'exact',
      '0',
    ]);
  // Where the premise says it too it is the premise’s.
  const units = list(true, 'Unit 3, 12 Tannery Row', 'Unit 4, 12 Tannery Row');
  for (const premise of ['Unit 3, 12 Tannery Row', 'Unit 3 12 Tannery Row']) {
    expect(at('Unit 3', premise, units)).toEqual(['differs', '0']);
    expect(at('Unit 3', premise, units.slice(1))).toEqual(['premise-not-found']);
  }
  expect(at('12 Tannery Row', '12 Tannery Row', list(true, '12 Tannery Row'))).toEqual(['differs', '0']);
  const found = (organisation: string) =>
    matchAddress(
      { organisation, premise: '', town: 'Hereford', postcode: '' },
      list(true, 'Store 24, 12 Tannery Row', 'Store 25, 13 Tannery Row'),
    );
  expect(found('Store 24')).toMatchObject({ result: 'exact', fitting: [{ candidate: { premiseId: '0' } }] });
  expect(found('Store 26').result).toBe('premise-not-found');
});

test('a line in another postcode is ruled out, also where a country is behind it', () => {
  for (const country of ['', ', United Kingdom', ' UK', ', Wales.'])
    for (const [at, result] of Object.entries({ 'HR1 1AA': 'premise-not-found', [postcode]: 'exact' }))
      expect(
        ask('12 High Street', [{ premiseId: '0', line: `12 High Street, Hereford, ${at}${country}`, namesFlats: true }])
          .result,
        `${at}${country}`,
      ).toBe(result);
});

test('a premise that names another postcode than its row is not exact, and the postcode is named', () => {
  const [line] = list(true, '12 High Street');
  expect(ask('12 High Street, HR1 1AA', line ? [line] : [])).toMatchObject({
    result: 'differs',
    reason: 'differs-words',
    notUsed: ['HR11AA'],
  });
  expect(ask('12 High Street, hr102dt', line ? [line] : []).result).toBe('exact');
});

test('what is read differently from how it is written is never exact, and its words are among those not used', () => {
  const flats = list(
    true,
    'Ground Floor Flat, 31 Mill Road',
    'Flat B, 37 Mill Road',
    'Flat 5, Priory Court, Mill Road',
    'Apartment 06, Priory Court, Mill Road',
  );
  for (const [given, fitting, notUsed] of [
    ['GFF, 31 Mill Road', '0', ['GFF']],
    ['thirty-seven Mill Road, Flat B', '1', ['thirty', 'seven']],
    ['37B Mill Road', '1', ['37b']],
    ['5 Priory Court', '2', ['5']],
    ['Flat B, 037 Mill Road', '1', ['037']],
    ['Flat 05, Priory Court', '2', ['Flat 05']],
    ['Flat 6, Priory Court', '3', ['Flat 6']],
  ] as const)
    expect(ask(given, flats), given).toMatchObject({
      result: 'differs',
      notUsed,
      fitting: [{ candidate: { premiseId: fitting } }],
    });
  expect(ask('Apartment 06, Priory Court', flats)).toMatchObject({ result: 'exact' });
  expect(ask('Flat 60, Priory Court', flats)).toMatchObject({ result: 'premise-not-found' });
  expect(ask('37C Mill Road', flats)).toMatchObject({ result: 'premise-not-found' });
  expect(ask('5 Mill Road', flats)).toMatchObject({ result: 'premise-not-found' });
});

test('without a postcode the town decides', () => {
  const found = (town: string) =>
    matchAddress({ organisation: 'Weir End', premise: '', town, postcode: '' }, list(true, 'Weir End, 6 Tannery Row'))
      .result;
  expect(found('Hereford')).toBe('exact');
  expect(found('Kendal')).toBe('premise-not-found');
});

test('an organisation alone does not say which of its premises is meant', () => {
  const list = [
    'Weir End, PO Box 42, Hereford, HR10 0BB',
    'Weir End, 6 Tannery Row, Hereford, HR10 2DT',
    'Weir End, Unit 3, Tannery Yard, Hereford, HR10 2DT',
  ].map((line) => ({ premiseId: line, line, namesFlats: true }));
  const row = { organisation: 'Weir End', premise: '', town: 'Hereford', postcode: '' };
  expect(matchAddress(row, list).fitting).toHaveLength(3);
  expect(matchAddress(row, list.slice(0, 2))).toMatchObject({ result: 'several', reason: 'several-premises' });
  expect(matchAddress({ ...row, postcode }, list.slice(1))).toMatchObject({ result: 'several' });
  expect(matchAddress({ ...row, premise: 'Tannery Row' }, list)).toMatchObject({ result: 'exact' });
  expect(matchAddress({ ...row, premise: 'PO Box 42' }, list)).toMatchObject({ result: 'exact' });
  const house = ['Kingfisher', 'Flat 2, Kingfisher'].map((name) => `Weir End, ${name}, Mill Lane, Hereford, HR10 2DT`);
  const houses = house.map((line) => ({ premiseId: line, line, namesFlats: true }));
  expect(matchAddress({ ...row, premise: 'Kingfisher' }, houses)).toMatchObject({ result: 'exact' });
});

test('a town is looked for at the end of a line, and a street that is called as one is not in it', () => {
  const find = (organisation: string, town: string, ...lines: string[]) => findAt(organisation, '', town, ...lines);
  const findAt = (organisation: string, premise: string, town: string, ...lines: string[]) => {
    const candidates = lines.map((line, index) => ({
      premiseId: String(index),
      line: `${line}, NR1 1AA`,
      namesFlats: true,
    }));
    const { result, reason, fitting } = matchAddress({ organisation, premise, town, postcode: '' }, candidates);
    return [result === 'differs' ? reason : result, ...fitting.map(({ candidate }) => candidate.premiseId)];
  };
  const none = ['premise-not-found'];
  expect(find('Weir End', 'Broadway', 'Weir End, 12 The Broadway, London')).toEqual(none);
  expect(find('Weir End', 'Street', 'Weir End, 12 The Street, Norwich')).toEqual(none);
  expect(find('Weir End', 'Bath', 'Weir End, 1 Bath Street, Bristol')).toEqual(none);
  expect(find('Weir End', 'Ash', 'Weir End, The Ash, 2 Low Road, Bristol')).toEqual(none);
  expect(find('Weir End', 'Broadway', 'Weir End, Unit 3, The Broadway, London')).toEqual(none);
  expect(find('Weir End', 'Broadway', 'Weir End, 1 Kings Court, 3 Broadway, London')).toEqual(none);
  // One that is there comes before a locality of the name, and that is not called exact: it may be a street as well.
  const broadway = 'Weir End, 3 High Street, Broadway';
  expect(find('Weir End', 'Broadway', 'Weir End, 12 The Broadway, London', broadway)).toEqual(['exact', '1']);
  expect(find('Weir End', 'Ash', 'Weir End, 12 High Street, Ash, Canterbury')).toEqual(['differs-town', '0']);
  expect(find('Weir End', 'Ash', 'Weir End, 12 High Street, Ash, Canterbury', 'Weir End, 2 Low Road, Ash')).toEqual([
    'exact',
    '1',
  ]);
  expect(find('Weir End', 'Ash, Canterbury', 'Weir End, 12 High Street, Ash, Canterbury')).toEqual(['exact', '0']);
  for (const county of [
    'Worcestershire',
    'Herefs',
    'County Broadway',
    'Tyne and Wear',
    'Isle of Wight',
    'Fife',
    'Angus',
    'East Lothian',
    'Isle of Anglesey',
  ])
    for (const line of [broadway, 'Weir End, Broadway'])
      expect(find('Weir End', 'Broadway', `${line}, ${county}`), county).toEqual(['exact', '0']);
  expect(find('Weir End', 'Broadway, Worcs', `${broadway}, Worcs`)).toEqual(['exact', '0']);
  expect(find('Weir End', 'Broadway, Worcs', 'Weir End, 12 The Broadway, Worcester, Worcs')).toEqual(none);
  expect(find('Weir End', 'Bristol', 'Weir End, 1 Bristol Street, Bristol')).toEqual(['exact', '0']);
  expect(find('Weir End', 'Newport', 'Weir End, 3 High Street, Newport Pagnell')).toEqual(['differs-town', '0']);
  expect(findAt('Weir End', '3 High Street', 'Newport', 'Weir End, 3 High Street, Newport Pagnell')).toEqual([
    'differs-town',
    '0',
  ]);
  expect(findAt('Weir End', '3 Broadway', 'Broadway', 'Weir End, 3 Broadway, London')).toEqual(none);
  expect(find('Hereford Glass', 'Hereford', 'Hereford Glass, Hereford')).toEqual(['exact', '0']);
  expect(find('Hereford Glass', 'Hereford', 'Hereford Glass, 1 Low Road, Leominster')).toEqual(none);
});

test('no text of a service or a person makes it fail', () => {
  for (const line of ['', ',', ', ,', '🏠', '-', '12-', '/', "'", 'Flat', 'PO Box', '1 2 3 4', 'x'.repeat(5000)])
    for (const given of ['', ',', 'Flat', 'flat flat', '12 - A', '¼', 'x '.repeat(2000)]) {
      const outcome = ask(given, [{ premiseId: '1', line, namesFlats: true }]);
      expect(outcome.fitting.length).toBeLessThanOrEqual(1);
      if (!/\d/.test(given)) expect(outcome.result, `${given} in ${line}`).not.toBe('exact');
    }
});
