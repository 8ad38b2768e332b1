import dgram from 'node:dgram';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import { createHttpTransport } from '../../electron/core/transport/http/http-transport.ts';
import type { OutgoingRequest } from '../../electron/core/transport/transport.ts';
import { goodCertificate, testKey } from '../integration/transport/certificates.ts';
import { listenOnLoopback } from './loopback.ts';

// Runs as a separate process, in a namespace in which localhost resolves to 10.9.9.9 and ready.example to 127.0.0.1, and the name server never
// answers. Prints the outcomes as JSON.

const request = (url: string, more: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
  method: 'GET',
  url: new URL(url),
  headers: {},
  timeoutMs: 120_000,
  maxBytes: 1000,
  ...more,
});

/** A server that answers with its address and counts the bytes that reach it. */
async function listen(host: string, port: number): Promise<{ port: number; bytes(): number; close(): void }> {
  let bytes = 0;
  const server = net.createServer((socket) =>
    socket
      .on('error', () => undefined)
      .on('data', (chunk) => {
        bytes += chunk.length;
        socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${host.length}\r\nconnection: close\r\n\r\n${host}`);
      }),
  );
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return { port: (server.address() as AddressInfo).port, bytes: () => bytes, close: () => server.close() };
}

let questions = 0;
const names = dgram.createSocket('udp4').on('message', () => {
  questions += 1;
});
await new Promise<void>((resolve) => names.bind(53, '127.0.0.1', resolve));

const own = await listen('127.0.0.1', 0);
const other = await listen('10.9.9.9', own.port);
const transport = createHttpTransport({ connectTimeoutMs: 15_000 });
const local = await transport.send(request(`http://localhost:${own.port}/?key=SECRET`));

const secure = tls.createServer({ key: testKey, cert: goodCertificate }).on('tlsClientError', () => undefined);
await listenOnLoopback(secure);
const stopped = new AbortController();
const hanging = Array.from({ length: 12 }, (_, nth) =>
  transport.send(request(`https://silent-${nth % 6}.example/`, { signal: stopped.signal })),
);
while (questions < 6) await new Promise((resolve) => setImmediate(resolve));
const ready = await transport.send(request(`https://ready.example:${(secure.address() as AddressInfo).port}/`));
stopped.abort();
await Promise.all(hanging);

const impatient = createHttpTransport({ connectTimeoutMs: 50 });
const silent = await impatient.send(request('https://silent-1.example/'));
const code = (sent: typeof ready) => (sent.ok ? Buffer.from(sent.value.body).toString() : sent.error.code);
process.stdout.write(
  JSON.stringify({
    local: code(local),
    bytesElsewhere: other.bytes(),
    ready: code(ready),
    silent: code(silent),
    said: silent.ok ? '' : silent.error.message,
  }),
);
// Without this the process would end only after the look-ups that are still under way.
process.exit(0);
