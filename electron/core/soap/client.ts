import type { RecordName, RecordValue } from '../../../shared/catalogue/records.ts';
import type {
  DatasetOperationName,
  SoapOperationName,
  SoapOperationOf,
} from '../../../shared/catalogue/soap-operations.ts';
import type { Exchange, RawAnswer, RedactedRequest, Timings } from '../../../shared/domain/call.ts';
import { type AppError, appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { loadPart } from '../load-part.ts';
import { askAndRead, subjectOf, unknown } from '../transport/compare-answer.ts';
import { createRedactor, type Redactor } from '../transport/redact/redact.ts';
import type { IncomingAnswer, Transport } from '../transport/transport.ts';
import type { AnswerDecoder, DecodedAnswer, DecodeJob, KeepAnswer } from './message/answer.ts';
import { askedOf } from './message/compare-answer.ts';
import type { DataSet } from './message/dataset.ts';
import type { UnknownElement } from './message/fold.ts';
import type { Outcome } from './message/outcome.ts';
import { type CallToPrepare, type Prepared, prepareCall } from './message/prepare-call.ts';
import { describedOf } from './operation.ts';

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

export interface SoapAnswer<V = unknown> extends Outcome {
  /** By the record's own field names; secret values masked. */
  value: V;
  /** Elements that no definition knows, beside the value. */
  unknown: UnknownElement[];
  raw: RawAnswer;
  request: RedactedRequest;
  timings: Timings;
  /** Of the licence it was requested for, whole: for the clipboard alone. */
  revealedGuid?: string;
}

export interface SoapCall<N extends string = string> extends CallToPrepare {
  operation: N;
  transport: Transport;
  /** Long answers are decoded in its worker; without one, here. */
  decoder?: AnswerDecoder;
  timeoutMs: number;
  /** The name under which a long answer stays with the decoder, to be read page by page. */
  keep?: KeepAnswer | undefined;
  /** The licence whose GUID is to be returned beside the value. */
  revealGuidOf?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Receives what was handed to the transport, and what came back, before the result is returned; also a call of which nothing left. */
  observe?: (exchange: Exchange) => void;
}

/** Of the answer's body. What is taken of records, 100,000 (message/answer.ts), has about 1 kB each where they are whole addresses. */
const maxBytes = 128 * 1024 * 1024;

function redactRequest({ outgoing }: Prepared, redactor: Redactor): RedactedRequest {
  return {
    method: outgoing.method,
    url: redactor.text(outgoing.url.href, 'request'),
    headers: redactor.headers(outgoing.headers, 'request'),
    body: redactor.text(outgoing.body, 'request'),
  };
}

function jobOf(
  prepared: Prepared,
  answer: IncomingAnswer,
  { description, revealGuidOf, keep }: Pick<SoapCall, 'description' | 'revealGuidOf' | 'keep'>,
  asked: string[] | undefined,
): DecodeJob {
  const { operation, namespace, secrets } = prepared;
  return {
    body: answer.body,
    status: answer.status,
    contentType: answer.headers['content-type'] ?? '',
    retryAfter: answer.headers['retry-after'],
    operation: operation.name,
    namespace: operation.described?.responseNamespace ?? namespace,
    result: operation.result,
    described: describedOf(operation, description),
    secrets,
    asked,
    keep,
    ...(revealGuidOf === undefined ? {} : { revealGuidOf }),
  };
}

/**
 * Makes one call, once. Anything wrong with the input, the credentials or the address is refused before anything leaves ('bad-input',
 * 'unknown-operation', 'no-credential', 'not-configured', 'wrong-origin', 'insecure-address', 'part-missing' without the part of the
 * program that reads answers); what comes back becomes either an answer or one of the codes of shared/errors.ts. Never rejects.
 */
export async function callSoap<N extends string>(call: SoapCall<N>): Promise<Result<SoapAnswer<SoapValue<N>>>>;
export async function callSoap(call: SoapCall): Promise<Result<SoapAnswer>> {
  if (call.signal?.aborted) return fail(appError('cancelled'));
  const prepared = prepareCall(call);
  if (!prepared.ok) return prepared;
  const reading = await loadPart(() => import('./message/answer.ts'), 'not-charged');
  if (!reading.ok) return reading;
  const redactor = createRedactor(prepared.value.secrets);
  const request = redactRequest(prepared.value, redactor);
  const { timeoutMs, signal } = call;
  const { operation } = prepared.value;
  const asked = askedOf(operation.name, call.fields ?? {}, call.profile.connection.listSeparator);
  const sent = await askAndRead(
    call.transport,
    { ...prepared.value.outgoing, timeoutMs, maxBytes, signal, about: asked && subjectOf(asked) },
    async (answer): Promise<{ decoded: DecodedAnswer; bytes: number; took: number }> => {
      const bytes = answer.body.byteLength;
      // The body of a redirect says nothing about the service.
      if (isRedirect(answer))
        return { decoded: { text: '', result: fail(redirectError(answer, redactor)) }, bytes, took: 0 };
      const started = performance.now();
      const job = jobOf(prepared.value, answer, call, asked);
      const decoded = call.decoder
        ? await call.decoder.decode(job, signal, redactor)
        : reading.value.decodeAnswer(job, redactor);
      return { decoded, bytes, took: performance.now() - started };
    },
    asked === undefined ? null : ({ decoded }) => decoded.compared ?? unknown,
  );
  if (!sent.ok) {
    call.observe?.({ request });
    return fail(redactError(sent.error, redactor.text));
  }
  const { answer, value, compared } = sent.value;
  const { text, result } = value.decoded;
  const timings: Timings = isRedirect(answer)
    ? answer.timings
    : { ...answer.timings, decoded: value.took, total: answer.timings.total + value.took };
  const headers = redactor.headers(answer.headers, 'answer');
  const raw: RawAnswer = { status: answer.status, headers, text, bytes: value.bytes };
  call.observe?.({ request, raw, timings });
  if (!result.ok) return result;
  return compared.verdict === 'other' ? fail(compared.error) : ok({ ...result.value, raw, request, timings });
}

const isRedirect = ({ status }: IncomingAnswer): boolean => status >= 300 && status < 400 && status !== 304;
const redirectError = ({ status, headers }: IncomingAnswer, redactor: Redactor): AppError =>
  appError('redirect-refused', {
    detail: `HTTP ${status} to ${redactor.headers(headers, 'answer').location ?? 'an address not named'}`,
  });

function redactError(error: AppError, mask: (text: string) => string): AppError {
  return error.detail === undefined ? error : { ...error, detail: mask(error.detail) };
}
