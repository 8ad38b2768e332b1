import { type CsvColumn, writeCsv } from '../../../../shared/domain/csv.ts';
import type { Licence, LicenceLabel } from '../../../../shared/domain/licence.ts';
import { plainId } from '../../../../shared/domain/licence-filter.ts';
import { maskSecret } from '../../../../shared/secret-fields.ts';
import type { StoredHoldings } from './licence-store.ts';

const columns: readonly CsvColumn[] = [
  { head: 'ReferenceNo', kind: 'identifier' },
  { head: 'AcccountName', kind: 'identifier' },
  { head: 'GUID, last four' },
  { head: 'LicenseID', kind: 'identifier' },
  { head: 'LicenseTypeName' },
  { head: 'LicenseTypeDesc' },
  { head: 'ExpiryDate' },
  { head: 'CurrentCreditsAvailable' },
  { head: 'AllowedIpAddress' },
  { head: 'LicenseInUse' },
  { head: 'Available' },
  { head: 'Status' },
  { head: 'Return_Code' },
  { head: 'Expires on' },
  { head: 'Status, own label' },
  { head: 'Found on' },
];

/** Licences as CSV: the thirteen fields as they came, the GUID's last four characters, and what is known beside them. */
export function writeLicences(
  licences: readonly Licence[],
  labels: readonly LicenceLabel[],
  holdings: readonly StoredHoldings[],
): string {
  const statuses = new Map(labels.filter(({ field }) => field === 'status').map(({ value, label }) => [value, label]));
  const holders = new Map<string, string[]>();
  for (const { machine, licenceNumbers } of holdings)
    for (const id of licenceNumbers) holders.set(plainId(id), [...(holders.get(plainId(id)) ?? []), machine]);
  return writeCsv(
    columns,
    licences.map((licence) => [
      licence.referenceNo,
      licence.accountName,
      licence.guidLastFour === '' ? '' : maskSecret(`••••${licence.guidLastFour}`),
      licence.licenceNumber,
      licence.typeName,
      licence.typeDescription,
      licence.expiryDate,
      licence.creditsAvailable,
      licence.allowedIpAddress,
      licence.inUse,
      licence.available,
      licence.status,
      licence.returnCode,
      licence.expiresOn ?? '',
      statuses.get(licence.status) ?? '',
      (holders.get(plainId(licence.licenceNumber)) ?? []).join(' '),
    ]),
  );
}
