import { expect, test } from 'vitest';
import { ageOf, formatRoots, httpsOriginOf } from '../../../renderer/features/settings/network/network-messages.ts';
import { describeCheck } from '../../../renderer/features/settings/network/network-text.ts';
import type { CheckStep, NetworkCheck } from '../../../shared/contract/network.ts';
import type { NetworkState } from '../../../shared/domain/network.ts';
import { appError } from '../../../shared/errors.ts';

// The text for a support ticket, and the texts about certificates.

const step = (id: CheckStep['id'], more: Partial<CheckStep>): CheckStep => ({
  id,
  state: 'passed',
  proxied: true,
  text: '',
  notes: [],
  durationMs: 12.4,
  error: null,
  handshake: null,
  ...more,
});
const certificate = {
  subject: 'CN=service.example',
  issuer: 'CN=Wyebank test authority',
  validFrom: '2020-01-01T00:00:00.000Z',
  validUntil: '2027-01-01T00:00:00.000Z',
  fingerprint: '32:DE',
};
const check: NetworkCheck = {
  at: '2026-11-21T10:00:00.000Z',
  connectionName: 'Wyebank',
  totalMs: 20,
  addresses: [
    {
      uses: ['REST', 'SOAP'],
      origin: 'https://service.example',
      steps: [
        step('choice', { text: 'http://proxy.example:8080', notes: ['The system’s answer, as it came: “PROXY …”.'] }),
        step('tunnel', { text: 'CONNECT service.example:443: 200 OK' }),
        step('tls', {
          state: 'failed',
          text: 'The server’s certificate is not trusted.',
          error: appError('certificate-not-trusted', { detail: 'SELF_SIGNED', charge: 'not-applicable' }),
          handshake: {
            protocol: 'TLS 1.3',
            cipher: 'TLS_AES_256_GCM_SHA384',
            chain: [certificate],
            root: { subject: 'CN=Wyebank test authority', sources: [] },
            checks: [{ what: 'chain', passed: false, text: 'it ends elsewhere' }],
          },
        }),
      ],
    },
  ],
};
const state: NetworkState = {
  choice: 'system',
  choiceLockedBy: null,
  filesLockedBy: null,
  signIns: [{ id: '1', proxy: 'http://proxy.example:8080', user: 'kim.of.accounts', createdAt: '' }],
  clientCertificates: [],
  files: [],
  roots: { system: 400, 'built-in': 121, 'user-file': 0, 'policy-file': 1 },
  environment: [
    { name: 'HTTPS_PROXY', set: true, effect: 'Not read by this program.' },
    { name: 'NODE_EXTRA_CA_CERTS', set: false, effect: 'Not used.' },
  ],
  store: { kind: 'keychain', name: 'Secret Service keychain' },
};

test('a check as text has every step, the chain, the failing check and what to do, and no user name', () => {
  const text = describeCheck(check, state, 'Address Console 1.0.0');
  for (const part of [
    'Network check of Address Console 1.0.0, 2026-11-21T10:00:00.000Z',
    'sends no request over the connection.',
    'REST and SOAP: https://service.example',
    'Proxy: passed (12 ms). http://proxy.example:8080',
    '“PROXY …”',
    'Tunnel through the proxy: passed',
    'TLS with the server: FAILED (12 ms). The server’s certificate is not trusted.',
    'Code certificate-not-trusted: SELF_SIGNED',
    'Chain: FAILED, it ends elsewhere',
    '1. CN=service.example',
    'SHA-256 32:DE',
    'Trusted now: 400 certificates of the system’s store, 121 certificates of the built-in list, 1 certificate of the policy’s file.',
    'HTTPS_PROXY. Not read by this program.',
  ])
    expect(text).toContain(part);
  // The tunnel passed and TLS did not: no connection to the address was opened.
  expect(text).not.toContain('was opened');
  expect(text).not.toContain('kim.of.accounts');
  expect(text).not.toContain('NODE_EXTRA_CA_CERTS');
  expect(text).not.toContain('Trusted root:');
});

test('a runtime that cannot list the system’s store says so', () => {
  expect(formatRoots({ ...state.roots, system: null })).toContain(
    'the system’s store cannot be listed by this runtime',
  );
});

test.each([
  ['2019-12-31T00:00:00Z', 'not yet valid'],
  ['2026-11-21T00:00:00Z', null],
  ['2027-01-02T00:00:00Z', 'expired'],
])('a certificate on %s', (now, age) => {
  expect(ageOf(certificate, Date.parse(now))).toBe(age);
});

test('a server is named by its https address alone, without what may be secret in it', () => {
  expect(httpsOriginOf(' https://kim:pass@api.example:8443/lookup?key=1 ')).toBe('https://api.example:8443');
  // “api.example:” reads as a scheme, whose origin is “null”.
  expect(['api.example:443', 'http://api.example', 'api.example', ''].map(httpsOriginOf)).toEqual(['', '', '', '']);
});
