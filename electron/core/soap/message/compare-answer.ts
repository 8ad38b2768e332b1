import { baseOf } from '../../../../shared/catalogue/soap-operations.ts';
import { isJsonObject, type JsonObject } from '../../../../shared/domain/text/json-values.ts';
import { type Compared, compareIds, comparePostcodes, unknown } from '../../transport/compare-answer.ts';
import type { FieldValues } from './envelope.ts';
import { longListOf } from './record-runs.ts';

/** The field of a question that a member of each record of its answer repeats, as published. */
interface Repeated {
  field: string;
  member: string;
  compare: typeof compareIds;
}

const udp = (field: string): Repeated => ({ field, member: 'Unique_Delivery_Point', compare: compareIds });
const postcode = (field: string, member = 'Postcode'): Repeated => ({ field, member, compare: comparePostcodes });

const repeated: Readonly<Record<string, Repeated>> = {
  GetPremiseAddress: udp('sUniqueDeliveryPointID'),
  GetPremiseAddressFromUDP: udp('sUniqueDeliveryPointID'),
  GetAddress: udp('sUDP'),
  GetAddressesForPostcode: postcode('Postcode'),
  GetAddressesForPostcodeAndHouseNumber: postcode('Postcode'),
  GeoData_ForPostcode: postcode('sPostcodes'),
  CoordinateData_ForPostcode: postcode('sPostcode'),
  NearestData_ForPostcode: postcode('sPostcodeDatum', 'Postcode_Datum'),
  DistanceBetween_Postcodes: postcode('sPostcodeDatum', 'Postcode_Datum'),
};

const repeatedBy = (operation: string): Repeated | undefined => {
  const name = baseOf(operation);
  return Object.hasOwn(repeated, name) ? repeated[name] : undefined;
};

/** What an answer of this operation should name; undefined: nothing that could be compared. */
export function askedOf(operation: string, fields: FieldValues, listSeparator: string): string[] | undefined {
  const known = repeatedBy(operation);
  if (known === undefined) return undefined;
  const given = fields[known.field];
  return (Array.isArray(given) ? given.map(String) : [String(given ?? '')])
    .flatMap((text) => text.split(listSeparator === '' ? ',' : listSeparator))
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

/** Compares a decoded answer with its question. */
export function compareAnswer(operation: string, wanted: readonly string[], value: unknown): Compared {
  const known = repeatedBy(operation);
  if (known === undefined) return unknown;
  const textsOf = (records: readonly JsonObject[]) =>
    records.flatMap((record) => {
      const text = record[known.member];
      return typeof text === 'string' ? text : [];
    });
  const long = longListOf(value);
  if (long === undefined) return known.compare(wanted, textsOf(recordsOf(value)));
  // One record that names what was asked for is enough, and mostly the first does.
  const came = new Set<string>();
  for (let from = 0; from < long.length; from += sliceSize) {
    const texts = textsOf(long.slice(from, from + sliceSize)).filter((text) => !came.has(text));
    if (known.compare(wanted, texts).verdict === 'same') return { verdict: 'same' };
    for (const text of texts) came.add(text);
  }
  return known.compare(wanted, [...came]);
}

/** Records of a long list that are made at once. */
const sliceSize = 100;

/** The records of an answer: a list's, those of all tables, or the one that it is. */
function recordsOf(value: unknown): JsonObject[] {
  if (!isJsonObject(value)) return [];
  if (Array.isArray(value.List)) return value.List.filter(isJsonObject);
  if (Array.isArray(value.tables))
    return value.tables
      .filter(isJsonObject)
      .flatMap(({ rows }) => (Array.isArray(rows) ? rows.filter(isJsonObject) : []));
  return [value];
}
