import { isIdentifier } from '../../../../shared/domain/address/address-identifiers.ts';
import type { PremiseView } from '../../../../shared/domain/lookup/lookup.ts';
import { type CellKind, csvRow } from '../../../../shared/domain/text/csv.ts';

export type CopyForm = 'envelope' | 'line' | 'csv' | 'json';

const located = (view: PremiseView) =>
  [
    ['UPRN', view.uprn, 'identifier'],
    ['UDPRN', view.udprn, 'identifier'],
    ['Latitude', view.latitude, 'number'],
    ['Longitude', view.longitude, 'number'],
    ['Easting', view.easting, 'number'],
    ['Northing', view.northing, 'number'],
    ['Grid reference', view.gridReference, 'text'],
  ] as const;

interface Column {
  head: string;
  value: string;
  kind: CellKind;
}

function csvColumns(view: PremiseView): Column[] {
  const fields = view.fields.map(
    (field): Column => ({
      head: field.label,
      value: field.value,
      kind: isIdentifier(field.name) ? 'identifier' : 'text',
    }),
  );
  const facts = located(view).map(([head, fact, kind]): Column => ({ head, value: fact?.value ?? '', kind }));
  return [
    { head: 'Premise', value: view.premiseId, kind: 'identifier' },
    { head: 'Address', value: view.oneLine, kind: 'text' },
    ...fields,
    ...facts,
  ];
}

/** The address in one of the forms for copying. CSV: a row of heads and a row of values. JSON: every value as text. */
export function copyText(view: PremiseView, form: CopyForm): string {
  switch (form) {
    case 'envelope':
      return view.envelope.join('\n');
    case 'line':
      return view.oneLine;
    case 'csv': {
      const columns = csvColumns(view);
      // Without the byte order mark of a file, which would be pasted into the first cell.
      return (
        csvRow(columns.map(({ head }) => head)) +
        csvRow(
          columns.map(({ value }) => value),
          columns,
        )
      );
    }
    case 'json': {
      const facts = Object.fromEntries(located(view).map(([head, fact]) => [head, fact?.value ?? null]));
      // A field that is not published may have the name of one that is.
      const named = new Map<string, string>();
      for (const { name, value } of [...view.fields, ...view.otherFields]) if (!named.has(name)) named.set(name, value);
      return JSON.stringify(
        { premise: view.premiseId, envelope: view.envelope, ...facts, fields: Object.fromEntries(named) },
        null,
        2,
      );
    }
  }
}
