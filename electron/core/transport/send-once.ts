import type { Dispatcher } from 'undici';
import type { Timings } from '../../../shared/domain/call.ts';
import { type AppError, appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { classifyAfterSending, classifyBeforeSending } from './classify.ts';
import { acceptedEncodings, type BodyDecoder, createBodyDecoder } from './decode-body.ts';
import type { ConnectMarks, Line } from './line.ts';
import { connectTimeout } from './proxy-words.ts';
import type { IncomingAnswer, OutgoingRequest } from './transport.ts';

export interface Sending {
  request: OutgoingRequest;
  line: Line;
  signal: AbortSignal;
  proxied: boolean;
  /** When the caller asked, in performance.now() milliseconds. */
  asked: number;
  connectTimeoutMs: number;
}

interface Marks {
  begun: number;
  started?: number;
  sent?: number;
  firstByte?: number;
}

/**
 * Sends one request over one line, once. undici calls `onRequestStart` in the same turn as, and immediately before, it writes the
 * request's first byte: that is the border between "nothing left" and "may have been charged". A second call of it
 * would be a repetition, and is stopped there.
 */
export function sendOnce(sending: Sending): Promise<Result<IncomingAnswer>> {
  const { request, line, signal, proxied, connectTimeoutMs } = sending;
  return new Promise((resolve) => {
    const marks: Marks = { begun: performance.now() };
    let settled = false;
    let decoder: BodyDecoder | null = null;
    let connectTimer: NodeJS.Timeout | undefined;

    const settle = (result: Result<IncomingAnswer>, keepLine: boolean): void => {
      if (settled) return;
      settled = true;
      clearTimeout(overallTimer);
      clearTimeout(connectTimer);
      signal.removeEventListener('abort', onAbort);
      decoder?.destroy();
      if (!keepLine) line.cut();
      resolve(result);
    };
    const stop = (error: AppError): void => settle(fail(error), false);
    const wasSent = (): boolean => marks.started !== undefined;

    const onAbort = (): void => stop(appError(wasSent() ? 'cancelled-after-sending' : 'cancelled'));
    const onConnectTimeout = (): void => {
      if (!wasSent()) stop(connectTimeout(proxied));
    };
    const onOverallTimeout = (): void => {
      if (!wasSent()) onConnectTimeout();
      else stop(appError('sent-no-answer', { detail: `No complete answer within ${request.timeoutMs} ms.` }));
    };
    const overallTimer = setTimeout(onOverallTimeout, request.timeoutMs);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) {
      onAbort();
      return;
    }
    if (connectTimeoutMs < request.timeoutMs) connectTimer = setTimeout(onConnectTimeout, connectTimeoutMs);

    let status = 0;
    let headers: Record<string, string> = {};

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        if (settled || wasSent()) {
          controller.abort(new Error('A request is sent once.'));
          return;
        }
        marks.started = performance.now();
        clearTimeout(connectTimer);
      },
      onRequestSent() {
        marks.sent = performance.now();
      },
      onResponseStarted() {
        marks.firstByte ??= performance.now();
      },
      onResponseStart(controller, statusCode, incoming) {
        // 1xx: the answer is still to come.
        if (settled || statusCode < 200) return;
        status = statusCode;
        headers = joinHeaders(incoming);
        decoder = createBodyDecoder(headers['content-encoding'] ?? '', request.maxBytes, {
          onDrain: () => controller.resume(),
          onDone: (body) => {
            if (!body.ok) stop(body.error);
            else
              settle(
                ok({ status, headers, body: body.value, timings: readTimings(sending, marks, line.takeMarks()) }),
                true,
              );
          },
        });
      },
      onResponseData(controller, chunk) {
        if (!settled && decoder !== null && !decoder.write(chunk)) controller.pause();
      },
      onResponseEnd() {
        decoder?.end();
      },
      onResponseError(_controller, error) {
        stop(wasSent() ? classifyAfterSending(error) : classifyBeforeSending(error));
      },
    };

    line.takeMarks();
    try {
      line.dispatch(
        {
          origin: request.url.origin,
          path: `${request.url.pathname}${request.url.search}`,
          method: request.method,
          headers: { ...request.headers, 'accept-encoding': acceptedEncodings },
          body: request.body ?? null,
        },
        handler,
      );
    } catch (error) {
      stop(wasSent() ? classifyAfterSending(error) : classifyBeforeSending(error));
    }
  });
}

function joinHeaders(incoming: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming)) {
    if (value !== undefined) joined[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return joined;
}

/** Through a proxy the whole of reaching the server (proxy, tunnel, TLS) is one figure, under `tcp`. */
function readTimings(sending: Sending, marks: Marks, connect: ConnectMarks): Timings {
  const end = performance.now();
  const between = (from: number | undefined, to: number | undefined): number | undefined =>
    from === undefined || to === undefined ? undefined : Math.max(0, to - from);
  const parts = {
    queued: between(sending.asked, marks.begun),
    name: between(connect.started, connect.named),
    tcp: between(connect.named ?? connect.started, connect.connected ?? connect.ready),
    tls: between(connect.connected, connect.secured),
    sent: between(marks.started, marks.sent),
    waiting: between(marks.sent, marks.firstByte),
    received: between(marks.firstByte, end),
  };
  const known = Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
  return { ...known, total: end - sending.asked, reusedConnection: connect.started === undefined };
}
