import type { RecordName, RecordValue } from '../../../shared/catalogue/records.ts';
import type {
  DatasetOperationName,
  SoapOperationName,
  SoapOperationOf,
} from '../../../shared/catalogue/soap-operations.ts';
import type { RawAnswer, RedactedRequest, Timings } from '../../../shared/domain/call.ts';
import type { ServiceDescription } from '../../../shared/domain/service-description.ts';
import { type AppError, appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { createRedactor, type Redactor } from '../transport/redact.ts';
import type { IncomingAnswer, Transport } from '../transport/transport.ts';
import type { DecodeJob } from './answer.ts';
import type { DataSet } from './dataset.ts';
import { createDecoder, type Decoder } from './decoder.ts';
import type { UnknownElement } from './fold.ts';
import type { Outcome } from './outcome.ts';
import { type CallToPrepare, type Prepared, prepareCall } from './prepare-call.ts';

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

export interface SoapCall<N extends string = string> extends CallToPrepare {
  operation: N;
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
