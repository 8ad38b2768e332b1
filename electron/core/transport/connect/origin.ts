import { type AppError, appError, type ErrorCode } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';

/**
 * True for this computer only: `localhost`, 127.0.0.0/8 in dotted form, `[::1]`. The IPv4-mapped form and names under `.localhost` are left
 * out: no configuration needs them, and resolvers disagree about both.
 */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.toLowerCase();
  if (host === 'localhost' || host === '[::1]' || host === '::1') return true;
  const parts = host.split('.');
  return parts.length === 4 && parts[0] === '127' && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part));
}

/** The same for an address that a socket is connected to. */
export const isLoopbackAddress = (address: string): boolean => isLoopbackHost(address.replace(/^::ffff:/i, ''));

const refuse = (code: ErrorCode, detail: string): Result<never, AppError> => fail(appError(code, { detail }));

/**
 * Parses an address only if it reads the same to a person, to this parser and to any other: no user information, backslashes, white space,
 * escapes or non-ASCII letters in the host, and no host spelled differently from what it parses to (decimal or hex IP addresses, full-width
 * dots). https anywhere, http for this computer only.
 */
export function parseSafeAddress(text: string): Result<URL> {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: parsers drop control characters, which moves the host
  if (/[\u0000-\u0020\u007f\\]/.test(text)) {
    return refuse('wrong-origin', 'The address contains white space, a control character or a backslash.');
  }
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(text)?.[1];
  if (authority === undefined) return refuse('wrong-origin', 'The address is not a complete web address.');
  if (authority.includes('@')) return refuse('wrong-origin', 'The address contains a user name.');
  const url = URL.parse(text);
  if (url === null) return refuse('wrong-origin', 'The address is not a complete web address.');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return refuse('insecure-address', `The address starts with ${url.protocol}`);
  }
  const defaultPort = url.protocol === 'https:' ? ':443' : ':80';
  const typed = authority.toLowerCase();
  if (typed !== url.host && typed !== `${url.host}${defaultPort}`) {
    return refuse('wrong-origin', `The server’s name is not in its plain form, which is ${url.host}.`);
  }
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) return fail(appError('insecure-address'));
  return ok(url);
}

/**
 * The only way to a URL that may carry a credential: same origin as the connection's configured address, over https, plain
 * http for this computer only (promise 13). Both arguments are judged as text before they are parsed.
 * Errors: 'wrong-origin', 'insecure-address'.
 */
export function proveDestination(finalUrl: URL | string, configuredBase: URL | string): Result<URL> {
  const base = parseSafeAddress(String(configuredBase));
  if (!base.ok) return base;
  const target = parseSafeAddress(String(finalUrl));
  if (!target.ok) return target;
  if (target.value.origin !== base.value.origin) {
    return refuse('wrong-origin', `${target.value.origin} is not ${base.value.origin}`);
  }
  return target;
}
