import { isKnownFree } from '../../../shared/catalogue/price.ts';
import { findRestEndpoint, type RestEndpoint, restEndpoints } from '../../../shared/catalogue/rest-endpoints.ts';
import type { Exchange, RedactedRequest, Timings } from '../../../shared/domain/call.ts';
import type { Connection } from '../../../shared/domain/connection.ts';
import { countOf } from '../../../shared/domain/text/figures.ts';
import { type AppError, appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { type CallProfile, maskedValues } from '../connections/profile.ts';
import { askAndRead, subjectOf, unknown } from '../transport/compare-answer.ts';
import { parseSafeAddress, proveDestination } from '../transport/connect/origin.ts';
import { createRedactor, type Redactor } from '../transport/redact/redact.ts';
import type { IncomingAnswer, OutgoingRequest, Transport } from '../transport/transport.ts';
import { type ChosenKey, chooseKey } from './choose-key.ts';
import { askedOf, isComparable } from './compare-answer.ts';
import { buildParameters, type Parameter, type RestFields } from './parameters.ts';
import { type ReadAnswer, type RestJob, readAnswer } from './read-answer.ts';
import { asFree } from './refusals.ts';
import type { ReadValue, RestAnswer } from './rest-answer.ts';

export interface RestCall {
  profile: CallProfile;
  /** Name in the catalogue: Search, GetPremise, GetPremiseGeoData, GetCredits. */
  endpoint: string;
  /** Parameters by published name, without the key. */
  fields?: RestFields;
  transport: Transport;
  /** Long answers are decoded in its worker, and only as much of them is returned as a window can show; without one, here and whole. */
  decoder?: RestDecoder;
  /** The name under which a long answer stays with the decoder, to be read page by page. */
  keep?: string | undefined;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Receives what was handed to the transport, and what came back, before the result is returned; also a call of which nothing left. */
  observe?: (exchange: Exchange) => void;
}

/** What a call needs of the decoder. */
interface RestDecoder {
  /** Never rejects. Aborting stops the work at once; the call has been sent by then, so it may have been charged. */
  decodeRest(job: RestJob, signal?: AbortSignal, redactor?: Redactor): Promise<ReadAnswer>;
}

/**
 * Of the answer's body. JSON is read as objects, which take up to ten times its length for a moment. 100,000 rows of a search have some
 * 30 MB.
 */
const maxBytes = 32 * 1024 * 1024;

interface Prepared {
  endpoint: RestEndpoint;
  outgoing: Pick<OutgoingRequest, 'method' | 'url' | 'headers'>;
  key: ChosenKey;
  redactor: Redactor;
  secrets: string[];
}

/** The endpoint's URL without the key: path and query of the base kept, nothing of the user's in the path. */
function buildUrl(base: string, endpoint: RestEndpoint, parameters: readonly Parameter[]): Result<URL> {
  const configured = base.trim();
  if (configured === '') return fail(appError('not-configured', { field: 'restBaseUrl' }));
  const root = parseSafeAddress(configured);
  if (!root.ok) return fail({ ...root.error, field: 'restBaseUrl' });
  const url = new URL(root.value.origin);
  url.pathname = `${root.value.pathname.replace(/\/+$/, '')}${endpoint.path}`;
  // %20 for a space and not +, which means a plus to servers that read the query as a URL.
  const own = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  url.search = [root.value.search.slice(1), ...own].filter((part) => part !== '').join('&');
  return proveDestination(url, configured);
}

/** Everything that can be refused before a byte leaves. The key is added last, to an address that has been verified. */
function prepareCall(call: RestCall): Result<Prepared> {
  const endpoint = findRestEndpoint(call.endpoint);
  if (endpoint === undefined) {
    const names = restEndpoints.map(({ name }) => name).join(', ');
    return fail(appError('unknown-operation', { detail: `REST has ${names}.`, field: 'endpoint' }));
  }
  const { connection } = call.profile;
  const parameters = buildParameters(endpoint, call.fields ?? {}, connection.searchForm);
  if (!parameters.ok) return parameters;
  const url = buildUrl(connection.restBaseUrl, endpoint, parameters.value);
  if (!url.ok) return url;
  const key = chooseKey(call.profile, endpoint);
  if (!key.ok) return key;
  if (!key.value.value.isWellFormed()) {
    return fail(
      appError('bad-input', {
        message: 'The key contains an incomplete character, which cannot be sent.',
        field: 'key',
      }),
    );
  }
  const proved = new URL(url.value);
  const query = proved.search === '' ? '' : `&${proved.search.slice(1)}`;
  proved.search = `key=${encodeURIComponent(key.value.value)}${query}`;
  const masked = [...maskedValues(call.profile), key.value.value];
  return ok({
    endpoint,
    outgoing: { method: 'GET', url: proved, headers: { accept: 'application/json' } },
    key: key.value,
    redactor: createRedactor(masked),
    secrets: masked,
  });
}

/**
 * Makes one call, once. What is wrong with the input, the key or the address is refused before anything leaves ('bad-input',
 * 'unknown-operation', 'not-configured', 'no-credential', 'wrong-key-role', 'wrong-origin', 'insecure-address'); what comes back becomes
 * either an answer ('answered-other' if it names something other than what was asked for) or one of the codes of shared/errors.ts, with
 * whether credits may have gone. Never rejects.
 */
export async function callRest(call: RestCall): Promise<Result<RestAnswer>> {
  if (call.signal?.aborted) return fail(appError('cancelled'));
  const prepared = prepareCall(call);
  if (!prepared.ok) return prepared;
  const { endpoint, outgoing, key, redactor, secrets } = prepared.value;
  const free = isKnownFree(endpoint.name, call.fields ?? {});
  const failWith = (error: AppError): Result<never> => {
    const masked = error.detail === undefined ? error : { ...error, detail: redactor.text(error.detail) };
    return fail(free ? asFree(masked) : masked);
  };
  const request: RedactedRequest = {
    method: outgoing.method,
    url: redactor.text(outgoing.url.href, 'request'),
    headers: redactor.headers(outgoing.headers, 'request'),
  };
  const { timeoutMs, signal } = call;
  const fields = call.fields ?? {};
  const comparable = isComparable(endpoint.name, fields);
  const sent = await askAndRead(
    call.transport,
    { ...outgoing, timeoutMs, maxBytes, signal, about: comparable ? subjectOf(askedOf(fields)) : undefined },
    async (answer) => {
      const started = performance.now();
      const { body, status, headers } = answer;
      const bounded = call.decoder !== undefined;
      const asked = comparable ? fields : undefined;
      const job: RestJob = { body, status, headers, endpoint: endpoint.name, secrets, bounded, asked, keep: call.keep };
      const read = call.decoder ? await call.decoder.decodeRest(job, signal, redactor) : readAnswer(job, redactor);
      return { ...read, timings: addDecoding(answer, performance.now() - started) };
    },
    comparable ? ({ compared }) => compared ?? unknown : null,
  );
  if (!sent.ok) {
    call.observe?.({ request });
    return failWith(sent.error);
  }
  const { value: read, compared } = sent.value;
  call.observe?.({ request, raw: read.raw, timings: read.timings });
  if (!read.result.ok) return failWith(read.result.error);
  if (compared.verdict === 'other') return failWith(compared.error);
  const { value } = read.result;
  const doubt = value.doubt ?? doubtOfFullList(value, fields, call.profile.connection);
  return ok({
    endpoint: endpoint.name,
    ...value,
    ...(doubt === undefined ? {} : { doubt }),
    keyRole: key.role,
    raw: read.raw,
    request,
    timings: read.timings,
  });
}

/** A search brings 100 rows unless it asks for another number (specification, Limits 1). */
function doubtOfFullList(
  { search }: ReadValue,
  { maxresults }: RestFields,
  { searchForm }: Pick<Connection, 'searchForm'>,
): string | undefined {
  const rows = search?.items.length;
  return searchForm === 'query' && search?.total === null && rows === Number(maxresults || 100)
    ? `it has ${countOf(rows, 'row')}, which is its limit, and no count of all`
    : undefined;
}

function addDecoding(answer: IncomingAnswer, decoded: number): Timings {
  return { ...answer.timings, decoded, total: answer.timings.total + decoded };
}
