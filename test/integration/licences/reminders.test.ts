import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAnnotations } from '../../../electron/core/licences/annotations/annotations.ts';
import { openInventoryStore } from '../../../electron/core/licences/machines/inventory-store.ts';
import { readLicences } from '../../../electron/core/licences/records/read-licence.ts';
import { createSettings } from '../../../electron/core/settings/settings.ts';
import { connectionId, openTempLicences, type TempLicences } from '../../helpers/licence-console.ts';
import { makeLicence } from '../../helpers/licence-service.ts';
import { unwrap } from '../../helpers/temp-database.ts';

let temp: TempLicences;
let today: string;

beforeEach(async () => {
  temp = await openTempLicences();
  today = new Date(2027, 2, 1, 9).toISOString();
  await temp.console.deps.store.saveLicences(
    connectionId,
    readLicences([
      makeLicence('1', { ExpiryDate: '31/03/2027' }),
      makeLicence('2', { ExpiryDate: '20/03/2027' }),
      makeLicence('3', { ExpiryDate: '28/02/2027' }),
      makeLicence('4', { ExpiryDate: '31/12/2027' }),
      makeLicence('5', { ExpiryDate: 'some day' }),
    ]),
    today,
  );
});
afterEach(() => temp.remove());

const open = () => {
  const { database, deps } = temp.console;
  return createAnnotations({
    store: deps.store,
    inventory: openInventoryStore(database.sql),
    clock: { now: () => Date.parse(today) } as never,
    connections: { find: (id: string) => ({ ok: true, value: { id, name: 'Wyebank' } }) } as never,
    settings: createSettings(database),
  });
};
const noticed = async (annotations = open()) => unwrap(await annotations.newNotices()).map(({ text }) => text);

test('a rule for all licences: each reminder shown once, kept over a restart, with exceptions, and none once it is removed', async () => {
  expect(await noticed()).toEqual([]);
  const set = unwrap(open().saveRule(connectionId, { leadDays: 30, except: [] }));
  expect(set).toMatchObject({ dueTotal: 2, rule: { leadDays: 30, since: '2027-03-01', except: [] } });
  const first = unwrap(await open().newNotices());
  expect(first.map(({ connectionName, text }) => `${connectionName}: ${text}`)).toEqual([
    'Wyebank: By the list read 09:00:00: WY-2 expires in 19 days. WY-1 expires in 30 days.',
  ]);
  const [notice] = first;
  if (notice) unwrap(open().markShown({ ...notice, due: notice.due.slice(0, 1) }));
  expect(await noticed()).toEqual(['By the list read 09:00:00: WY-1 expires in 30 days.']);
  // The rule's number of days changes; the day on which it was set does not.
  today = new Date(2027, 2, 5, 9).toISOString();
  const except = unwrap(open().saveRule(connectionId, { leadDays: 365, except: ['0001', '1'] }));
  expect(except.rule).toEqual({ leadDays: 365, since: '2027-03-01', except: ['1'] });
  // It may have been renewed since the list was read.
  expect(await noticed()).toEqual(['By the list read 1 Mar 2027, 09:00:00: WY-4 expires in 301 days.']);
  expect((await open().exportCalendar(connectionId)).ok && unwrap(await open().exportCalendar(connectionId)).rows).toBe(
    2,
  );
  unwrap(open().saveRule(connectionId, null));
  expect(await noticed()).toEqual([]);
  // The mark that a reminder was shown is not an annotation of the administrator.
  expect(
    unwrap(open().own(connectionId)).perLicence.every(({ note, leadDays }) => note === '' && leadDays === null),
  ).toBe(true);
});

test('a licence that the list names with two expiries is noticed once for each, not hour by hour', async () => {
  await temp.console.deps.store.saveLicences(
    connectionId,
    readLicences([makeLicence('1', { ExpiryDate: '20/03/2027' }), makeLicence('1', { ExpiryDate: '28/03/2027' })]),
    today,
  );
  unwrap(open().saveRule(connectionId, { leadDays: 30, except: [] }));
  const told: string[] = [];
  for (const day of [1, 1, 1, 21, 21, 29, 29]) {
    today = new Date(2027, 2, day, 9).toISOString();
    for (const notice of unwrap(await open().newNotices())) {
      told.push(notice.text.replace(/^.*: /, ''));
      unwrap(open().markShown(notice));
    }
  }
  expect(told).toEqual(['WY-1 expires in 19 days.', 'WY-1 expires in 7 days.']);
});

test('records without a LicenseID are reminded of by no rule or lead time, nor hour by hour, and are not in the calendar', async () => {
  await temp.console.deps.store.saveLicences(
    connectionId,
    readLicences([
      makeLicence('1', { ExpiryDate: '31/03/2027' }),
      makeLicence(' ', { ReferenceNo: 'WY-A', ExpiryDate: '20/03/2027' }),
      makeLicence('', { ReferenceNo: 'WY-B', ExpiryDate: '25/03/2027' }),
    ]),
    today,
  );
  unwrap(open().saveRule(connectionId, { leadDays: 30, except: [] }));
  // As an earlier version let it be set.
  unwrap(open().saveAnnotations(connectionId, { licenceNumber: '', note: '', leadDays: 60 }));
  const told: string[] = [];
  for (let hour = 9; hour < 13; hour += 1) {
    today = new Date(2027, 2, 1, hour).toISOString();
    for (const notice of unwrap(await open().newNotices())) {
      told.push(notice.text.replace(/^.*: /, ''));
      unwrap(open().markShown(notice));
    }
  }
  expect(told).toEqual(['WY-1 expires in 30 days.']);
  expect(unwrap(await open().exportCalendar(connectionId)).rows).toBe(1);
});

test('the rule of a connection is removed with it', () => {
  const annotations = open();
  unwrap(annotations.saveRule(connectionId, { leadDays: 30, except: [] }));
  annotations.forgetRule(connectionId);
  expect(unwrap(open().own(connectionId)).rule).toBeNull();
});

test('a notice names five licences and says how many more there are', async () => {
  today = '2027-03-01T10:00:00Z';
  const licences = Array.from({ length: 508 }, (_, index) =>
    makeLicence(`${20 + index}`, { ExpiryDate: '31/03/2027' }),
  );
  await temp.console.deps.store.saveLicences(connectionId, readLicences(licences), today);
  unwrap(open().saveRule(connectionId, { leadDays: 30, except: [] }));
  const [text = ''] = await noticed();
  expect(text.match(/expires in 30 days\./g)).toHaveLength(5);
  expect(text.endsWith(' And 503 more.')).toBe(true);
});
