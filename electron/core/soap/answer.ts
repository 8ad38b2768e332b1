import { type RecordName, records } from '../../../shared/catalogue/records.ts';
import type { RecordDef } from '../../../shared/catalogue/types.ts';
import type { DescribedElement, ServiceDescription } from '../../../shared/domain/service-description.ts';
import { type AppError, appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { createRedactor, type Redactor } from '../transport/redact.ts';
import { readDataSet } from './dataset.ts';
import { readFault } from './fault.ts';
import { foldGeneric, RecordFolder, type UnknownElement } from './fold.ts';
import { foldDescribed } from './fold-described.ts';
import { maskValue } from './mask-value.ts';
import type { ResultShape } from './operation.ts';
import { type Classified, classifyRecord, classifyRows, errorOfStatus, type Outcome } from './outcome.ts';
import { parseXml } from './parse.ts';
import { childOf, findElement, type XmlElement } from './xml-element.ts';
import { decodeXmlText, isHtmlPage } from './xml-text.ts';

/** Everything needed to read one answer, as plain data: it may cross into the worker. */
export interface DecodeJob {
  body: Uint8Array;
  status: number;
  contentType: string;
  retryAfter?: string | undefined;
  operation: string;
  result: ResultShape;
  /** What the description says of the result, for operations that only it knows. */
  described?:
    | { responseElement: string | null; result: DescribedElement | null; types: ServiceDescription['types'] }
    | undefined;
  /** Values to mask in everything that comes out. */
  secrets: string[];
}

export interface DecodedValue extends Outcome {
  value: unknown;
  unknown: UnknownElement[];
}

export interface DecodedAnswer {
  /** Redacted; empty where the bytes were not text. */
  text: string;
  result: Result<DecodedValue>;
}

/** Reads one answer, whatever it is. Pure: nothing of it depends on where it runs. */
export function decodeAnswer(job: DecodeJob, redactor: Redactor = createRedactor(job.secrets)): DecodedAnswer {
  const text = decodeXmlText(job.body, job.contentType);
  if (!text.ok) return { text: '', result: isSuccess(job.status) ? text : fail(statusError(job)) };
  const redacted = redactor.text(text.value, 'answer');
  const result = readAnswer(job, text.value);
  if (!result.ok) return { text: redacted, result: fail(maskError(result.error, redactor.text)) };
  // A comment or CDATA section could split a value in the text that is whole in the decoded value.
  const mayHoldSecret = redacted !== text.value || text.value.includes('<!');
  return { text: redacted, result: mayHoldSecret ? ok(maskValue(result.value, job.secrets)) : result };
}

function maskError(error: AppError, mask: (text: string) => string): AppError {
  return error.detail === undefined ? error : { ...error, detail: mask(error.detail) };
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;
const statusError = (job: DecodeJob): AppError => errorOfStatus(job.status, job.contentType, job.retryAfter);

/** The value or error of an answer's text, nothing masked: for `decodeAnswer`, which masks. */
export function readAnswer(job: DecodeJob, text: string): Result<DecodedValue> {
  const success = isSuccess(job.status);
  if (isHtmlPage(text)) {
    // A gateway in front of the service may have sent it after passing the request on, so nothing is said to be free.
    return fail(success ? appError('not-the-service', { charge: 'may-have-been-charged' }) : statusError(job));
  }
  if (text.trim() === '') {
    return fail(success ? appError('unreadable-answer', { detail: 'The answer is empty.' }) : statusError(job));
  }
  const root = parseXml(text);
  if (!root.ok) return success || root.error.code === 'unsafe-answer' ? root : fail(statusError(job));
  const body = root.value.name === 'Envelope' ? childOf(root.value, 'Body') : undefined;
  const fault = body && childOf(body, 'Fault');
  if (fault) return fail(readFault(fault, job.status));
  if (!success) return fail(statusError(job));
  if (!body)
    return fail(
      appError('unreadable-answer', { detail: `The answer is not a SOAP envelope but <${root.value.name}>.` }),
    );
  const expected = job.described?.responseElement ?? `${job.operation}Response`;
  const response = childOf(body, expected) ?? body.children.find((child) => child.name.endsWith('Response'));
  if (!response) {
    return fail(appError('unreadable-answer', { detail: `The answer holds no ${expected}.` }));
  }
  return readResult(job, response);
}

function findResult(job: DecodeJob, response: XmlElement): XmlElement | undefined {
  const named = childOf(response, job.described?.result?.name ?? `${job.operation}Result`);
  if (named) return named;
  return (
    childOf(response, `${job.operation}Result`) ?? (response.children.length === 1 ? response.children[0] : undefined)
  );
}

function readResult(job: DecodeJob, response: XmlElement): Result<DecodedValue> {
  const element = findResult(job, response);
  switch (job.result) {
    case 'string':
      return ok(readText(element));
    case 'integer':
      return readInteger(element);
    case 'dataset':
      return readTables(element);
    case 'described':
    case 'not-shown':
      return readDescribed(job, element);
    default:
      return readRecord(job.result, element);
  }
}

function readText(element: XmlElement | undefined): DecodedValue {
  const value = element?.text ?? '';
  const unknown = (element?.children ?? []).map((child) => ({ path: child.name, value: foldGeneric(child) }));
  return { value, unknown, found: value.trim() === '' && unknown.length === 0 ? 'nothing' : 'something' };
}

function readInteger(element: XmlElement | undefined): Result<DecodedValue> {
  const text = element?.text.trim() ?? '';
  const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) {
    return fail(
      appError('unreadable-answer', { detail: `The answer should be a whole number and is “${text.slice(0, 80)}”.` }),
    );
  }
  return ok({ value, unknown: [], found: 'something' });
}

const settle = (value: unknown, unknown: UnknownElement[], { outcome, error }: Classified): Result<DecodedValue> =>
  error ? fail(error) : ok({ ...outcome, value, unknown });

function readRecord(name: RecordName, element: XmlElement | undefined): Result<DecodedValue> {
  const folder = new RecordFolder();
  const record = folder.fold(name, element);
  const def: RecordDef = records[name];
  return settle(record, folder.unknown, classifyRecord(record, def.listOf !== undefined, name));
}

function readTables(element: XmlElement | undefined): Result<DecodedValue> {
  const value = readDataSet(element);
  return settle(value, [], classifyRows(value.tables.flatMap((table) => table.rows)));
}

/** Operations without a published result: text, members as they stand, or tables where a diffgram came. */
function readDescribed(job: DecodeJob, element: XmlElement | undefined): Result<DecodedValue> {
  if (element && findElement(element, 'diffgram')) return readTables(element);
  const value = element ? foldDescribed(element, job.described?.result ?? undefined, job.described?.types ?? {}) : null;
  const blank = value === null || (typeof value === 'string' && value.trim() === '');
  return ok({ value, unknown: [], found: blank ? 'nothing' : 'something' });
}
