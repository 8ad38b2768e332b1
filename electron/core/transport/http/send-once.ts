import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Timings } from '../../../../shared/domain/call.ts';
import { type AppError, appError } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import type { ConnectTimestamps } from '../connect/connect-timestamps.ts';
import type { IncomingAnswer, OutgoingRequest } from '../transport.ts';
import { classifyAfterSending, unbuiltError } from './classify.ts';
import { acceptedEncodings, type BodyDecoder, createBodyDecoder } from './decode-body.ts';
import { type HttpConnection, writeRequest } from './http-connection.ts';

export interface Sending {
  request: OutgoingRequest;
  connection: HttpConnection;
  signal: AbortSignal;
  /** When the caller asked, in performance.now() milliseconds: the time-out counts from here. */
  asked: number;
  /** In milliseconds from then; later it is not sent. */
  sendWithinMs: number;
  connectTimeoutMs: number;
  /** How long the connection waits for its next question. */
  idleMs: number;
  after: RunAfter;
}

/** Runs something after a number of milliseconds; returns a function that cancels it. */
export type RunAfter = (ms: number, run: () => void) => () => void;

/** For a call that was not sent: its turn came too late, or it did not hear in time which proxy to use, which waits for the trusted roots too. */
export const waitedTooLong = (): AppError =>
  appError('connect-timeout', {
    charge: 'not-charged',
    message: 'Before this call’s turn came, too little of its time was left to wait for an answer.',
    next: 'Other calls to this server take long, or this computer’s proxy settings or certificates do. Try again later, or allow more time under Settings.',
  });

interface Timestamps {
  begun: number;
  started?: number;
  sent?: number;
  firstByte?: number;
}

/** Interim (1xx) answers that are skipped, asked for or not. */
const mostInterimAnswers = 100;
const mostInterimBytes = 64 * 1024;

/**
 * Sends one request over one connection, once. The border between "nothing left" and "may have been charged" is the moment at which the
 * request is handed to an open socket: before it the connection may be opened, after it nothing is repeated. After a failure the
 * connection is cut; after an answer it is kept for the next request only if this one has `matches`.
 */
