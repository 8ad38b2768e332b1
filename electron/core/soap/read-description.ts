import type { ServiceDescription } from '../../../shared/domain/service-description.ts';
import { type AppError, appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { proveDestination } from '../transport/origin.ts';
import type { Transport } from '../transport/transport.ts';
import { errorOfStatus } from './outcome.ts';
import { readDescriptionText } from './wsdl.ts';
import { decodeXmlText, isHtmlPage } from './xml-text.ts';

export interface DescriptionRequest {
  /** The connection's SOAP address, with or without `?WSDL`. */
  soapUrl: string;
  transport: Transport;
  /** For all documents together. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** Of one document. A description of 50 operations has about 150 kB. */
const documentBytes = 8 * 1024 * 1024;

/** Reading a description sends no credential and costs nothing. */
const free = (error: AppError): { ok: false; error: AppError } =>
  fail({ ...error, charge: 'not-applicable', money: 'No credits are involved.' });

async function fetchText(url: URL, request: DescriptionRequest, deadline: number): Promise<Result<string>> {
  const timeoutMs = deadline - performance.now();
  if (timeoutMs <= 0)
    return free(
      appError('sent-no-answer', { message: 'Reading the description took too long.', next: 'Try again later.' }),
    );
  const sent = await request.transport({
    method: 'GET',
    url,
    headers: { accept: 'text/xml, application/wsdl+xml, application/xml' },
    timeoutMs,
    maxBytes: documentBytes,
    signal: request.signal,
  });
  if (!sent.ok) return free(sent.error);
  const { status, headers, body } = sent.value;
  if (status >= 300 && status < 400) return free(appError('redirect-refused', { detail: `HTTP ${status}` }));
  if (status < 200 || status >= 300)
    return free(errorOfStatus(status, headers['content-type'] ?? '', headers['retry-after']));
  const text = decodeXmlText(body, headers['content-type'] ?? '');
  if (!text.ok) return free(text.error);
  return isHtmlPage(text.value) ? free(appError('not-the-service')) : text;
}

/** The address of the description itself: the service's with the query `WSDL`. */
export function descriptionAddress(soapUrl: string): string {
  const address = soapUrl.trim();
  if (/[?&](single)?wsdl$/i.test(address)) return address;
  return `${address}${address.includes('?') ? '&' : '?'}WSDL`;
}

/**
 * Reads the service's own description with all that it imports from its own origin. Errors: 'not-configured', those of the
 * origin rule, of the transport and of `readDescriptionText`; none involves credits.
 */
export async function readDescription(request: DescriptionRequest): Promise<Result<ServiceDescription>> {
  if (request.soapUrl.trim() === '') return fail(appError('not-configured', { field: 'soapUrl' }));
  const source = proveDestination(descriptionAddress(request.soapUrl), request.soapUrl.trim());
  if (!source.ok) return source;
  const deadline = performance.now() + request.timeoutMs;
  const text = await fetchText(source.value, request, deadline);
  if (!text.ok) return text;
  const description = await readDescriptionText(text.value, {
    source: source.value.href,
    configuredUrl: request.soapUrl.trim().replace(/\?(single)?wsdl$/i, ''),
    load: async (location) => {
      const target = proveDestination(location, source.value);
      return target.ok ? fetchText(target.value, request, deadline) : target;
    },
  });
  return description.ok ? ok(description.value) : free(description.error);
}
