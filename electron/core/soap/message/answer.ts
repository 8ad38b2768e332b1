import { type RecordName, records } from '../../../../shared/catalogue/records.ts';
import type { RawAnswer } from '../../../../shared/domain/call.ts';
import { plainId } from '../../../../shared/domain/licences/licence-ids.ts';
import { type AppError, appError } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import type { Compared } from '../../transport/compare-answer.ts';
import { refusalInPage } from '../../transport/connect/client-certificate-messages.ts';
import { createRedactor, type Redactor } from '../../transport/redact/redact.ts';
import type { DescribedResult, ResultShape } from '../operation.ts';
import { childOf, findElement, isNil, type XmlElement } from '../xml/element.ts';
import { parseXml } from '../xml/parse.ts';
import { decodeXmlText, isHtmlPage } from '../xml/text.ts';
import { compareAnswer } from './compare-answer.ts';
import { readDataSet, wordsBesideRows } from './dataset.ts';
import { errorOfFault } from './fault.ts';
import { countElements, type FoldedRecord, foldGeneric, RecordFolder, type UnknownElement } from './fold.ts';
import { foldDescribed } from './fold-described.ts';
import { maskValue } from './mask-value.ts';
import { type Classified, classifyRecord, classifyRows, errorOfStatus, type Outcome } from './outcome.ts';
import { giveList, type RecordRuns, takeOutRuns } from './record-runs.ts';

/** Everything needed to decode one answer, as plain data: it may cross into the worker. */
export interface DecodeJob {
  body: Uint8Array;
  status: number;
  contentType: string;
  retryAfter?: string | undefined;
  operation: string;
  /** Of the response element: the description's, else the one the request was sent in. null: an answer that was decoded before. */
  namespace: string | null;
  result: ResultShape;
  /** What the description says of the result, for operations that only it knows. */
  described?: DescribedResult | undefined;
  /** Values to mask in everything that comes out. */
  secrets: string[];
  /** What the answer should name, if it can; absent: it is compared with nothing. */
  asked?: string[] | undefined;
  /** The answer stays under this name where it is decoded, to be read page by page (decode/browse), if that is a separate thread. */
  keep?: KeepAnswer | undefined;
  /** The licence whose GUID is handed out on request: it is returned beside the value, in which it is masked as ever. */
  revealGuidOf?: string | undefined;
}

export interface DecodedValue extends Outcome {
  value: unknown;
  unknown: UnknownElement[];
  /** If one was requested, and the answer names that licence exactly once with one. */
  revealedGuid?: string;
}

export interface KeepAnswer {
  key: string;
  /** The whole value is returned as well; otherwise its first members, as many as can be compared with another answer. */
  whole: boolean;
}

export interface DecodedAnswer {
  /** Redacted; empty if the bytes were not text. */
  text: RawAnswer['text'];
  result: Result<DecodedValue>;
  /** With the question, if the answer says that something was found. */
  compared?: Compared;
}

/**
 * Decodes one answer, whatever it is. Pure: nothing depends on where it runs. Errors: those of the status, of a fault ('soap-fault') and of
 * the answer's own code (outcome.ts), 'not-the-service', 'answered-other', 'answer-too-large', 'unreadable-answer', 'unsafe-answer'.
 */
export function decodeAnswer(
  job: DecodeJob,
  redactor: Redactor = createRedactor(job.secrets),
): DecodedAnswer & { text: string } {
  const text = decodeXmlText(job.body, job.contentType);
  if (!text.ok) return { text: '', result: isSuccess(job.status) ? text : fail(statusError(job)) };
  const runs = runsOf(job, text.value);
  const redacted = runs && holdsNoSecret(runs, text.value, redactor) ? text.value : redactor.text(text.value, 'answer');
  const result = readAnswer(job, text.value, runs);
  if (!result.ok) return { text: redacted, result: fail(maskError(result.error, redactor.text)) };
  const mayHoldSecret = redacted !== text.value || mayBeSplit(text.value, result.value);
  const masked = mayHoldSecret ? maskValue(result.value, job.secrets) : result.value;
  const compared =
    job.asked === undefined || masked.found === 'nothing'
      ? {}
      : { compared: compareAnswer(job.operation, job.asked, masked.value) };
  const revealedGuid = job.revealGuidOf === undefined ? undefined : findGuid(result.value.value, job.revealGuidOf);
  return { text: redacted, result: ok(revealedGuid === undefined ? masked : { ...masked, revealedGuid }), ...compared };
}

/**
 * Whether a value that is whole once decoded may be in pieces in the text: by a comment, a CDATA section or an instruction in it or, in an
 * answer of words, an element.
 */
const mayBeSplit = (text: string, { value, unknown }: DecodedValue): boolean =>
  text.includes('<!') || text.indexOf('<?', 1) !== -1 || (typeof value === 'string' && unknown.length > 0);

