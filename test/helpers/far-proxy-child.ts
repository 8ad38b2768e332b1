import { createHttpTransport } from '../../electron/core/transport/http/http-transport.ts';
import { ok } from '../../shared/result.ts';
import { goodCertificate } from '../integration/transport/certificates.ts';
import { answerText, startAskingProxy, startTlsServer } from '../integration/transport/servers.ts';

// Runs as a separate process, in a namespace in which 10.9.9.9 stands for another computer. Sends one request through a proxy there that
// asks for a sign-in, and prints the outcome as JSON.

const server = await startTlsServer((socket) => socket.write(answerText('{}')));
const proxy = await startAskingProxy({ accepts: 'kim:secret', host: '10.9.9.9' });
const transport = createHttpTransport({
  proxyFor: async () => `http://10.9.9.9:${proxy.port}`,
  extraCa: [goodCertificate],
  signInFor: async () => ok({ user: 'kim', value: 'secret' }),
});
const sent = await transport.send({
  method: 'GET',
  url: new URL(`https://service.example:${server.port}/`),
  headers: {},
  timeoutMs: 120_000,
  maxBytes: 1000,
});
process.stdout.write(
  JSON.stringify({
    outcome: sent.ok ? sent.value.status : sent.error,
    signIns: proxy.asked.map(({ authorization }) => authorization !== undefined),
    requests: server.hits.length,
  }),
);
process.exit(0);
