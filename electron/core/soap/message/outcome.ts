import { type RecordName, records } from '../../../../shared/catalogue/records.ts';
import { describeReturnCode } from '../../../../shared/catalogue/return-codes.ts';
import type { RecordDef, RecordField } from '../../../../shared/catalogue/types.ts';
import { type AppError, appError } from '../../../../shared/errors.ts';
import { proxyAsksForPassword } from '../../transport/connect/proxy-messages.ts';
import { readRetryAfter } from '../../transport/http/retry-after.ts';
import { isNil, type XmlElement } from '../xml/element.ts';
import type { FoldedRecord, UnknownElement } from './fold.ts';

export type Found = 'something' | 'nothing';

/** What an answer says about itself, apart from its value. */
export interface Outcome {
  found: Found;
  /** Of the first record, as it came. */
  returnCode?: string;
  /** The published meaning; absent if there is none. */
  returnMeaning?: string;
  errorMessage?: string;
  /** IsTruncated: the service cut the list off. */
  truncated?: boolean;
  /** RecCount, as it came. */
  recordCount?: string;
  /** Why what the answer does not name may be there all the same, although what it names is there. */
  doubt?: string;
}

/** The service refused, and nothing is published about what that costs. */
const refusal = { charge: 'may-have-been-charged', money: 'Whether a refusal costs is not published.' } as const;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** The error of a published code, undefined for 0, 1 and those without a meaning. Whether a refusal costs is not published. */
function errorOfCode(code: string, words: string | undefined): AppError | undefined {
  const detail = [`Return_Code ${code}: ${describeReturnCode(code) ?? 'meaning not published'}.`, words]
    .filter(Boolean)
    .join(' ');
  if (code === '201') return appError('credentials-refused', { detail, ...refusal });
  if (code === '203') return appError('no-credits', { detail, ...refusal });
  if (code === '301' || code === '302') return appError('input-refused', { detail, ...refusal });
  return code === '2' ? appError('service-error', { detail }) : undefined;
}

const ownTerms: ReadonlySet<string> = new Set([
  'Return_Code',
  'IsError',
  'ErrorMessage',
  'IsTruncated',
  'RecCount',
  'List',
]);

/** Whether a record contains anything besides its code and its error fields. */
function hasContent(record: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(record).some(([name, value]) => !ownTerms.has(name) && textOf(value) !== undefined);
}

/** Fields that say what a record is of. A service may repeat the question in them where it found nothing. */
const ofWhat: ReadonlySet<string> = new Set([
  'Unique_Delivery_Point',
  'Identifier',
  'Postcode',
  'Postcode_Datum',
  'Postcode_Return',
  'Postcode_Description',
  'Ordinal_Position',
]);

/** Whether a record says something, other than zeros, of what it names: that is there, whatever its code. */
function isFull(record: Readonly<Record<string, unknown>>): boolean {
  const filled = Object.entries(record).filter(([name, value]) => !ownTerms.has(name) && textOf(value) !== undefined);
  return (
    filled.some(([name]) => ofWhat.has(name)) &&
    filled.some(([name, value]) => !ofWhat.has(name) && !/^[\s0.]*$/.test(String(value)))
  );
}

/** Of several postcodes the first may be unknown: its record's code 0 says nothing of the others, nor of what stands in a record. */
const hasFound = (records: readonly Readonly<Record<string, unknown>>[]): boolean =>
  records.some((record) => (textOf(record.Return_Code) === '1' && hasContent(record)) || isFull(record));

export interface Classified {
  outcome: Outcome;
  error?: AppError;
}

/**
 * What a typed record means (field notes, "Return codes and errors"): the first record's code decides, then IsError. "Nothing found" is
 * said for its known forms alone (promise 0): IsError sent and false if the record has it, no ErrorMessage, no truncation, and an
 * empty list, no list, a first record with code 0 (of licences: the only one, without content) and none under 1 or that says something of what it names,
 * or one record without content whose code is empty or 1. Anything else that names no record is an error that says what came.
 */
