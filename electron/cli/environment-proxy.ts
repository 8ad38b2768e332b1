import { BlockList, isIP } from 'node:net';
import { fail, ok } from '../../shared/result.ts';
import { nameProxy } from '../core/transport/connect/addresses.ts';
import { OpeningFailure, proxyError } from '../core/transport/connect/opening-errors.ts';
import type { SignIn, SignInFor } from '../core/transport/connect/sign-in.ts';

interface EnvironmentProxy {
  /** In the form of `nameProxy`. */
  proxy: string;
  signIn: SignIn | null;
}

const names = ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'] as const;

/** A variable that does not name a usable proxy is an error, because ignoring it would connect directly. Its value may have a password and is not repeated. */
const notUnderstood = (name: string): OpeningFailure => {
  const { failure } = new OpeningFailure(
    proxyError(
      `The variable ${name} does not name a proxy that this program can use.`,
      'expected http://, https:// or socks5://, a name and a port',
    ),
  );
  return new OpeningFailure({ ...failure, next: `Write it as http://proxy.example:8080, or unset ${name}.` });
};

/** Decodes percent-encoding. A text with a % that is not part of an escape is returned unchanged. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The proxy that the usual variables name; null if they name none. Throws an OpeningFailure for a value that is not a usable proxy. */
function readVariables(environment: NodeJS.ProcessEnv): EnvironmentProxy | null {
  const name = names.find((one) => (environment[one] ?? '').trim() !== '');
  if (name === undefined) return null;
  const text = (environment[name] ?? '').trim();
  // A value without a scheme means http, as in other programs.
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const [, scheme = '', userInfo, rest = ''] = /^([a-z0-9+.-]+):\/\/(?:(.*)@)?([^@/?#]+)\/?$/i.exec(address) ?? [];
  const proxy = nameProxy(`${scheme}://${rest}`);
  if (proxy === null) throw notUnderstood(name);
  if (userInfo === undefined) return { proxy, signIn: null };
  const [user = '', ...value] = userInfo.split(':');
  return { proxy, signIn: user === '' ? null : { user: decode(user), value: decode(value.join(':')) } };
}

const bare = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');

/** Whether an entry of NO_PROXY matches a host. It may be a name (which covers its subdomains), an IP address, either with a port, or a network (CIDR). */
function means(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const [, network, bits] = /^([0-9a-f.:]+)\/(\d{1,3})$/i.exec(entry) ?? [];
  if (network !== undefined) {
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
    if (isIP(network) === 0 || isIP(host) !== isIP(network) || Number(bits) > (family === 'ipv6' ? 128 : 32))
      return false;
    const list = new BlockList();
    list.addSubnet(network, Number(bits), family);
    return list.check(host, family);
  }
  const [, name = entry, ownPort] =
    isIP(entry) === 6 ? [] : (/^(\[[0-9a-f:.]+\]|[^:]*)(?::(\d+))?$/i.exec(entry) ?? []);
  if (ownPort !== undefined && ownPort !== port) return false;
  const wanted = bare(name.replace(/^\*?\./, ''));
  if (wanted === '') return false;
  if (isIP(host) !== 0 || isIP(wanted) !== 0) return sameAddress(wanted, host);
  return host === wanted || host.endsWith(`.${wanted}`);
}

function sameAddress(one: string, other: string): boolean {
  if (isIP(one) === 0 || isIP(one) !== isIP(other)) return false;
  const list = new BlockList();
  const family = isIP(one) === 6 ? 'ipv6' : 'ipv4';
  list.addAddress(one, family);
  return list.check(other, family);
}

/** Whether NO_PROXY excludes a URL from the proxy. */
function isExempt(url: URL, { NO_PROXY, no_proxy }: NodeJS.ProcessEnv): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const entries = (NO_PROXY || no_proxy || '').split(/[\s,]+/).filter((entry) => entry !== '');
  return entries.some((entry) => means(entry, bare(url.hostname), port));
}

/**
 * The proxy that the usual variables name for a URL, without user and password; null means a direct connection. It is never called for plain
 * http, which is allowed to this computer only. Throws an OpeningFailure if a variable does not name a usable proxy.
 */
export const findProxy = (url: URL, environment: NodeJS.ProcessEnv): string | null =>
  isExempt(url, environment) ? null : (readVariables(environment)?.proxy ?? null);

/** User and password from the variables, returned only for the proxy that they name. */
export const environmentSignIn =
  (environment: NodeJS.ProcessEnv): SignInFor =>
  async (proxy) => {
    try {
      const named = readVariables(environment);
      return ok(named?.proxy === proxy ? named.signIn : null);
    } catch (error) {
      // With a policy that names the proxy, this is the first place where the variables are read.
      if (error instanceof OpeningFailure) return fail(error.failure);
      throw error;
    }
  };
