import { createHttpTransport } from '../../electron/core/transport/http/http-transport.ts';

// Runs as a separate process, with environment variables that would switch checks off: sends one request to the given address and prints the outcome.

const transport = createHttpTransport();
const sent = await transport.send({
  method: 'GET',
  url: new URL(process.argv[2] ?? ''),
  headers: {},
  timeoutMs: 120_000,
  maxBytes: 1000,
});
process.stdout.write(sent.ok ? 'answered' : sent.error.code);
await transport.close();
