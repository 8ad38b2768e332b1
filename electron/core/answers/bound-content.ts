import type { Address } from '../../../shared/domain/address/address.ts';
import type { AnswerContent, FoundPremise } from './stored-answer.ts';

// A service may send a single value of several megabytes. Storing, merging and showing it would block main each time, so only its beginning
// is kept, with its full length; the raw text has all of it.

/** The most characters of one value. The longest published ones have a few hundred. */
const longestValue = 20_000;
/** The most characters of all values of one address together, before each is shortened. */
const mostOfAddress = 500_000;
const shortestValue = 200;
/** Characters of one row of a search. */
const longestLine = 2000;
/** A longer identifier could not be asked for: the window's channels refuse it. */
const longestId = 100;

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most)} … (${text.length.toLocaleString('en-GB')} characters; the raw answer has them all)`;
}

/**
 * What is kept of an answer's content beside its raw text: of searches and premises, unchanged if nothing in them is too long; other
 * content is returned as it is.
 */
export function boundContent(content: AnswerContent): AnswerContent {
  if (content.kind === 'premise') return { ...content, address: boundAddress(content.address) };
  if (content.kind !== 'search') return content;
  const { results, total } = content;
  if (results.every(isBounded)) return content;
  const kept = results.flatMap(boundRow);
  return {
    ...content,
    results: kept,
    total: Math.max(total ?? 0, results.length),
    leftOut: results.length - kept.length,
  };
}

function boundAddress(address: Address): Address {
  let room = mostOfAddress;
  const text = (value: string): string => {
    const most = room >= longestValue ? longestValue : shortestValue;
    room -= Math.min(value.length, most);
    return cut(value, most);
  };
  const fields = Object.entries(address.fields).map(([name, field]) => [name, { ...field, value: text(field.value) }]);
  const { lines } = address;
  return {
    ...address,
    premiseId: cut(address.premiseId, longestId),
    fields: Object.fromEntries(fields),
    lines: lines && { ...lines, values: lines.values.map(text) },
    other: address.other.map((one) => ({ ...one, name: cut(one.name, shortestValue), value: text(one.value) })),
  };
}

const isBounded = ({ premiseId, line, organisation = '' }: FoundPremise): boolean =>
  premiseId !== '' && premiseId.length <= longestId && line.length <= longestLine && organisation.length <= longestLine;

/** A row with an unusable identifier is left out, like one without any. */
function boundRow(row: FoundPremise): FoundPremise[] {
  if (isBounded(row)) return [row];
  if (row.premiseId === '' || row.premiseId.length > longestId) return [];
  const { organisation: _, ...rest } = row;
  return [{ ...rest, line: cut(row.line, longestLine) }];
}
