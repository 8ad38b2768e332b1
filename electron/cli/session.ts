import tls from 'node:tls';
import { ok } from '../../shared/result.ts';
import { chooseProxy } from '../core/policy/apply-policy.ts';
import { holdTransport } from '../core/policy/hold-to-policy.ts';
import type { Policy } from '../core/policy/policy-schema.ts';
import { nameProxy } from '../core/transport/addresses.ts';
import { createHttpTransport } from '../core/transport/http-transport.ts';
import type { SignInFor } from '../core/transport/sign-in.ts';
import type { Transport } from '../core/transport/transport.ts';
import { readMachinePolicy } from '../platform/policy-file.ts';
import type { Arguments } from './arguments.ts';

/** What one run of the command line has: a way out, a time limit for all of it, and the user's interruption. */
export interface Session {
  send: Transport;
  signal: AbortSignal;
  /** Label of the secret to take where the keychain has several of a kind. */
  secretLabel: string | undefined;
  /** What an administrator has set for this computer. */
  policy: Policy;
  /** Milliseconds left of `--timeout`, at least one. */
  remaining(): number;
}

const exempt = (hostname: string, list: string): boolean =>
  list
    .split(',')
    .map((entry) =>
      entry
        .trim()
        .toLowerCase()
        .replace(/^\*?\./, ''),
    )
    .some((entry) => entry === '*' || (entry !== '' && (hostname === entry || hostname.endsWith(`.${entry}`))));

/** The proxy that the usual variables name. Plain http is for this computer only and never asked about. */
export function findProxy({ hostname }: URL, environment: NodeJS.ProcessEnv = process.env): string | null {
  const { HTTPS_PROXY, https_proxy, ALL_PROXY, all_proxy, NO_PROXY, no_proxy } = environment;
  if (exempt(hostname.toLowerCase(), NO_PROXY || no_proxy || '')) return null;
  const proxy = HTTPS_PROXY || https_proxy || ALL_PROXY || all_proxy || '';
  return /^https?:\/\//i.test(proxy) ? proxy : null;
}

/** User and password of the proxy that the variables name, for that proxy alone. */
const environmentSignIn: SignInFor = async (proxy) => {
  const named = findProxy(new URL('https://any.invalid'), { ...process.env, NO_PROXY: '', no_proxy: '' });
  if (named === null || !URL.canParse(named) || nameProxy(named) !== proxy) return ok(null);
  const { username, password } = new URL(named);
  return ok(username === '' ? null : { user: decodeURIComponent(username), value: decodeURIComponent(password) });
};

/**
 * Runs one command. Ctrl-C and a polite kill cancel what is under way instead of ending the program, so that the answer still
 * says whether anything had been sent.
 */
export async function runSession<T>(
  { timeoutMs, secret }: Pick<Arguments, 'timeoutMs' | 'secret'>,
  run: (session: Session) => Promise<T>,
): Promise<T> {
  const { policy, extraCa, notices } = await readMachinePolicy();
  for (const notice of notices) console.error(notice);
  const transport = createHttpTransport({
    proxyFor: chooseProxy(policy, async (url) => findProxy(url)),
    // Where there is no window to choose a file in, the environment says it, as it says the proxy.
    extraCa: [...extraCa, ...tls.getCACertificates('extra')],
    signInFor: environmentSignIn,
  });
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort();
  const deadline = performance.now() + timeoutMs;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt);
  try {
    return await run({
      send: holdTransport(transport.send, policy, () => null),
      policy,
      signal: interrupted.signal,
      secretLabel: secret,
      remaining: () => Math.max(1, Math.ceil(deadline - performance.now())),
    });
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, interrupt);
    await transport.close();
  }
}
