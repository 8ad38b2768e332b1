import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeText, parseJson, parseJsonTexts, type TextJson } from '../../../electron/core/rest/json-text.ts';
import { errorOfBody, formatWait, summarise } from '../../../electron/core/rest/refusals.ts';
import { readMeaning } from '../../../electron/core/rest/transform.ts';
import { readCredits, readGeoData, readPremise, readSearch } from '../../../electron/core/rest/wire.ts';
import { textOf } from '../../../shared/domain/address/address.ts';

const texts = (value: unknown): TextJson => parseJsonTexts(JSON.stringify(value));

describe('digits', () => {
  test('are kept, however many', () => {
    const text = '{"id":12345678901234567890,"big":-98765432109876543210,"lat":51.50,"n":3,"s":"00123456","e":1e3}';
    expect(parseJson(text)).toEqual({
      id: '12345678901234567890',
      big: '-98765432109876543210',
      lat: 51.5,
      n: 3,
      s: '00123456',
      e: 1000,
    });
    expect(parseJsonTexts(text)).toEqual({
      id: '12345678901234567890',
      big: '-98765432109876543210',
      lat: '51.50',
      n: '3',
      s: '00123456',
      e: '1e3',
    });
  });
  test('any other JSON is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!/\d{16}/.test(text));
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });
});

test.each<[string, Uint8Array, string]>([
  ['UTF-8', Buffer.from('{"a":"ŵ"}'), ''],
  ['UTF-8 with mark', Buffer.from('\ufeff{"a":"ŵ"}'), ''],
  ['UTF-16 LE with mark', Buffer.from('\ufeff{"a":"ŵ"}', 'utf16le'), 'application/json; charset=utf-8'],
  ['UTF-16 BE with mark', Buffer.from('\ufeff{"a":"ŵ"}', 'utf16le').swap16(), ''],
  ['UTF-16 LE without mark', Buffer.from('{"a":"ŵ"}', 'utf16le'), ''],
  ['UTF-16 BE without mark', Buffer.from('{"a":"ŵ"}', 'utf16le').swap16(), ''],
  ['an unknown charset', Buffer.from('{"a":"ŵ"}'), 'application/json; charset=klingon'],
])('reads %s', (_name, bytes, type) => {
  expect(decodeText(bytes, type)).toBe('{"a":"ŵ"}');
});

test('reads a declared charset, and shows bad bytes', () => {
  expect(decodeText(Buffer.from('{"a":"é"}', 'latin1'), 'application/json; charset="ISO-8859-1"')).toBe('{"a":"é"}');
  expect(decodeText(Buffer.from([0x22, 0xff, 0x22]), '')).toBe('"\ufffd"');
});

