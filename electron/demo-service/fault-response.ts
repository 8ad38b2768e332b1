import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { breakGzip, type Fault, hugeParts, packBomb, portalPage, writeBomb, writeDeep } from './faults.ts';

export interface FaultScene {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly fault: Fault;
  /** The service's real answer; undefined if the request was not carried out. */
  readonly answer: Response | undefined;
  /** Whether the interface speaks JSON (REST) or XML (SOAP). */
  readonly isJson: boolean;
  /** Aborted when the faults are cleared, which ends a delay. */
  readonly cleared: AbortSignal;
  /** Aborted when the service stops, which ends every wait. */
  readonly stopping: AbortSignal;
}

/** The response that the fault turns the answer into. Some faults write to the socket themselves. */
export async function respondWithFault(scene: FaultScene): Promise<Response> {
  const { fault, answer, isJson, incoming, outgoing } = scene;
  const type = isJson ? 'application/json; charset=utf-8' : 'text/xml; charset=utf-8';
  const body = answer ? Buffer.from(await answer.arrayBuffer()) : Buffer.alloc(0);
  const status = answer?.status ?? 200;
  const as = (content: Buffer | string, headers: Record<string, string>): Response =>
    new Response(new Uint8Array(Buffer.from(content)), { status, headers });
  const ownType = answer?.headers.get('content-type') ?? type;
  switch (fault.kind) {
    case 'delay':
      await wait(fault.milliseconds ?? 200, undefined, {
        signal: AbortSignal.any([scene.stopping, scene.cleared]),
      }).catch(() => undefined);
      return answer
        ? new Response(new Uint8Array(body), { status, headers: answer.headers })
        : as('', { 'content-type': type });
    case 'hang':
      await untilClosed(scene);
      return RESPONSE_ALREADY_SENT;
    case 'reset':
    case 'reset-reused':
    case 'reset-connect':
      incoming.socket.resetAndDestroy();
      return RESPONSE_ALREADY_SENT;
    case 'close':
      incoming.socket.destroy();
      return RESPONSE_ALREADY_SENT;
    case 'cut':
      outgoing.writeHead(status, { 'content-type': ownType, 'content-length': Math.max(2, body.length) });
      outgoing.write(body.subarray(0, Math.max(1, Math.floor(body.length / 2))), () => incoming.socket.destroy());
      return RESPONSE_ALREADY_SENT;
    case 'drip':
      await drip(scene, body, ownType, status);
      return RESPONSE_ALREADY_SENT;
    case 'status':
      return new Response(fault.body ?? 'The service is not available.', {
        status: fault.status ?? 503,
        headers: { 'content-type': fault.type ?? 'text/plain; charset=utf-8' },
      });
    case 'html':
      return new Response(fault.body ?? portalPage, {
        status: fault.status ?? 200,
        headers: { 'content-type': fault.type ?? 'text/html; charset=utf-8' },
      });
    case 'redirect':
    case 'redirect-loop':
      return new Response(null, {
        status: fault.status ?? 302,
        headers: {
          location:
            fault.kind === 'redirect' ? (fault.location ?? 'http://127.0.0.2:9/elsewhere') : (incoming.url ?? '/'),
        },
      });
    case 'empty':
      return as('', { 'content-type': ownType });
    case 'truncate':
      return as(body.subarray(0, Math.floor(body.length / 2)), { 'content-type': ownType });
    case 'no-type':
      outgoing.writeHead(status, { 'content-length': body.length }).end(body);
      return RESPONSE_ALREADY_SENT;
    case 'wrong-type':
      return as(body, { 'content-type': 'text/plain; charset=utf-8' });
    case 'wrong-charset':
      return as(Buffer.from(body.toString('utf8'), 'utf16le'), { 'content-type': ownType });
    case 'byte-order-mark':
      return as(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]), { 'content-type': ownType });
    case 'garbage':
      return as(Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 197 + 131) % 256)), {
        'content-type': type,
      });
    case 'bad-head':
      incoming.socket.end('HTTP/1.1 2OO OK\r\nContent-Length: ten\r\n\r\n');
      return RESPONSE_ALREADY_SENT;
    case 'deep':
      return as(writeDeep(isJson), { 'content-type': type });
    case 'entity-bomb':
      return as(writeBomb(isJson), { 'content-type': type });
    case 'huge':
      await pour(scene, type);
      return RESPONSE_ALREADY_SENT;
    case 'gzip-bomb':
      return as(packBomb(fault.megabytes ?? 256), { 'content-type': type, 'content-encoding': 'gzip' });
    case 'broken-gzip':
      return as(breakGzip(), { 'content-type': type, 'content-encoding': 'gzip' });
  }
}

function untilClosed({ incoming, stopping }: FaultScene): Promise<void> {
  return new Promise((resolve) => {
    if (incoming.socket.destroyed || stopping.aborted) return resolve();
    incoming.socket.once('close', () => resolve());
    stopping.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function drip(scene: FaultScene, body: Buffer, type: string, status: number): Promise<void> {
  const { outgoing, incoming, fault, stopping } = scene;
  outgoing.writeHead(status, { 'content-type': type, 'content-length': body.length });
  for (let at = 0; at < body.length && !incoming.socket.destroyed && !stopping.aborted; at += 16) {
    outgoing.write(body.subarray(at, at + 16));
    await wait(fault.milliseconds ?? 20, undefined, { signal: stopping }).catch(() => undefined);
  }
  outgoing.end();
}

/** Writes as fast as the caller reads, until the caller hangs up or the size is reached. */
async function pour(scene: FaultScene, type: string): Promise<void> {
  const { outgoing, incoming, fault, isJson, stopping } = scene;
  const { head, part, tail } = hugeParts(isJson);
  const isOver = (): boolean => incoming.socket.destroyed || stopping.aborted;
  const closed = untilClosed(scene);
  outgoing.writeHead(200, { 'content-type': type });
  outgoing.write(head);
  for (let megabyte = 0; megabyte < (fault.megabytes ?? 256) && !isOver(); megabyte += 1) {
    if (outgoing.write(part)) continue;
    await Promise.race([once(outgoing, 'drain'), closed]);
  }
  if (!isOver()) outgoing.end(tail);
}
