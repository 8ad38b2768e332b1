import { describe, expect, it, test } from 'vitest';
import { holdsLicence, isSameHolding, isSameLicence } from '../../electron/core/licences/licence-ids.ts';
import { readExpiry } from '../../electron/core/licences/read-expiry.ts';
import { readHoldings, readLicenceRecords } from '../../electron/core/licences/read-holdings.ts';
import { readLicence } from '../../electron/core/licences/read-licence.ts';
import { countSeats, countSeatsByType, isExpired } from '../../electron/core/licences/seats.ts';
import { readServiceWords } from '../../electron/core/licences/service-words.ts';
import type { RecordValue } from '../../shared/catalogue/records.ts';
import { makeLicence } from '../helpers/licence-service.ts';

describe('the expiry date', () => {
  test.each([
    ['2027-03-31', '2027-03-31'],
    ['2027-03-31T00:00:00', '2027-03-31'],
    ['2027-03-31T23:59:59.999Z', '2027-03-31'],
    ['2027-03-31T00:00:00+01:00', '2027-03-31'],
    ['2027-03-31 10:15', '2027-03-31'],
    ['2027/03/31', '2027-03-31'],
    ['31/03/2027', '2027-03-31'],
    ['31/03/2027 00:00:00', '2027-03-31'],
    ['31/03/2027 12:00:00 AM', '2027-03-31'],
    ['1/4/2027', '2027-04-01'],
    ['03/04/2027', '2027-04-03'],
    ['31.03.2027', '2027-03-31'],
    ['31-Mar-2027', '2027-03-31'],
    ['31 Mar 2027', '2027-03-31'],
    ['31 MARCH 2027', '2027-03-31'],
    ['1st September 2027', '2027-09-01'],
    ['1 Sept 2027', '2027-09-01'],
    ['20270331', '2027-03-31'],
    ['29/02/2028', '2028-02-29'],
    [' 31/03/2027 ', '2027-03-31'],
    ['/Date(1806447600000)/', '2027-03-31'],
    ['/Date(1806447600000+0100)/', '2027-03-31'],
  ])('%s is %s', (text, day) => expect(readExpiry(text)).toBe(day));

  test.each([
    '31.02.2027',
    '29/02/2027',
    '2027-13-01',
    '04/25/2027',
    '00/01/2027',
    '31 Marble 2027',
    '31 Ma 2027',
    '',
    'never',
    '31/03/27',
    '0001-01-01T00:00:00',
    '1/1/0001 00:00:00',
    '2027',
    '/Date(99999999999999999)/',
    '31/03/2027 and a bit',
  ])('%s is no date', (text) => expect(readExpiry(text)).toBeNull());
});

describe('a licence', () => {
  it('keeps the texts as they came and the GUID by its last four characters only', () => {
    const licence = readLicence(makeLicence('20418', { Status: ' ? ', ExpiryDate: '31.02.2027' }));
    expect(licence).toMatchObject({ status: ' ? ', expiryDate: '31.02.2027', expiresOn: null, guidLastFour: 'a93c' });
    expect(JSON.stringify(licence)).not.toContain('6f9619ff');
  });

  test.each([
    ['12', 12],
    ['0', 0],
    [' 3 ', 3],
    ['True', null],
    ['Y', null],
    ['1.5', null],
    ['-1', null],
    ['', null],
    ['1,200', null],
  ])('takes %j for %j seats', (text, seats) => {
    const licence = readLicence(makeLicence('1', { LicenseInUse: text, Available: text }));
    expect([licence.seatsUsed, licence.seatsFree]).toEqual([seats, seats]);
  });

  it('treats nil and absent fields as empty', () => {
    const licence = readLicence({ LicenseID: '7', GUID: null });
    expect(licence).toMatchObject({
      licenceNumber: '7',
      guidLastFour: '',
      typeName: '',
      credits: null,
      seatsFree: null,
    });
  });

  it('keeps unknown fields, and masks a secret in them by name or by form', () => {
    const record = {
      ...makeLicence('1'),
      Seats: '4',
      LicenceKey: 'abcdefghijklmnop',
      Extra: 'is 11111111-2222-3333-4444-55555555beef',
    } as RecordValue<'License'>;
    expect(readLicence(record).unknownFields).toEqual({
      Seats: '4',
      LicenceKey: '••••mnop',
      Extra: 'is ••••beef',
    });
  });

  it('masks a licence id that has the form of a GUID', () => {
    expect(readLicence(makeLicence('11111111-2222-3333-4444-55555555beef')).licenceNumber).toBe('••••beef');
  });
});

