import { describe, expect, it, test } from 'vitest';
import { readHoldings, readLicenceRecords } from '../../../electron/core/licences/records/read-holdings.ts';
import { decideOrder, readExpiry, readLicences } from '../../../electron/core/licences/records/read-licence.ts';
import { readServiceText } from '../../../electron/core/transport/redact/service-text.ts';
import type { RecordValue } from '../../../shared/catalogue/records.ts';
import { readDate } from '../../../shared/domain/licences/licence-date.ts';
import { isExpiredOn } from '../../../shared/domain/licences/licence-filter.ts';
import { holdsLicence, isSameHolding, isSameLicence } from '../../../shared/domain/licences/licence-ids.ts';
import { makeLicence } from '../../helpers/licence-service.ts';

describe('the expiry date', () => {
  test.each([
    ['2027-03-31', '2027-03-31'],
    ['2027-03-31T00:00:00', '2027-03-31'],
    ['2027-03-31T23:59:59.999', '2027-03-31'],
    // A time with a zone is an instant and means its day in the United Kingdom, which has summer time from 28 March to 31 October 2027.
    ['2027-03-31T23:59:59.999Z', '2027-04-01'],
    ['2027-03-27T23:59:59Z', '2027-03-27'],
    ['2027-06-30T23:00:00Z', '2027-07-01'],
    ['2027-06-30T22:59:59Z', '2027-06-30'],
    ['2027-06-30 23:00:00 UTC', '2027-07-01'],
    ['2027-10-31T23:30:00Z', '2027-10-31'],
    ['2027-10-30T23:30:00Z', '2027-10-31'],
    ['2027-01-01T00:00:00+02:00', '2026-12-31'],
    ['2027-12-31T19:00:00-05:00', '2028-01-01'],
    ['31/03/2027 11:30 PM -0500', '2027-04-01'],
    // A date with a zone but without a time is taken as written.
    ['2027-03-31Z', '2027-03-31'],
    ['2027-03-31+01:00', '2027-03-31'],
    ['31/03/27', '2027-03-31'],
    ['31-Mar-27', '2027-03-31'],
    ['31-MAR-27 00:00:00', '2027-03-31'],
    ['Mar 31 2027 12:00AM', '2027-03-31'],
    ['Mar  1 2027 12:00AM', '2027-03-01'],
    ['March 31, 2027', '2027-03-31'],
    ['9999-12-31', '9999-12-31'],
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
  ])('%s is %s in a list that is day first', (text, day) => expect(readExpiry(text, 'day-first').expiresOn).toBe(day));

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
    '31/02/27',
    '2027-03-31T25:00:00',
    '2027-03-31 13:00 PM',
    '31-Mar-027',
    'Mar 32 2027',
    '0001-01-01T00:00:00',
    '1/1/0001 00:00:00',
    '2027',
    '/Date(99999999999999999)/',
    '31/03/2027 and a bit',
  ])('%s is no date', (text) => expect(readExpiry(text, 'day-first')).toEqual({ expiresOn: null, dateOrder: 'none' }));

  const expiries = (...texts: string[]) =>
    readLicences(texts.map((ExpiryDate) => makeLicence('1', { ExpiryDate }))).map(({ expiresOn }) => expiresOn);

  test('is read by its list: a 13 in one place decides the order for all', () => {
    expect(expiries('12/04/2026', '31/03/2027', 'see contract')).toEqual(['2026-04-12', '2027-03-31', null]);
    expect(expiries('12/04/2026', '03/31/2027', '1/2/2027 00:00:00')).toEqual([
      '2026-12-04',
      '2027-03-31',
      '2027-01-02',
    ]);
  });

  test('is not read with a 13 in both places or in none; unambiguous forms are', () => {
    expect(expiries('12/04/2026', '01/02/2027', '2027-03-31')).toEqual([null, null, '2027-03-31']);
    expect(expiries('31/03/2027', '03/31/2027', '1 Sept 2027')).toEqual([null, null, '2027-09-01']);
    expect(readLicences([makeLicence('1', { ExpiryDate: '12/04/2026' })])[0]).toMatchObject({
      expiresOn: null,
      dateOrder: 'undecided',
      expiryDate: '12/04/2026',
    });
    // 45 is not a day, so the date does not decide the order.
    expect(decideOrder(['45/01/2027', '01/02/2027'])).toBe('undecided');
    expect(decideOrder(['31/03/2027', '03/31/2027', '01/02/2027'])).toBe('contradictory');
  });
});

describe('the order of day and month', () => {
  test.each([
    ['31/03/2027', '2027-03-31', null],
    ['03/31/2027', null, '2027-03-31'],
    ['03/04/27', '2027-04-03', '2027-03-04'],
    ['03/31/2027 11:30 PM -05:00', null, '2027-04-01'],
    ['13/13/2027', null, null],
    ['2027-03-04', '2027-03-04', '2027-03-04'],
    ['Mar 4 2027 12:00AM', '2027-03-04', '2027-03-04'],
    ['never', null, null],
  ])('%s is left to the list: %s or %s', (text, dayFirst, monthFirst) => {
    expect(readDate(text)).toEqual({ dayFirst, monthFirst });
  });

  test('an instant is the day shown by clocks in the United Kingdom, over every change of the clocks', () => {
    // The published rule: summer time is from 01:00 UTC on the last Sunday of March to 01:00 UTC on the last Sunday of October.
    const lastSunday = (year: number, month: number): number => {
      const last = new Date(Date.UTC(year, month + 1, 0));
      return Date.UTC(year, month, last.getUTCDate() - last.getUTCDay(), 1);
    };
    for (let year = 1997; year <= 2037; year += 1)
      for (const change of [lastSunday(year, 2), lastSunday(year, 9)])
        for (let hour = -30; hour <= 30; hour += 1) {
          const instant = change + hour * 3_600_000 - 1;
          const isSummer = instant >= lastSunday(year, 2) && instant < lastSunday(year, 9);
          const day = new Date(instant + (isSummer ? 3_600_000 : 0)).toISOString().slice(0, 10);
          const found = readDate(new Date(instant).toISOString());
          expect(found).toEqual({ dayFirst: day, monthFirst: day });
        }
  });
});