export function classifyRecord(
  name: RecordName,
  record: FoldedRecord,
  unknown: readonly UnknownElement[],
  element: XmlElement | undefined,
): Classified {
  const { listOf, fields }: RecordDef = records[name];
  const isList = listOf !== undefined;
  const list = isList ? (record.List as FoldedRecord[]) : [record];
  const first = list[0];
  const code = textOf(first?.Return_Code);
  // The error fields are read wherever they come: most lists and records have none in the catalogue.
  const inFirst = isList ? 'List[0].' : '';
  const ofFirst = (field: string) => first?.[field] ?? unknown.find(({ path }) => path === `${inFirst}${field}`)?.value;
  const words = textOf(record.ErrorMessage) ?? ownText(element, 'ErrorMessage') ?? textOf(ofFirst('ErrorMessage'));
  // Fields that no definition knows may be the record's own under a new name.
  const unknownInside = unknown.some(
    ({ path, value }) => path.startsWith(inFirst) && !ownTerms.has(path.slice(inFirst.length)) && !isBlank(value),
  );
  const filled = first !== undefined && (hasContent(first) || unknownInside);
  // The codes of the licence operations are not published: a licence that is there is there, whatever its code says or an empty record before it.
  const isLicence = name === 'License' || name === 'Licenses';
  const isNone = code === '0' && !(isLicence && (filled || list.length > 1)) && !hasFound(list);
  const nothing = !first || isNone || (list.length === 1 && !filled);
  const outcome = describeOutcome(nothing ? 'nothing' : 'something', code, words);
  const truncated = readFlag(element, 'IsTruncated');
  if (truncated !== undefined && (truncated || fields.some((field) => field.name === 'IsTruncated')))
    outcome.truncated = truncated;
  const count = textOf(record.RecCount);
  if (count !== undefined) outcome.recordCount = count;

  const codes = [code, ...(isList && nothing ? [ownText(element, 'Return_Code')] : [])].filter(
    (one) => one !== undefined,
  );
  const byCode = codes.map((one) => errorOfCode(one, words)).find((error) => error !== undefined);
  if (byCode) return { outcome, error: byCode };
  const isError = readFlag(element, 'IsError') ?? record.IsError;
  if (isError === true || /^\s*(true|1)\s*$/i.test(String(ofFirst('IsError'))))
    return { outcome, error: appError('service-error', { detail: withCode(code, words) }) };
  const doubt = findDoubt(fields, element, unknown, outcome);
  if (doubt !== undefined) outcome.doubt = doubt;
  if (!nothing) return { outcome };
  const strange = codes.find((one) => one !== '0' && one !== '1');
  const wrong =
    findStrayText(element) ?? doubt ?? (strange && `its Return_Code is ${strange}`) ?? findCount(element, list.length);
  if (wrong === undefined) return { outcome };
  return { outcome, error: notPlainlyNothing(wrong, words) };
}

const listsIn = (element: XmlElement | undefined): XmlElement[] =>
  element?.children.filter(({ name }) => name === 'List') ?? [];
const hasText = ({ text }: XmlElement): boolean => text.trim() !== '';

/** Words that stand in the place of a list or a record. */
function findStrayText(element: XmlElement | undefined): string | undefined {
  const lists = listsIn(element);
  const members = lists.flatMap(({ children }) => children.filter((member) => member.children.length === 0));
  const found = [...(element ? [element] : []), ...lists, ...members].find(hasText);
  return found && `it holds words: ${found.text.trim()}`;
}

/** A count of more records than there are; one of them may say that there are none. */
function findCount(element: XmlElement | undefined, records: number): string | undefined {
  const count = ownText(element, 'RecCount');
  return Number(count) > records ? `its RecCount is ${count}` : undefined;
}

/** An answer that names no record and is none of the forms of "nothing found". */
const notPlainlyNothing = (why: string, words: string | undefined): AppError =>
  words === undefined
    ? appError('unreadable-answer', { detail: `The answer names no record and does not say “nothing found”: ${why}.` })
    : appError('service-error', { detail: words });

/** Why what an answer does not name may be there all the same; undefined: nothing suggests that. */
function findDoubt(
  fields: readonly RecordField[],
  element: XmlElement | undefined,
  unknown: readonly UnknownElement[],
  { errorMessage, truncated }: Outcome,
): string | undefined {
  const hasFlag = [...fields, ...(element?.children ?? [])].some(({ name }) => name === 'IsError');
  if (hasFlag && readFlag(element, 'IsError') === undefined) return 'its IsError is missing or unreadable';
  if (errorMessage !== undefined) return `its ErrorMessage is “${errorMessage}”`;
  if (truncated) return 'its IsTruncated is set';
  const lists = listsIn(element);
  if ([...(element ? [element] : []), ...lists].some(hasText)) return 'it holds words beside its records';
  if (lists.some(isNil)) return 'its List is nil';
  if (lists.some(({ children }) => children.length > 0 && children.every(isNil)))
    return 'its List holds nil members only';
  const strange = unknown.find(
    ({ path, value }) =>
      path.startsWith('List.') || (!path.startsWith('List[') && typeof value === 'object' && value !== null),
  );
  return strange && `it holds ${strange.path}, which is not known`;
}