export function sendOnce(sending: Sending): Promise<Result<IncomingAnswer>> {
  const { request, connection, signal, asked, sendWithinMs, connectTimeoutMs, idleMs, after } = sending;
  return new Promise((resolve) => {
    const timestamps: Timestamps = { begun: performance.now() };
    const reusable = request.matches !== undefined;
    let settled = false;
    let decoder: BodyDecoder | null = null;
    let callOff = (): void => {};

    const settle = (result: Result<IncomingAnswer>, keep: boolean): void => {
      if (settled) return;
      settled = true;
      callOff();
      signal.removeEventListener('abort', onAbort);
      decoder?.destroy();
      if (!keep) connection.cut();
      resolve(result);
    };
    const stop = (error: AppError): void => settle(fail(error), false);
    const noAnswer = (detail: string): void => stop(appError('sent-no-answer', { detail }));
    const wasSent = (): boolean => timestamps.started !== undefined;

    const onAbort = (): void => stop(appError(wasSent() ? 'cancelled-after-sending' : 'cancelled'));
    const left = (ofMs: number): number => Math.max(0, asked + ofMs - performance.now());
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) {
      onAbort();
      return;
    }
    // Until the request is handed over, opening the connection has its own end, with its own wording.
    void connection.ready(reusable, Math.min(connectTimeoutMs, left(sendWithinMs))).then((opened) => {
      if (settled) return;
      if (!opened.ok) stop(opened.error);
      else if (left(sendWithinMs) === 0) stop(waitedTooLong());
      else ask(opened.value.socket, opened.value.timestamps);
    });

    function ask(socket: Socket, connect: ConnectTimestamps): void {
      const before = socket.bytesRead;
      let interim = 0;
      let answer: IncomingMessage | null = null;
      timestamps.started = performance.now();
      callOff = after(left(request.timeoutMs), () => noAnswer(`No complete answer within ${request.timeoutMs} ms.`));
      let asking: ReturnType<typeof writeRequest>;
      try {
        asking = writeRequest(socket, {
          method: request.method,
          url: request.url,
          headers: { ...request.headers, 'accept-encoding': acceptedEncodings },
          keepAlive: reusable,
        });
      } catch (error) {
        stop(unbuiltError(error));
        return;
      }
      const heard = (): void => {
        timestamps.firstByte ??= performance.now();
        // Over TLS the runtime may report it only after the answer.
        timestamps.sent ??= timestamps.firstByte;
      };
      asking.once('finish', () => {
        timestamps.sent ??= performance.now();
      });
      asking.on('information', () => {
        heard();
        interim += 1;
        if (interim > mostInterimAnswers || socket.bytesRead - before > mostInterimBytes)
          noAnswer(`${interim} interim answers came, ${socket.bytesRead - before} bytes, and none that ends the call.`);
      });
      asking.once('upgrade', () => noAnswer('The server changed to another protocol.'));
      asking.once('response', (incoming) => {
        heard();
        answer = incoming;
        read(incoming);
      });
      asking.on('error', (error) => {
        // Bytes after a complete answer: the answer is valid, and the runtime has destroyed the socket.
        if (answer?.complete !== true) stop(classifyAfterSending(error));
      });
      asking.once('close', () => {
        if (answer === null) noAnswer('The connection ended without an answer.');
        else if (reusable && !socket.destroyed) connection.keep(socket, idleTime(answer, idleMs));
      });
      asking.end(request.body);

      function read(incoming: IncomingMessage): void {
        if (settled) return;
        const headers = joinHeaders(incoming.rawHeaders);
        const status = incoming.statusCode ?? 0;
        // The parser takes any three digits, and every status below 300 that comes here counts as a success.
        if (status < 200) {
          stop(appError('unreadable-answer', { detail: `HTTP ${status} is the status of no answer.` }));
          return;
        }
        const own = createBodyDecoder(headers['content-encoding'] ?? '', request.maxBytes, {
          onDrain: () => incoming.resume(),
          onDone: (body) => {
            if (!body.ok) stop(body.error);
            else
              settle(
                ok({ status, headers, body: body.value, timings: readTimings(sending, timestamps, connect) }),
                true,
              );
          },
        });
        decoder = own;
        incoming.on('data', (chunk: Buffer) => {
          if (!settled && !own.write(chunk)) incoming.pause();
        });
        incoming.once('end', () => own.end());
        incoming.once('error', (error) => stop(classifyAfterSending(error)));
        incoming.once('close', () => {
          if (!incoming.complete) noAnswer('The connection ended in the middle of the answer.');
        });
      }
    }
  });
}

/** A second less than the server says, so that it does not close while a question is on its way. */
function idleTime({ headers }: IncomingMessage, idleMs: number): number {
  const hint = /(?:^|[\s,;])timeout=(\d{1,9})/i.exec(String(headers['keep-alive'] ?? ''))?.[1];
  return hint === undefined ? idleMs : Math.max(0, Math.min(idleMs, Number(hint) * 1000 - 1000));
}

function joinHeaders(raw: readonly string[]): Record<string, string> {
  const joined = new Map<string, string>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    const value = raw[index + 1] ?? '';
    const before = joined.get(name);
    joined.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(joined);
}

/** Through a proxy the whole of reaching the server (proxy, tunnel, TLS) is one figure, under `tcp`. */
function readTimings(sending: Sending, timestamps: Timestamps, connect: ConnectTimestamps): Timings {
  const end = performance.now();
  const between = (from: number | undefined, to: number | undefined): number | undefined =>
    from === undefined || to === undefined ? undefined : Math.max(0, to - from);
  const parts = {
    queued: between(sending.asked, timestamps.begun),
    name: between(connect.started, connect.named),
    tcp: between(connect.named ?? connect.started, connect.connected ?? connect.ready),
    tls: between(connect.connected, connect.secured),
    sent: between(timestamps.started, timestamps.sent),
    waiting: between(timestamps.sent, timestamps.firstByte),
    received: between(timestamps.firstByte, end),
  };
  const known = Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
  return { ...known, total: end - sending.asked, reusedConnection: connect.started === undefined };
}
