import type { RecordName } from '../../../shared/catalogue/records.ts';
import { describeReturnCode } from '../../../shared/catalogue/return-codes.ts';
import { type AppError, appError } from '../../../shared/errors.ts';
import { proxyAsksForPassword } from '../transport/proxy-words.ts';
import type { FoldedRecord } from './fold.ts';

export type Found = 'something' | 'nothing';

/** What an answer says about itself, apart from its value. */
export interface Outcome {
  found: Found;
  /** Of the first record, as it came. */
  returnCode?: string;
  /** The published meaning; absent where there is none. */
  returnMeaning?: string;
  errorMessage?: string;
  /** IsTruncated: the service cut the list off. */
  truncated?: boolean;
  /** RecCount, as it came. */
  recordCount?: string;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/**
 * The error of a published code, undefined for 0, 1 and those without a meaning. Only where nobody could be charged (no such
 * account, no credits) is "not charged" sure; about the others nothing is published.
 */
function errorOfCode(code: string, words: string | undefined): AppError | undefined {
  const detail = [`Return_Code ${code}: ${describeReturnCode(code) ?? 'meaning not published'}.`, words]
    .filter(Boolean)
    .join(' ');
  if (code === '201') return appError('credentials-refused', { detail, charge: 'not-charged' });
  if (code === '203') return appError('no-credits', { detail, charge: 'not-charged' });
  if (code === '301' || code === '302') return appError('input-refused', { detail, charge: 'may-have-been-charged' });
  return code === '2' ? appError('service-error', { detail }) : undefined;
}

/** Whether a record holds anything besides its code and its error fields. */
function hasContent(record: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(record).some(
    ([name, value]) => !['Return_Code', 'IsError', 'ErrorMessage'].includes(name) && textOf(value) !== undefined,
  );
}

export interface Classified {
  outcome: Outcome;
  error?: AppError;
}

/**
 * What a typed record means (field notes, "Return codes and errors"): the first record's code decides, then IsError. A list that
 * is empty, missing, or holds one record of code 0 is "nothing found".
 */
export function classifyRecord(record: FoldedRecord, isList: boolean, name: RecordName): Classified {
  const list = isList ? (record.List as FoldedRecord[]) : [record];
  const first = list[0];
  const code = textOf(first?.Return_Code);
  const words = textOf(record.ErrorMessage) ?? textOf(first?.ErrorMessage);
  // The codes of the licence operations are not published: a licence that is there is there, whatever its code says.
  const isLicence = name === 'License' || name === 'Licenses';
  const nothing =
    !first || (code === '0' && !(isLicence && hasContent(first))) || (list.length === 1 && !hasContent(first));
  const outcome = describeOutcome(nothing ? 'nothing' : 'something', code, words);
  if (typeof record.IsTruncated === 'boolean') outcome.truncated = record.IsTruncated;
  const count = textOf(record.RecCount);
  if (count !== undefined) outcome.recordCount = count;

  const byCode = code === undefined ? undefined : errorOfCode(code, words);
  if (byCode) return { outcome, error: byCode };
  const said = record.IsError === true || first?.IsError === true;
  if (said && code !== '0') return { outcome, error: appError('service-error', { detail: withCode(code, words) }) };
  return { outcome };
}

/** The same for tables: the first Return_Code of the first row that has one decides. */
export function classifyRows(rows: readonly Readonly<Record<string, unknown>>[]): Classified {
  const first = rows.find((row) => textOf(row.Return_Code) !== undefined) ?? rows[0];
  const code = textOf(first?.Return_Code);
  const words = textOf(first?.ErrorMessage);
  const nothing = !first || code === '0';
  const error = code === undefined ? undefined : errorOfCode(code, words);
  return { outcome: describeOutcome(nothing ? 'nothing' : 'something', code, words), ...(error ? { error } : {}) };
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

/** An answer without an envelope, by its status. Only refusals before the work began are surely free of charge. */
export function errorOfStatus(status: number, contentType: string, retryAfter: string | undefined): AppError {
  const detail = `HTTP ${status}${contentType === '' ? '' : `, ${contentType}`}`;
  if (status === 401) return appError('credentials-refused', { detail });
  if (status === 403) return appError('not-permitted', { detail });
  if (status === 407) return appError('proxy-failed', { detail, ...proxyAsksForPassword });
  if (status === 511) return appError('not-the-service', { detail });
  if (status === 429) {
    return appError('rate-limited', {
      detail: retryAfter === undefined ? detail : `${detail}; retry after ${retryAfter}`,
    });
  }
  if (status === 404 || status === 405 || status === 410) {
    return appError('http-error', {
      detail,
      message: 'There is no such service at this address.',
      charge: 'not-charged',
      next: 'Check the SOAP address under Connections.',
    });
  }
  return appError('http-error', { detail });
}
