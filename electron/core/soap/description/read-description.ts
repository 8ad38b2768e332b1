import { descriptionQuery } from '../../../../shared/domain/connection.ts';
import type { ServiceDescription } from '../../../../shared/domain/service-description.ts';
import { type AppError, appError } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { loadPart } from '../../load-part.ts';
import { proveDestination } from '../../transport/connect/origin.ts';
import type { Transport } from '../../transport/transport.ts';
import { errorOfStatus } from '../message/outcome.ts';
import { decodeXmlText, isHtmlPage } from '../xml/text.ts';
import type { Gathered, ReadGathered } from './gathered-description.ts';

/** Where a description is parsed: core/decode does it off the main thread. Never rejects. */
interface DescriptionReader {
  run(task: 'description', input: Gathered, signal?: AbortSignal): Promise<Result<ReadGathered>>;
}

const inlineReader: DescriptionReader = {
  async run(_task, input) {
    const loaded = await loadPart(() => import('./gathered-description.ts'));
    return loaded.ok ? ok(await loaded.value.readGathered(input)) : loaded;
  },
};

export interface DescriptionRequest {
  /** The connection's SOAP address, with or without `?WSDL`. */
  soapUrl: string;
  transport: Transport;
  /** For all documents together. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Parses the text in its worker; without one, here. */
  decoder?: DescriptionReader | undefined;
}

/** Of all documents. A description of 50 operations has about 150 kB. */
const totalBytes = 8 * 1024 * 1024;

/** What may still be fetched. */
interface Room {
  bytes: number;
  deadline: number;
}

/** Reading a description sends no credential and costs nothing. */
const free = (error: AppError): { ok: false; error: AppError } =>
  fail({ ...error, charge: 'not-applicable', money: 'No credits are involved.' });

async function fetchText(url: URL, request: DescriptionRequest, room: Room): Promise<Result<string>> {
  const timeoutMs = room.deadline - performance.now();
  if (timeoutMs <= 0)
    return free(
      appError('sent-no-answer', { message: 'Reading the description took too long.', next: 'Try again later.' }),
    );
  const sent = await request.transport({
    method: 'GET',
    url,
    headers: { accept: 'text/xml, application/wsdl+xml, application/xml' },
    timeoutMs,
    maxBytes: room.bytes,
    signal: request.signal,
  });
  if (!sent.ok) return free(sent.error);
  const { status, headers, body } = sent.value;
  room.bytes = Math.max(1, room.bytes - body.byteLength);
  if (status >= 300 && status < 400) return free(appError('redirect-refused', { detail: `HTTP ${status}` }));
  if (status < 200 || status >= 300)
    return free(errorOfStatus(status, headers['content-type'] ?? '', headers['retry-after']));
  const text = decodeXmlText(body, headers['content-type'] ?? '');
  if (!text.ok) return free(text.error);
  return isHtmlPage(text.value) ? free(appError('not-the-service')) : text;
}

/**
 * The address of the description itself: the service's with the query `WSDL`. It is the `source` of what is read there. Errors: those of the
 * origin rule.
 */
export function descriptionUrl(soapUrl: string): Result<URL> {
  const address = soapUrl.trim();
  const own = descriptionQuery.test(address) ? address : `${address}${address.includes('?') ? '&' : '?'}WSDL`;
  return proveDestination(own, address);
}

/**
 * Reads the service's own description with everything it imports from its own origin. Errors: 'not-configured', those of the origin rule,
 * of the transport, of an HTTP status and of `readDescriptionText`, 'redirect-refused', 'not-the-service'; none involves credits.
 */
export async function readDescription(request: DescriptionRequest): Promise<Result<ServiceDescription>> {
  if (request.soapUrl.trim() === '') return fail(appError('not-configured', { field: 'soapUrl' }));
  const source = descriptionUrl(request.soapUrl);
  if (!source.ok) return source;
  const room: Room = { bytes: totalBytes, deadline: performance.now() + request.timeoutMs };
  const text = await fetchText(source.value, request, room);
  if (!text.ok) return text;
  const gathered: Gathered = {
    text: text.value,
    options: {
      source: source.value.href,
      configuredUrl: request.soapUrl.trim().replace(descriptionQuery, ''),
    },
    documents: [],
  };
  const decoder = request.decoder ?? inlineReader;
  for (;;) {
    const read = await decoder.run('description', gathered, request.signal);
    if (!read.ok) return free(read.error);
    if (read.value.wanted === undefined) {
      const { description } = read.value;
      return description.ok ? ok(description.value) : free(description.error);
    }
    // Each round fetches what it asked for, and the number of documents is limited (wsdl-documents.ts), so there is a last one.
    for (const location of read.value.wanted) {
      const target = proveDestination(location, source.value);
      gathered.documents.push([location, target.ok ? await fetchText(target.value, request, room) : target]);
    }
  }
}
