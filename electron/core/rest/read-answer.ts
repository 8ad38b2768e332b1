import type { RawAnswer } from '../../../shared/domain/call.ts';
import { type AppError, appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Compared } from '../transport/compare-answer.ts';
import { createRedactor, type Redactor } from '../transport/redact/redact.ts';
import { maskByName } from '../transport/redact/redact-fields.ts';
import { boundAnswer } from './bound-answer.ts';
import { compareAnswer } from './compare-answer.ts';
import { decodeText, type Json, parseJson, parseJsonTexts, type TextJson } from './json-text.ts';
import type { RestFields } from './parameters.ts';
import { errorOfBody, errorOfStatus, findErrorText, isWebPage, summarise } from './refusals.ts';
import type { ReadValue } from './rest-answer.ts';
import { type RestMeaning, readMeaning } from './transform.ts';

export interface ReadAnswer {
  raw: RawAnswer;
  result: Result<ReadValue>;
  /** With the question, the complete answer; absent if there is nothing to compare. */
  compared?: Compared;
}

/** Its text is a string yet. */
type ReadHere = ReadAnswer & { raw: { text: string } };

/** Everything needed to decode one answer, as plain data: it may cross into the worker. */
export interface RestJob {
  body: Uint8Array;
  status: number;
  headers: Record<string, string>;
  endpoint: string;
  /** Values to mask in everything that comes out. */
  secrets: string[];
  /** From the question, if the answer can name what was asked for. */
  asked?: RestFields | undefined;
  /** The answer stays under this name where it is decoded, to be read page by page (decode/browse), if that is a separate thread. */
  keep?: string | undefined;
  /** True: only as much of it is returned as the program can continue with (bound-answer.ts). False: all of it, for a script. */
  bounded: boolean;
}

/**
 * Bytes to meaning, with secrets masked before anything is looked at. Pure: nothing depends on where it runs. Errors: those of the status,
 * 'not-the-service' (a web page), 'service-error' (a 2xx that says it failed), 'not-found' (no record in it), 'unreadable-answer'.
 */
export function readAnswer(job: RestJob, redactor: Redactor = createRedactor(job.secrets)): ReadHere {
  const { raw, result } = read(job, redactor);
  if (!result.ok) return { raw, result };
  const compared = job.asked && { compared: compareAnswer(job.endpoint, job.asked, result.value) };
  return { raw, result: job.bounded ? ok(boundAnswer(result.value)) : result, ...compared };
}

function read({ endpoint, ...answer }: RestJob, redactor: Redactor): ReadHere {
  const contentType = answer.headers['content-type'] ?? '';
  const text = decodeText(answer.body, contentType);
  const shown = redactor.text(text, 'answer');
  const headers = redactor.headers(answer.headers, 'answer');
  const raw = { status: answer.status, headers, text: shown, bytes: answer.body.byteLength };
  return { raw, result: interpret(endpoint, raw, text, contentType, redactor) };
}

function interpret(
  endpoint: string,
  raw: ReadHere['raw'],
  text: string,
  contentType: string,
  redactor: Redactor,
): Result<ReadValue> {
  const page = isWebPage(raw.text, contentType);
  const parsed = page ? null : parseBoth(text, text === raw.text ? null : redactor);
  const body = parsed?.ok ? parsed.value : null;
  const words = (body === null ? '' : findErrorText(body.texts)) || summarise(raw.text);
  const refused = errorOfStatus(raw.status, words, raw.headers, page, endpoint);
  if (refused !== undefined) return fail(refused);
  if (page) {
    // A gateway may have sent it after passing the request on, so a charge is not ruled out.
    return fail(appError('not-the-service', { charge: 'may-have-been-charged', detail: summarise(raw.text) }));
  }
  if (parsed === null || !parsed.ok) return fail(parsed?.error ?? unreadable('The answer is empty.'));
  const meaning = readMeaning(endpoint, parsed.value.texts);
  const isShell = meaning === null || meaning.kind === 'missing' || (meaning.kind === 'search' && meaning.absent);
  // “Nothing found” and a balance are what a service may fill in beside an error; a record and a list with rows are shown.
  if (isShell || meaning.kind === 'balance' || (meaning.kind === 'search' && meaning.search.items.length === 0)) {
    const failed = errorOfBody(parsed.value.texts, raw.headers, endpoint, !isShell);
    if (failed !== undefined) return fail(failed);
    if (meaning?.kind === 'search' && meaning.oddTotal !== '')
      return fail(unreadable(`The list is empty, and its totalResults is “${meaning.oddTotal}”.`));
    if (givesTwice(text)) return fail(unreadable('The JSON gives its list, its record or its balance twice.'));
  }
  if (meaning === null) return fail(unreadable('The JSON has neither published shape.'));
  if (meaning.kind === 'missing') return fail(missing());
  const doubt = findDoubt(parsed.value.texts, raw.headers, endpoint, meaning);
  return ok({
    value: parsed.value.value,
    shape: meaning.shape,
    ...modelOf(meaning),
    ...(doubt === undefined ? {} : { doubt }),
  });
}

