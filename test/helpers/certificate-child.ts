import { createHttpTransport } from '../../electron/core/transport/http/http-transport.ts';

// A process of its own, for environments that would switch checks off: sends one request to the address given and prints its outcome.

const transport = createHttpTransport();
const sent = await transport.send({
  method: 'GET',
  url: new URL(process.argv[2] ?? ''),
  headers: {},
  timeoutMs: 20_000,
  maxBytes: 1000,
});
process.stdout.write(sent.ok ? 'answered' : sent.error.code);
await transport.close();