describe('what a machine holds', () => {
  const empty = { LicenseID: '', ReferenceNo: '', GUID: '', Return_Code: '0' };
  it.each([[[]], [[empty]], [[{ ...empty, Return_Code: '1' }]], [[{}]]])('is nothing for %j', (records) => {
    expect(readHoldings(records)).toEqual({ ok: true, value: [] });
  });

  it('is each id once', () => {
    const records = [makeLicence('2'), makeLicence('1'), makeLicence('2')];
    expect(readHoldings(records)).toEqual({ ok: true, value: ['2', '1'] });
  });

  it.each(['2', '201', '203', '301', '302', '999'])('is not known where an empty record has return code %s', (code) => {
    expect(readHoldings([{ ...empty, Return_Code: code }])).toMatchObject({
      ok: false,
      error: { code: 'service-error' },
    });
  });

  it('is read where a record with content has a code that is not published', () => {
    expect(readHoldings([makeLicence('5', { Return_Code: '77' })])).toEqual({ ok: true, value: ['5'] });
    expect(readHoldings([makeLicence('5', { Return_Code: '2' })])).toMatchObject({ ok: false });
  });

  it('is not known where a licence comes without its id', () => {
    const records = [makeLicence('', { ReferenceNo: 'WY-1' })];
    expect(readHoldings(records)).toMatchObject({ ok: false, error: { code: 'unreadable-answer' } });
    expect(readLicenceRecords(records)).toMatchObject({ ok: true });
  });
});

describe('licence ids', () => {
  it('are integers where they are digits, and text otherwise', () => {
    expect(isSameLicence('020418', ' 20418')).toBe(true);
    expect(isSameLicence('0', '000')).toBe(true);
    expect(isSameLicence('A1', 'a1')).toBe(false);
    expect(holdsLicence(['1', '020418'], '20418')).toBe(true);
    expect(isSameHolding(['1', '2'], ['02', '01'])).toBe(true);
    expect(isSameHolding(['1', '2'], ['1'])).toBe(false);
    expect(isSameHolding(['1'], ['2'])).toBe(false);
  });
});

describe('seats', () => {
  const licence = (type: string, used: string, free: string, expiry = '31/03/2027') =>
    readLicence(makeLicence('1', { LicenseTypeName: type, LicenseInUse: used, Available: free, ExpiryDate: expiry }));

  it('counts unknown ones in no sum and free ones of an expired licence as expired', () => {
    const licences = [
      licence('Web', '3', '2', '14/11/2026'),
      licence('Web', '', ''),
      licence('Premises', '12', '0'),
      licence('Premises', '1', 'Y'),
    ];
    expect(countSeats(licences, '2026-11-21')).toEqual({ used: 16, free: 0, expired: 2, unknownLicences: 2 });
    expect(countSeatsByType(licences, '2026-11-21')).toEqual([
      { type: 'Premises', seats: { used: 13, free: 0, expired: 0, unknownLicences: 1 } },
      { type: 'Web', seats: { used: 3, free: 0, expired: 2, unknownLicences: 1 } },
    ]);
  });

  it('is not expired on its last day, nor where the day is unknown', () => {
    expect(isExpired({ expiresOn: '2026-11-21' }, '2026-11-21')).toBe(false);
    expect(isExpired({ expiresOn: '2026-11-20' }, '2026-11-21')).toBe(true);
    expect(isExpired({ expiresOn: null }, '2026-11-21')).toBe(false);
  });
});

describe('the service’s words', () => {
  it('are masked, made one line and cut', () => {
    const redact = (text: string) => text.replaceAll('s3cret-s3cret', '••••');
    const words = readServiceWords(
      `OK\r\n{11111111-2222-3333-4444-55555555beef} s3cret-s3cret ${'x'.repeat(900)}`,
      redact,
    );
    expect(words.startsWith('OK ••••beef •••• xxx')).toBe(true);
    expect(words).toHaveLength(501);
    expect(readServiceWords('111111112222333344445555 5555beef 1111111122223333444455555555beef', (t) => t)).toBe(
      '111111112222333344445555 5555beef ••••beef',
    );
  });
});
