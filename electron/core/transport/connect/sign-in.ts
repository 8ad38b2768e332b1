import { fail, ok, type Result } from '../../../../shared/result.ts';
import { createRedactor } from '../redact/redact.ts';
import { reasonOf } from './opening-errors.ts';
import { endWith } from './opening-steps.ts';
import { refusedBefore } from './proxy-messages.ts';

/** What is sent to one proxy, and to no one else. */
export interface SignIn {
  user: string;
  /** The password. */
  value: string;
}

/** The sign-in given for exactly this proxy, as `nameProxy` writes it; null: none was given. */
export type SignInFor = (proxy: string) => Promise<Result<SignIn | null>>;

/** What is known of the proxies in this run. */
export interface ProxyMemory {
  /** Proxies that have asked for a sign-in: they get it with the first request. */
  signInProxies: Set<string>;
  /** What each has refused, as `writeAuthorization` returns it. It is not sent again: too many tries lock an account. */
  refused: Map<string, string>;
  /** What each has accepted, likewise. */
  accepted: Map<string, string>;
  /** By proxy: the one opening that is sending it a sign-in not yet accepted. */
  trials: Map<string, Promise<unknown>>;
  /** The signals of the openings that wait for a trial. */
  waiting: Set<AbortSignal>;
}

export const createProxyMemory = (): ProxyMemory => ({
  signInProxies: new Set(),
  refused: new Map(),
  accepted: new Map(),
  trials: new Map(),
  waiting: new Set(),
});

/** RFC 7617, with UTF-8. */
export const writeAuthorization = ({ user, value }: SignIn): string =>
  `Basic ${Buffer.from(`${user}:${value}`, 'utf8').toString('base64')}`;

interface SignInParts {
  proxy: string;
  signIn: SignIn;
  proxies: ProxyMemory;
  /** Of the opening. */
  signal: AbortSignal;
}

/**
 * Sends a sign-in, unless its proxy has refused it in this run. One that is not yet accepted goes out on one opening, and the others wait
 * for its verdict, each within its own time: sent on all at once, a wrong password would be as many wrong tries. `send` enters the verdict
 * in `accepted` or `refused`; where there is none, as after a cancel, the next opening tries. Errors: `proxy-failed` (refused before), the
 * signal's reason, and those of `send`.
 */
export async function sendSignIn<T>(
  { proxy, signIn, proxies, signal }: SignInParts,
  send: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const { refused, accepted, trials, waiting } = proxies;
  const authorization = writeAuthorization(signIn);
  for (;;) {
    if (signal.aborted) return fail(reasonOf(signal));
    if (refused.get(proxy) === authorization) return fail(refusedBefore(proxy));
    if (accepted.get(proxy) === authorization) return send();
    const trial = trials.get(proxy);
    if (trial === undefined) break;
    waiting.add(signal);
    await endWith(signal, trial.then(ok));
    waiting.delete(signal);
  }
  // The place is free again as soon as the opening ends, whatever the proxy does.
  const trial = endWith(signal, send()).finally(() => trials.delete(proxy));
  trials.set(proxy, trial);
  return trial;
}

/**
 * A proxy's own words, unless they may repeat what it was sent: then they are left out whole. A mask would show the last four characters,
 * far too many of a password.
 */
export function withoutSignIn(text: string, signIn: SignIn | null): string {
  if (signIn === null) return text;
  const sent = writeAuthorization(signIn).slice('Basic '.length);
  const repeats = text.includes(signIn.value) || text.includes(sent);
  return repeats || createRedactor([signIn.value, sent]).text(text) !== text ? '••••' : text;
}