/** Characters. Shorter ones are decoded directly faster than a pattern is learnt and built. */
const shortestOfRuns = 16 * 1024;

const runsOf = ({ status, result }: DecodeJob, text: string): RecordRuns | null =>
  text.length > shortestOfRuns && isSuccess(status) && Object.hasOwn(records, result)
    ? takeOutRuns(result as RecordName, text)
    : null;

/** Whether masking would leave the text as it is: no known value in any of it, no secret field name in the frame or the runs. */
const holdsNoSecret = ({ isPlain, frame }: RecordRuns, text: string, redactor: Redactor): boolean =>
  isPlain && !redactor.mayHoldKnown(text) && redactor.text(frame, 'answer') === frame;

/** The GUID of a licence in a list that names it exactly once. */
function findGuid(value: unknown, licenceNumber: string): string | undefined {
  const list = (value as { List?: unknown } | null)?.List;
  const records = (Array.isArray(list) ? list : []) as Partial<Record<'LicenseID' | 'GUID', string>>[];
  const named = records.filter(({ LicenseID = '' }) => plainId(LicenseID) === licenceNumber);
  const guid = named.length === 1 ? named[0]?.GUID?.trim() : undefined;
  return guid === '' ? undefined : guid;
}

/** The service's own words are the only clue, so they are cut late; the raw text has them whole. */
const longestDetail = 20_000;