/** Why there may be more than an answer names; undefined: nothing suggests that. */
function findDoubt(
  texts: TextJson,
  headers: Record<string, string>,
  endpoint: string,
  meaning: RestMeaning,
): string | undefined {
  if (errorOfBody(texts, headers, endpoint, true) !== undefined) {
    const said = findErrorText(texts);
    return said === '' ? 'it says that it failed' : `it says “${said}”`;
  }
  return meaning.kind === 'search' && meaning.oddTotal !== '' ? `its totalResults is “${meaning.oddTotal}”` : undefined;
}

function modelOf(
  meaning: Exclude<RestMeaning, { kind: 'missing' }>,
): Pick<ReadValue, 'address' | 'search' | 'balance'> {
  switch (meaning.kind) {
    case 'address':
      return { address: meaning.address };
    case 'search':
      return { search: meaning.search };
    case 'balance':
      return { balance: meaning.balance };
  }
}

const readOnce: ReadonlySet<string> = new Set([
  'results',
  'items',
  'item',
  'premise',
  'geodata',
  'credits',
  'remaining',
]);

/**
 * Of two members of one name in one object the parser takes the last: that of “nothing found”, or of another balance. Objects inside others
 * may have members of the same names.
 */
function givesTwice(text: string): boolean {
  const objects: Set<string>[] = [];
  // Without what is escaped a string ends at the next quote.
  for (const [token, name] of text.replace(/\\./g, '').matchAll(/"([^"]*)"\s*:|"[^"]*"|[{}]/g)) {
    if (token === '{') objects.push(new Set());
    else if (token === '}') objects.pop();
    const known = name?.toLowerCase() ?? '';
    if (!readOnce.has(known)) continue;
    if (objects.at(-1)?.has(known)) return true;
    objects.at(-1)?.add(known);
  }
  return false;
}

const unreadable = (detail: string): AppError => appError('unreadable-answer', { detail });

const missing = (): AppError =>
  appError('not-found', {
    charge: 'may-have-been-charged',
    money: 'The service answered, so it may have cost credits.',
  });

/** Answers of the service are four levels deep. What walks over them later uses the stack. */
const deepest = 64;

function isDeeper(value: Json, levels: number): boolean {
  if (value === null || typeof value !== 'object') return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((inner) => isDeeper(inner, levels - 1));
  for (const name in value) if (isDeeper(value[name] ?? null, levels - 1)) return true;
  return false;
}

/** As it came, and with numbers as texts. With a redactor every string of both is masked, by value and by field name. */
function parseBoth(text: string, redactor: Redactor | null): Result<{ value: Json; texts: TextJson }> {
  if (text.trim() === '') return fail(unreadable('The answer is empty.'));
  try {
    const value = parseJson(text);
    if (isDeeper(value, deepest)) {
      return fail(unreadable(`The JSON is nested deeper than ${deepest} levels.`));
    }
    const texts = parseJsonTexts(text);
    if (redactor === null) return ok({ value, texts });
    return ok({ value: maskTree('', value, redactor), texts: maskTree('', texts, redactor) });
  } catch {
    // The parser's own message quotes the answer, secrets included.
    return fail(unreadable('The answer is not JSON.'));
  }
}

/** Names whose value is the secret in answers; `key` is a premise identifier there (redact-fields.ts). */
const isPlainInAnswers = (name: string): boolean => name.toLowerCase() === 'key';

function maskTree<T extends Json | TextJson>(name: string, value: T, redactor: Redactor): T {
  if (typeof value === 'string' || typeof value === 'number') {
    const text = String(value);
    const masked = redactor.text(isPlainInAnswers(name) ? text : maskByName(name, text), 'answer');
    return (masked === text ? value : masked) as T;
  }
  if (Array.isArray(value)) return value.map((item) => maskTree(name, item as T, redactor)) as unknown as T;
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    redactor.text(key, 'answer'),
    maskTree(key, inner as T, redactor),
  ]);
  return Object.fromEntries(entries) as T;
}