describe('the shape is recognised by the answer', () => {
  test.each([
    ['A in item', { item: { id: '1', postalCode: 'X' } }, 'A'],
    ['B in premise', { premise: { id: '1', postcode: 'X' } }, 'B'],
    ['A in the other wrapper', { premise: { id: '1', city: 'X', postalCode: 'Y' } }, 'A'],
    ['B in the other wrapper', { item: { id: '1', town: 'X', postcode: 'Y' } }, 'B'],
    ['only common fields: the wrapper', { premise: { id: '1', street: 'X' } }, 'B'],
    ['no wrapper', { id: '1', line1: 'X' }, 'A'],
    ['no wrapper, B', { id: '1', latitude: 51, town: 'X' }, 'B'],
    ['other letter case', { Item: { Id: '1', PostalCode: 'X' } }, 'A'],
    ['a list of one', { premise: [{ id: '1', town: 'X' }] }, 'B'],
    ['beside an empty wrapper', { item: {}, premise: { id: '1', town: 'X' } }, 'B'],
    ['beside an empty list', { item: [], premise: { id: '1', town: 'X' } }, 'B'],
    ['beside an empty record', { item: { id: '1', city: 'X' }, premise: { id: '', town: '' } }, 'A'],
  ])('GetPremise: %s', (_name, value, shape) => {
    expect(readPremise(texts(value))).toMatchObject({ shape, fields: { id: '1' } });
  });

  test('published spelling wins; unknown fields are kept; nothing is coerced', () => {
    const found = readPremise(texts({ Item: { ID: 7, POSTALCODE: 'X', extra: { a: [1] }, uprn: null, flag: true } }));
    expect(found).toEqual({
      shape: 'A',
      fields: { id: '7', postalCode: 'X', extra: '{"a":["1"]}', uprn: '', flag: 'true' },
    });
  });

  test('an empty record means nothing found; something else is unreadable', () => {
    for (const value of [
      { item: null },
      { premise: null },
      { item: {} },
      { item: [] },
      [],
      { item: { id: '', buildingNumber: 0, lat: '' } },
      { item: { id: '99999999', udprn: '99999999', buildingNumber: 0, street: '', countryIso2: 'GB' } },
      { premise: { id: '99999999', street: '', latitude: 0, country: 'England' } },
    ]) {
      expect(readPremise(texts(value)), JSON.stringify(value)).toBe('empty');
    }
    expect(readPremise(texts({ item: {}, premise: null }))).toBe('empty');
    // What cannot be read beside an empty wrapper may be the record.
    const unread = { item: {}, premise: 'see attachment' };
    for (const value of [{}, 'x', 7, null, { results: [] }, { item: [{ id: 1 }, { id: 2 }] }, unread]) {
      expect(readPremise(texts(value)), JSON.stringify(value)).toBeNull();
    }
  });

  test('GetPremiseGeoData', () => {
    expect(readGeoData(texts({ item: { id: '1', lat: '', long: 0, uprn: '' } }))).toMatchObject({ shape: 'A' });
    expect(readGeoData(texts({ item: { id: '1', lat: '51', long: '0', uprn: '9', udprn: '8' } }))).toMatchObject({
      shape: 'A',
    });
    expect(readGeoData(texts({ geoData: { premiseId: '1', latitude: 51.25, eastings: 1 } }))).toMatchObject({
      shape: 'B',
      fields: { premiseId: '1', latitude: '51.25', eastings: '1' },
    });
  });

  test('GetCredits', () => {
    const balance = (value: unknown) => {
      const meaning = readMeaning('GetCredits', texts(value));
      return meaning?.kind === 'balance' ? meaning.balance : meaning;
    };
    expect(balance({ credits: 4999 })).toMatchObject({ shape: 'A', credits: 4999, used: null, expiryDate: null });
    expect(balance({ credits: '4999' })).toMatchObject({ shape: 'A', credits: 4999 });
    expect(balance({ Credits: { remaining: 5, used: '6', total: 11, expiryDate: '2027-01-31', plan: 'x' } })).toEqual({
      shape: 'B',
      credits: 5,
      used: 6,
      total: 11,
      expiryDate: '2027-01-31',
      other: [{ name: 'plan', value: 'x' }],
    });
    for (const [text, credits] of Object.entries({
      '1,500': 1500,
      '-1,234,567.5': -1_234_567.5,
      '12.25': 12.25,
      '2450.000': 2450,
      '0.125': 0.125,
      '1,234.500': 1234.5,
      '1.500': null,
      '1.500.000': null,
      '1,50': null,
      '1500,000': null,
      plenty: null,
    }))
      expect(balance({ credits: text }), text).toMatchObject({ credits });
    expect(balance({ remaining: 3 })).toMatchObject({ shape: 'B', credits: 3 });
    expect(readCredits(texts({}))).toBeNull();
    expect(readCredits(texts({ credits: null }))).toBeNull();
  });

  test('Search takes whichever list has rows', () => {
    const rows = [{ key: '01', text: 'A', type: 'Premise' }];
    for (const value of [
      { results: [], items: rows },
      { results: null, items: rows },
    ])
      expect(readSearch(texts(value))).toMatchObject({ form: 'phrase', absent: false, items: [{ key: '01' }] });
    expect(readSearch(texts({ results: [{ id: '01', address: 'A' }], items: [] }))).toMatchObject({ form: 'query' });
    expect(readSearch(texts({ results: [], items: [] }))).toMatchObject({ form: 'query', items: [] });
  });

  test('Search in both forms', () => {
    const query = readMeaning('Search', texts({ results: [{ id: '01', address: 'A', type: 'x' }], totalResults: '5' }));
    expect(query).toMatchObject({
      shape: 'query',
      search: { total: 5, items: [{ premiseId: '01', line: 'A', kind: 'premise', other: { type: 'x' } }] },
    });
    const phrase = readMeaning(
      'Search',
      texts({
        items: [
          { key: '01', text: 'A', type: 'Premise' },
          { key: 'g', text: 'B', type: 'Group' },
          { key: 'h', text: 'C' },
        ],
      }),
    );
    expect(phrase).toMatchObject({
      shape: 'phrase',
      search: { total: null, items: [{ premiseId: '01', kind: 'premise' }, { kind: 'group' }, { kind: 'premise' }] },
    });
    expect(readSearch(texts({ items: [{ id: '1', address: 'A' }] }))?.form).toBe('query');
    expect(readSearch(texts({ results: [] }))).toMatchObject({ form: 'query', items: [], absent: false });
    expect(readSearch(texts({ items: [] }))).toMatchObject({ form: 'phrase' });
    expect(readSearch(texts({ results: null }))).toMatchObject({ items: [], absent: true });
    expect(readSearch(texts({ results: 'x' }))).toBeNull();
    expect(readSearch(texts({ results: [null, 3, { id: '1' }] }))?.items).toHaveLength(1);
    expect(readSearch(texts({ results: ['12 Mill Lane'] }))).toBeNull();
    expect(
      readSearch(texts({ results: [{ id: '1', buildingNumber: 4, street: 'S', town: 'T' }] }))?.items,
    ).toHaveLength(1);
  });

  test.each([
    ['1,234', 1234, ''],
    ['1234.0', 1234, ''],
    ['1.234e3', 1234, ''],
    [' 7 ', 7, ''],
    ['', null, ''],
    ['1.5', null, '1.5'],
    ['12,34', null, '12,34'],
    ['-1', null, '-1'],
    ['over 100', null, 'over 100'],
  ])('totalResults %j', (totalResults, total, oddTotal) => {
    const meaning = readMeaning('Search', { results: [{ id: '1', address: 'A' }], totalResults });
    expect(meaning).toMatchObject({ search: { total }, oddTotal });
  });

  test('a row without its combined line gets one from its parts', () => {
    const meaning = readMeaning(
      'Search',
      texts({ results: [{ id: '1', buildingNumber: 4, street: 'Mill Lane', town: 'Ely', postcode: 'CB7 4AA' }] }),
    );
    expect(meaning?.kind === 'search' && meaning.search.items[0]?.line).toBe('4, Mill Lane, Ely, CB7 4AA');
  });

  test('no JSON makes a reader throw', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom('Search', 'GetPremise', 'GetPremiseGeoData', 'GetCredits'),
        (value, endpoint) => {
          for (const wrapped of [
            value,
            { item: value },
            { premise: value },
            { geoData: value },
            { results: value },
            { items: value },
            { credits: value },
          ]) {
            readMeaning(endpoint, texts(wrapped));
            errorOfBody(texts(wrapped), {}, 'Search');
          }
        },
      ),
    );
  });
});

