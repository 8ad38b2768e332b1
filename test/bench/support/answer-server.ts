import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { completeOptions } from '../../../electron/demo-service/options.ts';
import { writeWsdl } from '../../../electron/demo-service/soap/wsdl.ts';
import { namespace, writeAnswer } from './answers.ts';

export interface AnswerServer {
  /** SOAP address whose every answer has that many records; `?WSDL` describes it. */
  addressOf(records: number): string;
  stop(): Promise<unknown>;
}

/** Serves the same bytes to every client, on loopback and in a separate thread, so that the server's work is not measured. */
export async function startAnswerServer(): Promise<AnswerServer> {
  const worker = new Worker(new URL(import.meta.url));
  const port = await new Promise<number>((ready, failed) => {
    worker.once('message', ready);
    worker.once('error', failed);
  });
  return { addressOf: (records) => `http://127.0.0.1:${port}/${records}`, stop: () => worker.terminate() };
}

function serve(): void {
  const bodies = new Map<string, Buffer>();
  const bodyOf = (path: string): Buffer => {
    let body = bodies.get(path);
    if (body === undefined) {
      body = Buffer.from(writeAnswer(Number(path.slice(1))));
      bodies.set(path, body);
    }
    return body;
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    request.resume().on('end', () => {
      const body =
        url.search === ''
          ? bodyOf(url.pathname)
          : Buffer.from(writeWsdl(completeOptions({ namespace }), `${url.origin}${url.pathname}`));
      response.writeHead(200, { 'content-type': 'text/xml; charset=utf-8', 'content-length': body.byteLength });
      response.end(body);
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port));
}

if (!isMainThread) serve();
