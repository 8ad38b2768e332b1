import {
  type Licence,
  type LicenceLabel,
  licenceFieldNames,
  licenceFields,
} from '../../../../shared/domain/licences/licence.ts';
import { plainId } from '../../../../shared/domain/licences/licence-ids.ts';
import { type CsvColumn, csvHead, csvRow } from '../../../../shared/domain/text/csv.ts';
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
  { head: 'Found on', kind: 'identifier' },
];

/** Licences whose rows are written in one go. */
const inOnePiece = 1000;

/**
 * Licences as CSV, piece by piece: the fields as they came, the GUID's last four characters, and what is known beside them. Its
 * sources are as they were when it was requested.
 */
export function* writeLicences(
  licences: readonly Licence[],
  labels: readonly LicenceLabel[],
  holdings: readonly StoredHoldings[],
): Generator<{ text: string; rows: number }> {
  const statuses = new Map(labels.filter(({ field }) => field === 'status').map(({ value, label }) => [value, label]));
  const holders = new Map<string, string[]>();
  for (const { machine, licenceNumbers } of holdings)
    for (const id of licenceNumbers) holders.set(plainId(id), [...(holders.get(plainId(id)) ?? []), machine]);
  const rowOf = (licence: Licence): string =>
    csvRow(
      [
        ...licenceFieldNames.map((field) =>
          field === 'guidLastFour' && licence[field] !== '' ? maskSecret(`••••${licence[field]}`) : licence[field],
        ),
        licence.expiresOn ?? '',
        statuses.get(licence.status) ?? '',
        (holders.get(plainId(licence.licenceNumber)) ?? []).join('; '),
      ],
      columns,
    );
  yield { text: csvHead(columns), rows: 0 };
  for (let from = 0; from < licences.length; from += inOnePiece) {
    const some = licences.slice(from, from + inOnePiece);
    yield { text: some.map(rowOf).join(''), rows: some.length };
  }
}
