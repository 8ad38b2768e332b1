import type { RecordName, RecordValue } from '../../../shared/catalogue/records.ts';
import {
  type DatasetOperationName,
  datasetSuffix,
  type SoapOperationName,
  type SoapOperationOf,
} from '../../../shared/catalogue/soap-operations.ts';
import type { RawAnswer, RedactedRequest, Timings } from '../../../shared/domain/call.ts';
import type { SoapVersion } from '../../../shared/domain/connection.ts';
import type { ServiceDescription } from '../../../shared/domain/service-description.ts';
import { type AppError, appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { isSecretField } from '../../../shared/secret-fields.ts';
import type { CallProfile } from '../connections/profile.ts';
import { proveDestination } from '../transport/origin.ts';
import { createRedactor, type Redactor } from '../transport/redact.ts';
import type { IncomingAnswer, OutgoingRequest, Transport } from '../transport/transport.ts';
import type { DecodeJob } from './answer.ts';
import { fillCredentials } from './credentials.ts';
import type { DataSet } from './dataset.ts';
import { createDecoder, type Decoder } from './decoder.ts';
import { actionOf, buildEnvelope, buildHeaders, type FieldValues, isXmlText, readFields } from './envelope.ts';
import type { UnknownElement } from './fold.ts';
import { type CallableOperation, resolveOperation } from './operation.ts';
import type { Outcome } from './outcome.ts';

type ResultValue<R> = R extends RecordName
  ? RecordValue<R>
  : R extends 'integer'
    ? number
    : R extends 'string'
      ? string
      : unknown;

/** The decoded value of an operation by its name; `unknown` for names the catalogue does not have. */
export type SoapValue<N extends string> = N extends DatasetOperationName
  ? DataSet
  : N extends SoapOperationName
    ? ResultValue<SoapOperationOf<N>['result']>
    : unknown;

/** What left and what came back, redacted; `raw` is absent where no answer came. */
export interface SoapExchange {
  request: RedactedRequest;
  raw?: RawAnswer;
  timings?: Timings;
}

export interface SoapAnswer<V = unknown> extends Outcome {
  /** By the record's own field names; secret values masked. */
  value: V;
  /** Elements that no definition knows, beside the value. */
  unknown: UnknownElement[];
  raw: RawAnswer;
  request: RedactedRequest;
  timings: Timings;
}

export interface SoapCall<N extends string = string> {
  profile: CallProfile;
  /** One of the 50 published names, or one that the description knows. */
  operation: N;
  /** By field name; credentials are filled from the profile unless given here. */
  fields?: FieldValues;
  /** The data-set twin of `operation`. */
  dataset?: boolean;
  /** The service's own description, where it has been read. */
  description?: ServiceDescription | undefined;
  transport: Transport;
  /** Long answers are decoded in its worker; without one, here. */
  decoder?: Decoder;
  timeoutMs: number;
  /** Of the answer's body; default 32 MB. */
  maxBytes?: number;
  signal?: AbortSignal | undefined;
  /** Told of every exchange that left, also of failed ones, before the result is given back. */
  observe?: (exchange: SoapExchange) => void;
}

const defaultMaxBytes = 32 * 1024 * 1024;
const inlineDecoder = createDecoder();

interface Prepared {
  operation: CallableOperation;
  outgoing: Omit<OutgoingRequest, 'timeoutMs' | 'maxBytes' | 'signal'> & { body: string };
  secrets: string[];
}

/**
 * The address of a call: the description's where it is of the configured origin, else the configured one, without `?WSDL`.
 * Errors: 'not-configured', 'wrong-origin', 'insecure-address'.
 */
export function chooseAddress(profile: CallProfile, description: ServiceDescription | undefined): Result<URL> {
  const { soapUrl, soapVersion } = profile.connection;
  const configured = soapUrl.trim().replace(/\?(wsdl|singlewsdl)$/i, '');
  if (configured === '') return fail(appError('not-configured', { field: 'soapUrl' }));
  const described =
    description?.addresses[soapVersion] ?? description?.addresses[soapVersion === '1.1' ? '1.2' : '1.1'];
  const proved = described ? proveDestination(described, configured) : undefined;
  return proved?.ok ? proved : proveDestination(configured, configured);
}

/** The connection's version, unless the description offers the operation only over the other. */
function chooseVersion(configured: SoapVersion, { described }: CallableOperation): SoapVersion {
  const other: SoapVersion = configured === '1.1' ? '1.2' : '1.1';
  return described?.actions[configured] === undefined && described?.actions[other] !== undefined ? other : configured;
}

/** Everything that can be refused before a byte leaves. Credentials come last, after the address is proved. */
function prepareCall(call: SoapCall): Result<Prepared> {
  const { profile, description } = call;
  const name =
    call.dataset && !call.operation.endsWith(datasetSuffix) ? call.operation + datasetSuffix : call.operation;
  const operation = resolveOperation(name, description);
  if (!operation.ok) return operation;
  const texts = readFields(operation.value, call.fields ?? {}, profile.connection.listSeparator);
  if (!texts.ok) return texts;
  const namespace = operation.value.namespace ?? (description?.targetNamespace || profile.connection.soapNamespace);
  if (namespace === '') {
    return fail(
      appError('not-configured', { message: 'The connection has no SOAP namespace.', field: 'soapNamespace' }),
    );
  }
  const version = chooseVersion(profile.connection.soapVersion, operation.value);
  const headers = buildHeaders(version, actionOf(version, namespace, operation.value));
  if (!headers.ok) return headers;
  const url = chooseAddress(profile, description);
  if (!url.ok) return url;
  const credentials = fillCredentials(operation.value.fields, new Set(texts.value.keys()), profile);
  if (!credentials.ok) return credentials;
  const all = new Map(texts.value);
  for (const [field, value] of credentials.value) {
    if (!isXmlText(value))
      return fail(appError('bad-input', { message: `${field} holds a character that cannot be sent.`, field }));
    all.set(field, [value]);
  }
  return ok({
    operation: operation.value,
    outgoing: {
      method: 'POST',
      url: url.value,
      headers: headers.value,
      body: buildEnvelope(version, namespace, operation.value, all),
    },
    secrets: collectSecrets(profile, all),
  });
}

/** Every secret of the profile, sent or not, and what the caller gave for secret fields. */
function collectSecrets(profile: CallProfile, texts: ReadonlyMap<string, readonly string[]>): string[] {
  const given = [...texts].flatMap(([name, values]) => (isSecretField(name) ? values : []));
  const kept = Object.values(profile.secrets).filter((value): value is string => typeof value === 'string');
  return [...new Set([...kept, ...given])].filter((value) => value !== '');
}

function redactRequest({ outgoing }: Prepared, redactor: Redactor): RedactedRequest {
  return {
    method: outgoing.method,
    url: redactor.text(outgoing.url.href, 'request'),
    headers: redactor.headers(outgoing.headers, 'request'),
    body: redactor.text(outgoing.body, 'request'),
  };
}

function jobOf(prepared: Prepared, answer: IncomingAnswer, description: ServiceDescription | undefined): DecodeJob {
  const { operation, secrets } = prepared;
  return {
    body: answer.body,
    status: answer.status,
    contentType: answer.headers['content-type'] ?? '',
    retryAfter: answer.headers['retry-after'],
    operation: operation.name,
    result: operation.result,
    described: operation.described && {
      responseElement: operation.described.responseElement,
      result: operation.described.result,
      types: description?.types ?? {},
    },
    secrets,
  };
}

/**
 * Makes one call, once. Everything that is wrong with the input, the credentials or the address is refused before anything
 * leaves ('bad-input', 'unknown-operation', 'no-credential', 'not-configured', 'wrong-origin', 'insecure-address'); what comes
 * back is told apart into an answer and the codes of shared/errors.ts. Never rejects.
 */
export async function callSoap<N extends SoapOperationName>(
  call: SoapCall<N> & { dataset: true },
): Promise<Result<SoapAnswer<DataSet>>>;
export async function callSoap<N extends string>(call: SoapCall<N>): Promise<Result<SoapAnswer<SoapValue<N>>>>;
export async function callSoap(call: SoapCall): Promise<Result<SoapAnswer>> {
  if (call.signal?.aborted) return fail(appError('cancelled'));
  const prepared = prepareCall(call);
  if (!prepared.ok) return prepared;
  const redactor = createRedactor(prepared.value.secrets);
  const request = redactRequest(prepared.value, redactor);
  const { timeoutMs, maxBytes = defaultMaxBytes, signal } = call;
  const sent = await call.transport({ ...prepared.value.outgoing, timeoutMs, maxBytes, signal });
  if (!sent.ok) {
    call.observe?.({ request });
    return fail(redactError(sent.error, redactor.text));
  }
  const answer = sent.value;
  const headers = redactor.headers(answer.headers, 'answer');
  const rawOf = (text: string): RawAnswer => ({ status: answer.status, headers, text, bytes: answer.body.byteLength });
  if (answer.status >= 300 && answer.status < 400) {
    call.observe?.({ request, raw: rawOf(''), timings: answer.timings });
    return fail(
      appError('redirect-refused', {
        detail: `HTTP ${answer.status} to ${headers.location ?? 'an address not named'}`,
      }),
    );
  }
  const started = performance.now();
  const decoded = await (call.decoder ?? inlineDecoder).decode(
    jobOf(prepared.value, answer, call.description),
    signal,
    redactor,
  );
  const took = performance.now() - started;
  const timings: Timings = { ...answer.timings, decoded: took, total: answer.timings.total + took };
  const raw = rawOf(decoded.text);
  call.observe?.({ request, raw, timings });
  return decoded.result.ok ? ok({ ...decoded.result.value, raw, request, timings }) : decoded.result;
}

function redactError(error: AppError, mask: (text: string) => string): AppError {
  return error.detail === undefined ? error : { ...error, detail: mask(error.detail) };
}
