import tls from 'node:tls';
import { chooseProxy } from '../core/policy/apply-policy.ts';
import { transportWithPolicy } from '../core/policy/enforce-policy.ts';
import type { Policy } from '../core/policy/policy-schema.ts';
import { createHttpTransport } from '../core/transport/http/http-transport.ts';
import type { Transport } from '../core/transport/transport.ts';
import { readMachinePolicy, withoutOwnAuthorities } from '../platform/policy-file.ts';
import type { Arguments } from './arguments.ts';
import { createNamedCertificate, type NamedCertificate } from './client-certificate.ts';
import { environmentSignIn, findProxy } from './environment-proxy.ts';
import type { Surroundings } from './surroundings.ts';

/** What one run of the command line has: a way out, a time limit for all of it, and the user's interruption. */
export interface Session extends Pick<Surroundings, 'env' | 'folderName' | 'findKeychain'> {
  send: Transport;
  /** Says which client certificate the servers of a connection are shown. */
  nameCertificate: NamedCertificate['name'];
  /** How a licence change waits between two reads. */
  pauses: Surroundings['pauses'];
  signal: AbortSignal;
  /** Label of the secret to take where the keychain has several of a kind. */
  secretLabel: string | undefined;
  /** What was typed and may be sent or stored; empty once it was said that it may be, whatever it looks like. */
  typed: readonly string[];
  /** What an administrator has set for this computer. */
  policy: Policy;
  /** Milliseconds left of `--timeout`, at least one. */
  remaining(): number;
}

type Typed = Pick<Arguments, 'set' | 'machine' | 'licence' | 'to' | 'sendAnyway'>;

/** Of `field=value` both, for a key may be typed as the one or the other. */
const typedTexts = ({ set = [], machine, licence, to }: Partial<Typed>): string[] =>
  [...set.flatMap((word) => [word, word.slice(word.indexOf('=') + 1)]), machine, licence, to].filter(
    (text) => text !== undefined,
  );

/**
 * Runs one command. Ctrl-C and a polite kill cancel what is under way instead of ending the program, so that the answer still
 * says whether anything had been sent.
 */
export async function runSession<T>(
  args: Pick<Arguments, 'timeoutMs' | 'secret'> & Partial<Typed>,
  { env, folderName, warn, findKeychain, pauses }: Surroundings,
  run: (session: Session) => Promise<T>,
): Promise<T> {
  const { timeoutMs, secret } = args;
  const { policy, extraCa, notices } = await readMachinePolicy();
  for (const notice of notices) warn(notice);
  withoutOwnAuthorities(policy);
  const certificate = createNamedCertificate({ env, findKeychain }, policy);
  const transport = createHttpTransport({
    proxyFor: chooseProxy(policy, async (url) => findProxy(url, env)),
    // Where there is no window to choose a file in, the environment says it, as it says the proxy.
    // A policy that names authorities says who is trusted; the environment is the user's.
    extraCa: policy.extraCaFile === undefined ? [...extraCa, ...tls.getCACertificates('extra')] : extraCa,
    signInFor: environmentSignIn(env),
    clientCertificateFor: certificate.find,
  });
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort();
  const deadline = performance.now() + timeoutMs;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt);
  try {
    return await run({
      env,
      folderName,
      findKeychain,
      pauses,
      send: transportWithPolicy(transport.send, policy, () => null),
      nameCertificate: certificate.name,
      policy,
      signal: interrupted.signal,
      secretLabel: secret,
      typed: args.sendAnyway ? [] : typedTexts(args),
      remaining: () => Math.max(1, Math.ceil(deadline - performance.now())),
    });
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, interrupt);
    await transport.close();
  }
}
