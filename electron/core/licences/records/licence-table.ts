import {
  type Licence,
  type LicenceLabel,
  licenceFieldNames,
  licenceFields,
} from '../../../../shared/domain/licences/licence.ts';
import { plainId } from '../../../../shared/domain/licences/licence-filter.ts';
import { type CsvColumn, writeCsv } from '../../../../shared/domain/text/csv.ts';
import { maskSecret } from '../../../../shared/secret-fields.ts';
import type { StoredHoldings } from './licence-store.ts';

const columns: readonly CsvColumn[] = [
  ...licenceFieldNames.map((field): CsvColumn => {
    const { published, identifier } = licenceFields[field];
    const head = field === 'guidLastFour' ? `${published}, last four` : published;
    return identifier ? { head, kind: 'identifier' } : { head };
  }),
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
      ...licenceFieldNames.map((field) =>
        field === 'guidLastFour' && licence[field] !== '' ? maskSecret(`••••${licence[field]}`) : licence[field],
      ),
      licence.expiresOn ?? '',
      statuses.get(licence.status) ?? '',
      (holders.get(plainId(licence.licenceNumber)) ?? []).join(' '),
    ]),
  );
}
