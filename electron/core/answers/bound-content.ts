import type { Address } from '../../../shared/domain/address/address.ts';
import type { AnswerContent, FoundPremise } from './stored-answer.ts';

// A service may send one value of megabytes. What is stored, merged and shown of it would hold main up each time, so the first of it is
// kept and says how long it is; the raw text has it whole.

/** Characters of one value. The longest published ones have some hundred. */
const longestValue = 20_000;
/** Characters of all values of one address together, before each is cut to the shortest. */
const mostOfAddress = 500_000;
const shortestValue = 200;
/** Characters of one row of a search. */
const longestLine = 2000;
/** A longer identifier is none that could be asked for: the window's channels refuse it. */
const longestId = 100;

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most)} … (${text.length.toLocaleString('en-GB')} characters; the raw answer has them all)`;
}

/** What is kept of an answer's content beside its raw text; the same where nothing in it is too long. */
export function boundContent(content: AnswerContent): AnswerContent {
  if (content.kind === 'premise') return { ...content, address: boundAddress(content.address) };
  if (content.kind !== 'search') return content;
  const { results, total } = content;
  if (results.every(isBounded)) return content;
  // What is left out shows as the difference to what is shown.
  return { ...content, results: results.flatMap(boundRow), total: Math.max(total ?? 0, results.length) };
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

/** A row whose identifier is none is left out, as one without any. */
function boundRow(row: FoundPremise): FoundPremise[] {
  if (isBounded(row)) return [row];
  if (row.premiseId === '' || row.premiseId.length > longestId) return [];
  const { organisation: _, ...rest } = row;
  return [{ ...rest, line: cut(row.line, longestLine) }];
}
