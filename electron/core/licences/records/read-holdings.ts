import type { RecordValue } from '../../../../shared/catalogue/records.ts';
import { describeReturnCode } from '../../../../shared/catalogue/return-codes.ts';
import { type AppError, appError } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { maskGuids } from '../../transport/redact/service-text.ts';

type LicenceRecord = RecordValue<'License'>;

/**
 * Only the records that are licences: "no licences" has become an empty list by now (soap/message/outcome.ts), so a record without content or with
 * a published error is an answer that could not be read, never "none".
 */
export function readLicenceRecords(records: readonly LicenceRecord[]): Result<readonly LicenceRecord[]> {
  for (const record of records) {
    const code = (record.Return_Code ?? '').trim();
    // Codes of the licence operations are not published, so for records with content only the published errors count.
    if (isPublishedError(code)) return fail(refusal(code));
    const fields = [record.LicenseID, record.ReferenceNo, record.GUID, record.LicenseTypeName];
    if (fields.every((text) => (text ?? '').trim() === ''))
      return fail(unreadable('The service listed a record that names no licence, so the list could not be read.'));
  }
  return ok(records);
}

/** The ids of the licences a machine holds, from the records of GetLicenseDetails, each once. */
export function readHoldings(records: readonly LicenceRecord[]): Result<string[]> {
  const licences = readLicenceRecords(records);
  if (!licences.ok) return licences;
  const ids = licences.value.map((record) => maskGuids((record.LicenseID ?? '').trim()));
  if (ids.includes(''))
    return fail(unreadable('The service listed a licence without its id, so the machine could not be read.'));
  return ok([...new Set(ids)]);
}

const unreadable = (message: string): AppError => appError('unreadable-answer', { message, charge: 'not-applicable' });

const isPublishedError = (code: string): boolean =>
  code !== '0' && code !== '1' && describeReturnCode(code) !== undefined;

function refusal(code: string): AppError {
  const meaning = describeReturnCode(code);
  return appError('service-error', {
    message: `The service answered with return code ${code}${meaning === undefined ? '' : ` (${meaning})`} instead of licences.`,
    charge: 'not-applicable',
  });
}
