import type { PremiseView } from '../../../shared/domain/lookup.ts';
import { type CsvKind, toCsv } from './csv.ts';

export type CopyForm = 'envelope' | 'line' | 'csv' | 'json';

/** Fields that are identifiers or codes: text always, leading zeros kept (field notes, "Values"). */
const identifierFields = /(^id$|identifier|uprn|udprn|unique_delivery_point|barcode|sortcode|domesticid|iso)/i;

const located = (view: PremiseView) =>
  [
    ['UPRN', view.uprn, 'identifier'],
    ['UDPRN', view.udprn, 'identifier'],
    ['Latitude', view.latitude, 'text'],
    ['Longitude', view.longitude, 'text'],
    ['Easting', view.easting, 'text'],
    ['Northing', view.northing, 'text'],
    ['Grid reference', view.gridReference, 'text'],
  ] as const;

interface Column {
  head: string;
  value: string;
  kind: CsvKind;
}

function csvColumns(view: PremiseView): Column[] {
  const fields = view.fields.map(
    (field): Column => ({
      head: field.label,
      value: field.value,
      kind: identifierFields.test(field.name) ? 'identifier' : 'text',
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

/** The address in one of the forms one can copy. CSV: a row of heads and a row of values. JSON: every value as text. */
export function copyText(view: PremiseView, form: CopyForm): string {
  switch (form) {
    case 'envelope':
      return view.envelope.join('\n');
    case 'line':
      return view.oneLine;
    case 'csv': {
      const columns = csvColumns(view);
      return toCsv([columns.map(({ head }) => ({ value: head })), columns]);
    }
    case 'json': {
      const facts = Object.fromEntries(located(view).map(([head, fact]) => [head, fact?.value ?? null]));
      const pairs = [...view.fields, ...view.otherFields].map(({ name, value }) => [name, value]);
      return JSON.stringify(
        { premise: view.premiseId, envelope: view.envelope, ...facts, fields: Object.fromEntries(pairs) },
        null,
        2,
      );
    }
  }
}
