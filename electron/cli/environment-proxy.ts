import { BlockList, isIP } from 'node:net';
import { fail, ok } from '../../shared/result.ts';
import { nameProxy } from '../core/transport/connect/addresses.ts';
import { OpeningFailure, proxyError } from '../core/transport/connect/opening-errors.ts';
import type { SignIn, SignInFor } from '../core/transport/connect/sign-in.ts';

interface EnvironmentProxy {
  /** As `nameProxy` writes it. */
  proxy: string;
  signIn: SignIn | null;
}

const names = ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'] as const;

/** A variable that names something else than a proxy must not silently mean "none". Its value may hold a password and is not repeated. */
const notUnderstood = (name: string): OpeningFailure => {
  const { failure } = new OpeningFailure(
    proxyError(
      `The variable ${name} does not name a proxy that this program can use.`,
      'expected http://, https:// or socks5://, a name and a port',
    ),
  );
  return new OpeningFailure({ ...failure, next: `Write it as http://proxy.example:8080, or unset ${name}.` });
};

/** A text after the rules of addresses; one that holds a bare % stands for itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The proxy that the usual variables name; null: they name none. Throws an OpeningFailure for what is not understood. */
function readVariables(environment: NodeJS.ProcessEnv): EnvironmentProxy | null {
  const name = names.find((one) => (environment[one] ?? '').trim() !== '');
  if (name === undefined) return null;
  const text = (environment[name] ?? '').trim();
  // Without a scheme, as other programs take it.
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

/** Whether one entry of NO_PROXY means a host: a name with those below it, an address, a network (CIDR), each with or without a port. */
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

/** Whether NO_PROXY says that a URL is reached directly. */
function isExempt(url: URL, { NO_PROXY, no_proxy }: NodeJS.ProcessEnv): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const entries = (NO_PROXY || no_proxy || '').split(/[\s,]+/).filter((entry) => entry !== '');
  return entries.some((entry) => means(entry, bare(url.hostname), port));
}

/**
 * The proxy that the usual variables name for a URL, without user and password; null: directly. Plain http is for this computer only and
 * never asked about. Throws an OpeningFailure where a variable is not understood.
 */
export const findProxy = (url: URL, environment: NodeJS.ProcessEnv): string | null =>
  isExempt(url, environment) ? null : (readVariables(environment)?.proxy ?? null);

/** User and password of the proxy that the variables name, for that proxy alone. */
export const environmentSignIn =
  (environment: NodeJS.ProcessEnv): SignInFor =>
  async (proxy) => {
    try {
      const named = readVariables(environment);
      return ok(named?.proxy === proxy ? named.signIn : null);
    } catch (error) {
      // Also asked where a policy names the proxy, and nobody has read the variables before.
      if (error instanceof OpeningFailure) return fail(error.failure);
      throw error;
    }
  };
