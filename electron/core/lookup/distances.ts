import { checkPostcode, plainPostcode } from '../../../shared/domain/address/postcode.ts';
import type { Connection } from '../../../shared/domain/connection.ts';
import { type DistanceRow, type distanceOperations, distanceUnits } from '../../../shared/domain/lookup/lookup.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { CacheKey } from '../answers/cache-key.ts';

export interface DistanceQuestion {
  question: CacheKey;
  operation: (typeof distanceOperations)[number];
  fields: Record<string, string | string[]>;
  /** As shown and logged. */
  subject: string;
  from: string;
  /** Each once. */
  to: readonly string[];
}

/** One spelling for a postcode; what does not read as one is passed to the service unchanged. */
function normalise(text: string): string {
  const check = checkPostcode(text.trim());
  return check.state === 'well-formed' || check.state === 'unusual' ? (check.normalised ?? text.trim()) : text.trim();
}

/**
 * Distances from one postcode: to one with DistanceBetween_Postcodes, to several with NearestData_ForPostcode, which ranks them.
 * The separator of the list is the connection's setting. Errors: 'bad-input' without a postcode to measure to.
 */
export function askDistances(
  connection: Connection,
  fromText: string,
  toTexts: readonly string[],
): Result<DistanceQuestion> {
  const from = normalise(fromText);
  const to = [...new Set(toTexts.map(normalise).filter((text) => text !== ''))];
  const [first] = to;
  if (from === '' || first === undefined)
    return fail(
      appError('bad-input', {
        message: 'There is no postcode to measure to.',
        next: 'Type one or more postcodes.',
        field: 'to',
        charge: 'not-charged',
      }),
    );
  const { id: connectionId, listSeparator } = connection;
  if (to.length === 1) {
    const operation = 'DistanceBetween_Postcodes';
    return ok({
      question: { connectionId, operation, input: { from, to: first }, options: { interface: 'soap' } },
      operation,
      fields: { sPostcodeDatum: from, sPostcodeCheck: first },
      subject: `${from} to ${first}`,
      from,
      to,
    });
  }
  const operation = 'NearestData_ForPostcode';
  return ok({
    question: {
      connectionId,
      operation,
      // The ranking does not depend on the order they were typed in.
      input: { from, to: to.toSorted() },
      options: { interface: 'soap', listSeparator },
    },
    operation,
    fields: { sPostcodeDatum: from, sPostcodeList: to, sNumberToReturn: String(to.length) },
    subject: `${from} to ${to.length} postcodes`,
    from,
    to,
  });
}

/**
 * Rows as they came, in all four units, nearest first: by metres if they read as numbers, otherwise in the service's order. A row that does
 * not name its postcode has the one of `to` if that was alone, else none. One of `to` that no row names, or may be, has a row without distances,
 * which is last: it may yet be the nearest. What stands in a row under the code of “no records” is no distance,
 * unless the service writes that code on all of them: then zeros alone are none.
 */
export function readDistances(
  list: readonly Readonly<Record<string, unknown>>[],
  to: readonly string[],
): DistanceRow[] {
  const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
  const alone = to.length === 1 ? (to[0] ?? '') : '';
  const names = ['Postcode_Return', ...distanceUnits.map(({ field }) => field)];
  const hasSuccess = list.some((record) => textOf(record.Return_Code) === '1');
  const isNone = (record: Readonly<Record<string, unknown>>): boolean =>
    textOf(record.Return_Code) === '0' &&
    (hasSuccess || distanceUnits.every(({ field }) => /^[0.]*$/.test(textOf(record[field]))));
  const rows = list
    .filter((record) => names.some((name) => textOf(record[name]) !== ''))
    .map((record): DistanceRow => {
      const distanceIn = (field: string): string => (isNone(record) ? '' : textOf(record[field]));
      const metres = Number(distanceIn('Distance_Metres') || Number.NaN);
      return {
        postcode: textOf(record.Postcode_Return) || alone,
        description: textOf(record.Postcode_Description),
        position: textOf(record.Ordinal_Position),
        distances: distanceUnits.map(({ unit, field }) => ({ unit, value: distanceIn(field) })),
        metres: Number.isFinite(metres) && metres >= 0 ? metres : null,
        place: null,
      };
    });
  const named = new Set(rows.map(({ postcode }) => plainPostcode(postcode)));
  const missing =
    rows.length === 0 || named.has('') ? [] : to.filter((postcode) => !named.has(plainPostcode(postcode)));
  for (const postcode of missing)
    rows.push({
      postcode,
      description: '',
      position: '',
      distances: distanceUnits.map(({ unit }) => ({ unit, value: '' })),
      metres: null,
      place: null,
    });
  return rows.sort((a, b) => (a.metres ?? Infinity) - (b.metres ?? Infinity) || 0);
}
