import { type RecordValue, records } from '../../../../shared/catalogue/records.ts';
import {
  type DateOrder,
  forEachLicenceField,
  type Licence,
  licenceFields,
} from '../../../../shared/domain/licences/licence.ts';
import { readDate } from '../../../../shared/domain/licences/licence-date.ts';
import { jsonText } from '../../../../shared/domain/text/json-values.ts';
import { isSecretField, lastFour, maskSecret } from '../../../../shared/secret-fields.ts';
import { mapInTurns } from '../../concurrency/map-in-turns.ts';
import { maskGuids } from '../../transport/redact/service-text.ts';

/** The records of one list. Its dates are judged together: a day and a month in digits mean what the whole list says they mean. */
export function readLicences(records: readonly RecordValue<'License'>[]): Licence[] {
  const order = decideOrder(records.map((record) => record.ExpiryDate ?? ''));
  return records.map((record) => readLicence(record, order));
}

/** A licence takes longer than most rows: its texts are searched for GUIDs. */
const inOneTurn = 250;

/** The same, yielding to everything else between slices of the list. */
export async function readLicencesInTurns(records: readonly RecordValue<'License'>[]): Promise<Licence[]> {
  const dates = new Set(await mapInTurns(records, (record) => record.ExpiryDate ?? ''));
  const order = decideOrder([...dates]);
  return mapInTurns(records, (record) => readLicence(record, order), inOneTurn);
}

/** A list as it was stored, judged again if an earlier version judged each of its dates alone. */
export function judgeDates(licences: readonly Licence[]): Licence[] {
  const order = decideOrder(licences.map(({ expiryDate }) => expiryDate));
  return licences.map((licence) => ({ ...licence, ...readExpiry(licence.expiryDate, order) }));
}

/**
 * A License record as the console stores it: every text as it came, the GUID reduced to its last four characters, and beside them what
 * could be read without guessing. Units and meaning of `LicenseInUse` and `Available` are not published (field notes: unknown). Whole
 * numbers are taken for counts of seats. Anything else stays unknown: True, False, Y or N would say whether, not how many.
 */
function readLicence(record: RecordValue<'License'>, order: NumericOrder): Licence {
  const text = (name: keyof RecordValue<'License'>): string => maskGuids(record[name] ?? '');
  return {
    ...forEachLicenceField((field) => text(licenceFields[field].published)),
    guidLastFour: lastFour((record.GUID ?? '').trim()),
    licenceNumber: text('LicenseID').trim(),
    unknownFields: readUnknownFields(record),
    ...readExpiry(record.ExpiryDate ?? '', order),
    credits: readWholeNumber(record.CurrentCreditsAvailable ?? '', /^-?\d{1,15}$/),
    seatsUsed: readWholeNumber(record.LicenseInUse ?? ''),
    seatsFree: readWholeNumber(record.Available ?? ''),
  };
}

const knownFields: ReadonlySet<string> = new Set(records.License.fields.map((field) => field.name));

function readUnknownFields(record: RecordValue<'License'>): Record<string, string> {
  const unknown: Record<string, string> = {};
  for (const [name, value] of Object.entries(record as Record<string, unknown>)) {
    if (knownFields.has(name) || value === undefined) continue;
    const text = jsonText(value);
    unknown[name] = isSecretField(name) ? maskSecret(text) : maskGuids(text);
  }
  return unknown;
}

function readWholeNumber(text: string, form = /^\d{1,15}$/): number | null {
  const value = text.trim();
  return form.test(value) ? Number(value) : null;
}

type NumericOrder = 'day-first' | 'month-first' | 'undecided' | 'contradictory';

/**
 * Which of two numbers is the day, decided by a whole list: a date that can be read in only one order decides it for all. If there are some
 * of both, or none, it is not decided (the format is not published, field notes). Pure.
 */
export function decideOrder(texts: readonly string[]): NumericOrder {
  const dates = texts.map(readDate);
  const dayFirst = dates.some((date) => date.dayFirst !== null && date.monthFirst === null);
  const monthFirst = dates.some((date) => date.monthFirst !== null && date.dayFirst === null);
  if (dayFirst && monthFirst) return 'contradictory';
  if (dayFirst) return 'day-first';
  return monthFirst ? 'month-first' : 'undecided';
}

/** The day a licence expires as YYYY-MM-DD by the order of its list, and how it was read; null: no date, or not decided. */
export function readExpiry(text: string, order: NumericOrder): { expiresOn: string | null; dateOrder: DateOrder } {
  const { dayFirst, monthFirst } = readDate(text);
  if (dayFirst === monthFirst) return { expiresOn: dayFirst, dateOrder: dayFirst === null ? 'none' : 'clear' };
  if (order === 'undecided' || order === 'contradictory') return { expiresOn: null, dateOrder: order };
  const expiresOn = order === 'day-first' ? dayFirst : monthFirst;
  return { expiresOn, dateOrder: expiresOn === null ? 'none' : order };
}
