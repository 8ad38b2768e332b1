import tls from 'node:tls';
import { afterEach, expect, test, vi } from 'vitest';
import { createTrust } from '../../../electron/core/transport/connect/trusted-roots.ts';
import { type Program, startProgram } from '../../helpers/program.ts';
import { unwrap } from '../../helpers/temp-database.ts';
import { goodCertificate } from './certificates.ts';
import { answerText, startTlsServer } from './servers.ts';

// macOS may take minutes to return its list of certificates, so a separate thread reads it; this test never does.

const here = tls.getCACertificates;
afterEach(() => vi.restoreAllMocks());

test('needing the roots before they are read is an error, and afterwards all are there', async () => {
  const asked = vi.spyOn(tls, 'getCACertificates');
  const trust = createTrust([{ source: 'user-file', pem: [goodCertificate] }]);
  expect(() => trust.counts()).toThrow('not been read');
  expect(() => trust.context()).toThrow('not been read');
  await trust.ready();
  expect(trust.counts()).toMatchObject({ 'user-file': 1, system: new Set(here('system')).size });
  expect(trust.context()).toBeTruthy();
  expect(asked).not.toHaveBeenCalled();
});

test('the program reads them in another thread, and a check proves it', async () => {
  const asked = vi.spyOn(tls, 'getCACertificates');
  const server = await startTlsServer((socket) => socket.write(answerText('[]')));
  const program: Program = unwrap(await startProgram());
  try {
    const id = await program.connect({ restBaseUrl: `https://127.0.0.1:${server.port}/v1` });
    const state = unwrap(await program.call('network.state', {}));
    expect(state.roots.system).toBe(new Set(here('system')).size);
    unwrap(await program.call('network.check', { checkId: 'c', connectionId: id }));
    const steps = program.told.filter(({ event }) => event === 'network.check-step').map(({ payload }) => payload);
    expect(JSON.stringify(steps)).toContain('Reading which certificates this computer trusts');
    expect(asked).not.toHaveBeenCalled();
  } finally {
    await program.close();
    await server.close();
  }
});
