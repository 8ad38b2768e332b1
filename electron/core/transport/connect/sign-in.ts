import type { Result } from '../../../../shared/result.ts';
import { createRedactor } from '../redact/redact.ts';

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
}

export const createProxyMemory = (): ProxyMemory => ({ signInProxies: new Set(), refused: new Map() });

/** RFC 7617, with UTF-8. */
export const writeAuthorization = ({ user, value }: SignIn): string =>
  `Basic ${Buffer.from(`${user}:${value}`, 'utf8').toString('base64')}`;

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