describe('a licence', () => {
  it('keeps the texts as they came and the GUID by its last four characters only', () => {
    const licence = readLicences([makeLicence('20418', { Status: ' ? ', ExpiryDate: '31.02.2027' })])[0];
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
    const licence = readLicences([makeLicence('1', { LicenseInUse: text, Available: text })])[0];
    expect([licence?.seatsUsed, licence?.seatsFree]).toEqual([seats, seats]);
  });

  it('treats nil and absent fields as empty', () => {
    const licence = readLicences([{ LicenseID: '7', GUID: null }])[0];
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
    expect(readLicences([record])[0]?.unknownFields).toEqual({
      Seats: '4',
      LicenceKey: '••••mnop',
      Extra: 'is ••••beef',
    });
  });

  it('masks a licence id that has the form of a GUID', () => {
    expect(readLicences([makeLicence('11111111-2222-3333-4444-55555555beef')])[0]?.licenceNumber).toBe('••••beef');
  });
});

describe('the licences of a machine', () => {
  const empty = { LicenseID: '', ReferenceNo: '', GUID: '', Return_Code: '0' };
  it('is nothing for an empty list', () => expect(readHoldings([])).toEqual({ ok: true, value: [] }));

  it.each([[[empty]], [[makeLicence('5'), empty]], [[{}]]])('is not known for %j', (records) => {
    expect(readHoldings(records)).toMatchObject({ ok: false, error: { code: 'unreadable-answer' } });
    expect(readLicenceRecords(records)).toMatchObject({ ok: false });
  });

  it('is each id once', () => {
    const records = [makeLicence('2'), makeLicence('1'), makeLicence('2')];
    expect(readHoldings(records)).toEqual({ ok: true, value: ['2', '1'] });
  });

  it.each(['2', '201', '203', '301', '302', '999'])('is not known if an empty record has return code %s', (code) => {
    expect(readHoldings([{ ...empty, Return_Code: code }])).toMatchObject({
      ok: false,
      error: { code: code === '999' ? 'unreadable-answer' : 'service-error' },
    });
  });

  it('is read if a record with content has a code that is not published', () => {
    expect(readHoldings([makeLicence('5', { Return_Code: '77' })])).toEqual({ ok: true, value: ['5'] });
    expect(readHoldings([makeLicence('5', { Return_Code: '2' })])).toMatchObject({ ok: false });
  });

  it('is not known if a licence comes without its id', () => {
    const records = [makeLicence('', { ReferenceNo: 'WY-1' })];
    expect(readHoldings(records)).toMatchObject({ ok: false, error: { code: 'unreadable-answer' } });
    expect(readLicenceRecords(records)).toMatchObject({ ok: true });
  });
});

describe('licence ids', () => {
  it('are integers if they are digits, and text otherwise', () => {
    expect(isSameLicence('020418', ' 20418')).toBe(true);
    expect(isSameLicence('0', '000')).toBe(true);
    expect(isSameLicence('A1', 'a1')).toBe(false);
    expect(holdsLicence(['1', '020418'], '20418')).toBe(true);
    expect(isSameHolding(['1', '2'], ['02', '01'])).toBe(true);
    expect(isSameHolding(['1', '2'], ['1'])).toBe(false);
    expect(isSameHolding(['1'], ['2'])).toBe(false);
  });
});

describe('a licence’s end', () => {
  it('is not expired on its last day, nor if the day is unknown', () => {
    expect(isExpiredOn({ expiresOn: '2026-11-21' }, '2026-11-21')).toBe(false);
    expect(isExpiredOn({ expiresOn: '2026-11-20' }, '2026-11-21')).toBe(true);
    expect(isExpiredOn({ expiresOn: null }, '2026-11-21')).toBe(false);
  });
});

describe('the service’s words', () => {
  it('are masked, made one line and cut', () => {
    const redact = (text: string) => text.replaceAll('s3cret-s3cret', '••••');
    const words = readServiceText(
      `OK\r\n{11111111-2222-3333-4444-55555555beef} s3cret-s3cret ${'x'.repeat(900)}`,
      redact,
    );
    expect(words.startsWith('OK ••••beef •••• xxx')).toBe(true);
    expect(words).toHaveLength(501);
    expect(readServiceText('111111112222333344445555 5555beef 1111111122223333444455555555beef', (t) => t)).toBe(
      '111111112222333344445555 5555beef ••••beef',
    );
    // In the name of a file, and with the hyphens of a word processor.
    expect(readServiceText('key_11111111-2222-3333-4444-55555555beef_old', (t) => t)).toBe('key_••••beef_old');
    expect(readServiceText('11111111‑2222‑3333‑4444‑55555555beef', (t) => t)).toBe('••••beef');
  });
});
