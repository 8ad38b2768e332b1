import { type RecordValue, records } from '../../../../shared/catalogue/records.ts';
import { forEachLicenceField, type Licence, licenceFields } from '../../../../shared/domain/licences/licence.ts';
import { isSecretField, lastFour, maskSecret } from '../../../../shared/secret-fields.ts';
import { mapInTurns } from '../../concurrency/map-in-turns.ts';
import { maskGuids } from '../../transport/redact/service-text.ts';
import { decideOrder, type NumericOrder, readExpiry } from './read-expiry.ts';

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
    const text = value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
    unknown[name] = isSecretField(name) ? maskSecret(text) : maskGuids(text);
  }
  return unknown;
}

function readWholeNumber(text: string, form = /^\d{1,15}$/): number | null {
  const value = text.trim();
  return form.test(value) ? Number(value) : null;
}
