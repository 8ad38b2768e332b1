import type { RecordValue } from '../../../shared/catalogue/records.ts';
import { describeReturnCode } from '../../../shared/catalogue/return-codes.ts';
import { type AppError, appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { maskGuids } from './service-words.ts';

type LicenceRecord = RecordValue<'License'>;

/**
 * The records that are licences. No licences arrive as an empty list or as one record without content (field notes); those
 * are dropped. An answer that might be a refusal is an error, never "none": an unregister would be taken for proved.
 */
export function readLicenceRecords(records: readonly LicenceRecord[]): Result<LicenceRecord[]> {
  const licences: LicenceRecord[] = [];
  for (const record of records) {
    const empty = [record.LicenseID, record.ReferenceNo, record.GUID, record.LicenseTypeName].every(
      (text) => (text ?? '').trim() === '',
    );
    const code = (record.Return_Code ?? '').trim();
    // Codes of the licence operations are not published, so of records with content only the published errors count.
    if (isPublishedError(code) || (empty && !['', '0', '1'].includes(code))) return fail(refusal(code));
    if (!empty) licences.push(record);
  }
  return ok(licences);
}

/** The ids of the licences a machine holds, from the records of GetLicenseDetails, each once. */
export function readHoldings(records: readonly LicenceRecord[]): Result<string[]> {
  const licences = readLicenceRecords(records);
  if (!licences.ok) return licences;
  const ids = licences.value.map((record) => maskGuids((record.LicenseID ?? '').trim()));
  if (ids.includes('')) {
    return fail(
      appError('unreadable-answer', {
        message: 'The service listed a licence without its id, so what the machine holds is not known.',
        charge: 'not-applicable',
      }),
    );
  }
  return ok([...new Set(ids)]);
}

const isPublishedError = (code: string): boolean =>
  code !== '0' && code !== '1' && describeReturnCode(code) !== undefined;

function refusal(code: string): AppError {
  const meaning = describeReturnCode(code);
  return appError('service-error', {
    message: `The service answered with return code ${code}${meaning === undefined ? '' : ` (${meaning})`} instead of licences.`,
    charge: 'not-applicable',
  });
}