/** A flag of the record itself; undefined if it was not sent, was sent twice, or is neither true nor false. */
function readFlag(element: XmlElement | undefined, name: string): boolean | undefined {
  const [flag, another] = element?.children.filter((child) => child.name === name) ?? [];
  if (!flag || another || flag.children.length > 0 || isNil(flag)) return undefined;
  const text = flag.text.trim().toLowerCase();
  return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : undefined;
}

/** The text of a member of the record itself; undefined if it was not sent, or is blank. */
const ownText = (element: XmlElement | undefined, name: string): string | undefined =>
  textOf(element?.children.find((child) => child.name === name && child.children.length === 0)?.text);

const isBlank = (value: UnknownElement['value']): boolean =>
  value === null || (typeof value === 'string' && value.trim() === '');

const isSet = (cell: unknown): boolean => /^(true|1)$/i.test(textOf(cell) ?? '');

/** The same for tables: the first Return_Code of the first row that has one decides. */
export function classifyRows(rows: readonly Readonly<Record<string, unknown>>[]): Classified {
  const first = rows.find((row) => textOf(row.Return_Code) !== undefined) ?? rows[0];
  const code = textOf(first?.Return_Code);
  const words = textOf(first?.ErrorMessage);
  // As of a typed record: one row without content is none.
  const isBlankRow = rows.length === 1 && (code === undefined || code === '1') && !rows.some(hasContent);
  const nothing = !first || (code === '0' && !hasFound(rows)) || isBlankRow;
  const outcome = describeOutcome(nothing ? 'nothing' : 'something', code, words);
  const error = code === undefined ? undefined : errorOfCode(code, words);
  if (error) return { outcome, error };
  if (rows.some((row) => isSet(row.IsTruncated))) outcome.truncated = true;
  if (isSet(first?.IsError)) return { outcome, error: appError('service-error', { detail: withCode(code, words) }) };
  if (nothing && words !== undefined) return { outcome, error: notPlainlyNothing('it has words', words) };
  return { outcome };
}

function describeOutcome(found: Found, code: string | undefined, words: string | undefined): Outcome {
  const meaning = code === undefined ? undefined : describeReturnCode(code);
  return {
    found,
    ...(code === undefined ? {} : { returnCode: code }),
    ...(meaning === undefined ? {} : { returnMeaning: meaning }),
    ...(words === undefined ? {} : { errorMessage: words }),
  };
}

function withCode(code: string | undefined, words: string | undefined): string {
  const said = words ?? 'The service gave no reason.';
  return code === undefined || code === '1' ? said : `${said} (Return_Code ${code})`;
}

/** The error of an answer's status, with what came: its words or else its type. Whether a refusal costs is not published. */
export function errorOfStatus(
  status: number,
  contentType: string,
  retryAfter: string | undefined,
  words = '',
): AppError {
  const came = words !== '' ? `: ${words}` : contentType === '' ? '' : `, ${contentType}`;
  const detail = `HTTP ${status}${came}`;
  if (status === 401) return appError('credentials-refused', { detail, ...refusal });
  if (status === 403) return appError('not-permitted', { detail, ...refusal });
  // A server that asks for a sign-in by answering the request has received the request: a proxy asks when the connection is opened.
  if (status === 407) return appError('http-error', { detail, ...proxyAsksForPassword, ...refusal });
  if (status === 511) return appError('not-the-service', { detail, ...refusal });
  if (status === 429) {
    return appError('rate-limited', {
      ...refusal,
      detail: retryAfter === undefined ? detail : `${detail}; retry after ${retryAfter}`,
      retryAfterMs: readRetryAfter(retryAfter),
    });
  }
  if (status === 404 || status === 405 || status === 410) {
    return appError('http-error', {
      detail,
      message: 'There is no such service at this address.',
      ...refusal,
      next: 'Check the SOAP address under Connections.',
    });
  }
  return appError('http-error', { detail });
}