test('coordinates keep the digits they came with', () => {
  const meaning = readMeaning(
    'GetPremise',
    parseJsonTexts('{"premise":{"id":"1","latitude":51.50,"longitude":-0.10,"town":"X"}}'),
  );
  expect(meaning?.kind === 'address' && textOf(meaning.address, 'latitude')).toBe('51.50');
});

describe('an error in the body', () => {
  test.each([
    [{ error: 'No credits left' }, 'service-error', 'No credits left'],
    [{ error: { code: 'x', message: 'Bad' } }, 'service-error', 'x; Bad'],
    [{ errors: [{ detail: 'One' }, 'Two'] }, 'service-error', 'One; Two'],
    [{ Message: 'Authorization denied' }, 'service-error', 'Authorization denied'],
    [{ status: 402, title: 'Payment' }, 'no-credits', 'The answer names HTTP 402: Payment'],
    [{ error: { code: 401, message: 'Who?' } }, 'credentials-refused', 'The answer names HTTP 401: 401; Who?'],
  ])('%j', (body, code, detail) => {
    expect(errorOfBody(texts(body), {}, 'Search')).toMatchObject({ code, detail });
  });
  test('none', () => {
    expect(errorOfBody(texts({ results: [] }), {}, 'Search')).toBeUndefined();
    expect(errorOfBody(texts({ status: 'ok', message: '' }), {}, 'Search')).toBeUndefined();
  });
});

test('Retry-After in words', () => {
  const now = new Date('2026-05-01T12:00:00Z');
  expect(formatWait('1', now)).toBe('Ask again in 1 second.');
  expect(formatWait('30', now)).toBe('Ask again in 30 seconds.');
  expect(formatWait('600', now)).toBe('Ask again in 10 minutes.');
  expect(formatWait('7200', now)).toBe('Ask again in 2 hours.');
  expect(formatWait('Fri, 01 May 2026 12:05:00 GMT', now)).toBe('Ask again in 5 minutes.');
  // Not seconds and not a date: what a lenient reader takes for one lies in the past, and would be asked again at once.
  // The last date that a clock knows is none a second later.
  for (const odd of ['soon', '1.5', '-5', '5, 10', '60 seconds', '12345678901', 'Sat, 13 Sep 275760 00:00:00 GMT'])
    expect(formatWait(odd, now)).toBe('Wait, then ask again.');
  expect(formatWait(undefined, now)).toBe('Wait, then ask again.');
});

test('a page in words', () => {
  expect(summarise('<html><script>x()</script><title>Sign in</title>\n<p>to the  network</p>')).toBe(
    'Sign in to the network',
  );
});