function maskError(error: AppError, mask: (text: string) => string): AppError {
  if (error.detail === undefined) return error;
  const detail = mask(error.detail);
  return { ...error, detail: detail.length > longestDetail ? `${detail.slice(0, longestDetail)} …` : detail };
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;
const statusError = (job: DecodeJob): AppError => errorOfStatus(job.status, job.contentType, job.retryAfter);

/** The value or error of an answer's text, nothing masked: for `decodeAnswer`, which masks. */
export function readAnswer(
  job: DecodeJob,
  text: string,
  runs: RecordRuns | null = runsOf(job, text),
): Result<DecodedValue> {
  const frame = runs && readText(job, runs.frame);
  // The first record's code says “nothing”; whether all of them do is known when all are read.
  const whole = runs && frame?.ok && frame.value.found === 'something' ? putBack(frame.value, runs) : undefined;
  return whole ?? readText(job, text);
}

/** Undefined: the runs belong to something other than the list of the result. */
function putBack(frame: DecodedValue, runs: RecordRuns): Result<DecodedValue> | undefined {
  const record = frame.value as FoldedRecord;
  const whole = runs.putBack(record.List as FoldedRecord[], frame.unknown);
  if (whole === undefined) return undefined;
  if (whole.list.length > mostRecords) return tooMany(`${mostRecords} records`);
  giveList(record, whole.list);
  return ok({ ...frame, unknown: whole.unknown });
}

function readText(job: DecodeJob, text: string): Result<DecodedValue> {
  const success = isSuccess(job.status);
  if (isHtmlPage(text)) {
    // A gateway in front of the service may have sent it after passing the request on, so a charge is not ruled out.
    if (success) return fail(appError('not-the-service', { charge: 'may-have-been-charged' }));
    const ofCertificate = refusalInPage(job.status, text.slice(0, 8000));
    if (ofCertificate === null) return fail(statusError(job));
    return fail(appError(ofCertificate, { charge: 'may-have-been-charged', detail: statusError(job).detail }));
  }
  if (text.trim() === '') {
    return fail(success ? appError('unreadable-answer', { detail: 'The answer is empty.' }) : statusError(job));
  }
  const root = parseXml(text);
  if (!root.ok) return success || root.error.code === 'unsafe-answer' ? root : fail(statusError(job));
  const body = root.value.name === 'Envelope' ? childOf(root.value, 'Body') : undefined;
  const fault = body && childOf(body, 'Fault');
  if (fault) return fail(errorOfFault(fault, job));
  if (!success) return fail(statusError(job));
  if (!body)
    return fail(
      appError('unreadable-answer', { detail: `The answer is not a SOAP envelope but <${root.value.name}>.` }),
    );
  const result = findResult(job, body);
  return result.ok ? readResult(job, result.value) : result;
}

const somethingElse = (detail: string) => fail(appError('answered-other', { detail }));
const nameOf = ({ name, namespace }: XmlElement): string =>
  `<${name}>${namespace === undefined ? ' without a declared namespace' : namespace === '' ? ' in no namespace' : ` in “${namespace}”`}`;

/**
 * The result element of this operation's response, both in the namespaces that the request or the description names: another operation's
 * answer read as this one's would look like "nothing found". Undefined if the description says that there is none.
 */
function findResult(job: DecodeJob, body: XmlElement): Result<XmlElement | undefined> {
  const { described, operation } = job;
  const expected = described?.responseElement ?? `${operation}Response`;
  if (body.children.length === 0)
    return fail(appError('unreadable-answer', { detail: 'The body of the answer is empty.' }));
  const response = body.children.find(({ name }) => name === expected);
  if (!response || body.children.length !== 1) {
    return somethingElse(`${expected} was expected, ${body.children.map(nameOf).join(', ')} came.`);
  }
  const namespace = job.namespace ?? response.namespace;
  if (response.namespace !== namespace)
    return somethingElse(`${expected} was expected in “${namespace}”, ${nameOf(response)} came.`);
  const name = described?.result?.name ?? `${operation}Result`;
  const named = response.children.filter((child) => child.name === name);
  const [result] = named;
  if (!result) {
    if (described?.responseElement && described.result === null) return ok(undefined);
    return fail(appError('unreadable-answer', { detail: `The answer ${expected} holds no ${name}.` }));
  }
  if (named.length > 1)
    return fail(appError('unreadable-answer', { detail: `The answer ${expected} holds ${name} more than once.` }));
  const own = described?.result?.namespace ?? namespace;
  if (result.namespace !== own) return somethingElse(`${name} was expected in “${own}”, ${nameOf(result)} came.`);
  if (isNil(result)) return fail(appError('unreadable-answer', { detail: `The answer’s ${name} is nil.` }));
  return ok(result);
}

function readResult(job: DecodeJob, element: XmlElement | undefined): Result<DecodedValue> {
  switch (job.result) {
    case 'string':
      return ok(readWords(element));
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

function readWords(element: XmlElement | undefined): DecodedValue {
  const value = element?.text ?? '';
  const unknown = (element?.children ?? []).map((child) => ({ path: child.name, value: foldGeneric(child) }));
  return { value, unknown, found: value.trim() === '' && unknown.length === 0 ? 'nothing' : 'something' };
}

function readInteger(element: XmlElement | undefined): Result<DecodedValue> {
  const text = element?.text.trim() ?? '';
  const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) {
    return fail(
      // Cut once it is masked: a part of a key would not be recognised.
      appError('unreadable-answer', { detail: `The answer should be a whole number and is “${text}”.` }),
    );
  }
  return ok({ value, unknown: [], found: 'something' });
}

const classified = (value: unknown, unknown: UnknownElement[], { outcome, error }: Classified): Result<DecodedValue> =>
  error ? fail(error) : ok({ ...outcome, value, unknown });

/** Records of one answer. The longest lists of the service, of a whole post town, have about ten thousand. */
const mostRecords = 100_000;
/** Elements of an answer whose form is not published. */
const mostElements = 200_000;

const tooMany = (what: string): Result<never> =>
  fail(appError('answer-too-large', { detail: `It holds more than ${what}.` }));

function readRecord(name: RecordName, element: XmlElement | undefined): Result<DecodedValue> {
  const folder = new RecordFolder();
  const record = folder.fold(name, element);
  if (Array.isArray(record.List) && record.List.length > mostRecords) return tooMany(`${mostRecords} records`);
  return classified(record, folder.unknown, classifyRecord(name, record, folder.unknown, element));
}

function readTables(element: XmlElement | undefined): Result<DecodedValue> {
  if (!element || element.children.length === 0)
    return fail(appError('unreadable-answer', { detail: 'The answer’s result holds no data set.' }));
  const value = readDataSet(element);
  const rows = value.tables.reduce((sum, table) => sum + table.rows.length, 0);
  if (rows > mostRecords) return tooMany(`${mostRecords} rows`);
  const words = rows === 0 ? wordsBesideRows(element) : '';
  if (words !== '')
    return fail(appError('unreadable-answer', { detail: `The answer’s data set has no rows, but words: ${words}` }));
  return classified(value, [], classifyRows(value.tables.flatMap((table) => table.rows)));
}

/** Operations without a published result: text, members as they stand, or tables if a diffgram came. */
function readDescribed(job: DecodeJob, element: XmlElement | undefined): Result<DecodedValue> {
  if (element && findElement(element, 'diffgram')) return readTables(element);
  if (element && countElements(element, mostElements) > mostElements) return tooMany(`${mostElements} elements`);
  const value = element ? foldDescribed(element, job.described?.result ?? undefined, job.described?.types ?? {}) : null;
  const blank = value === null || (typeof value === 'string' && value.trim() === '');
  return ok({ value, unknown: [], found: blank ? 'nothing' : 'something' });
}

/** Where answers are decoded: core/decode does it off the main thread. Never rejects. */
export interface AnswerDecoder {
  decode(job: DecodeJob, signal?: AbortSignal, redactor?: Redactor): Promise<DecodedAnswer>;
}
