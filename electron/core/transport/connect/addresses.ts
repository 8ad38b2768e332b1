import { isIP } from 'node:net';

/** Host and port of an address, the host without the brackets of IPv6. */
export function hostAndPort(url: URL): { host: string; port: number } {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { host, port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port) };
}

/** The target of a CONNECT: `host:port` of an address, the host of IPv6 in brackets. */
export function nameTarget(url: URL): string {
  const { host, port } = hostAndPort(url);
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** A proxy's address in its one canonical form: scheme, host in lower case, port always. null: not that of an HTTP or SOCKS5 proxy. */
export function nameProxy(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.hostname === '') return null;
  if (url.protocol === 'http:' || url.protocol === 'https:')
    return `${url.protocol}//${url.hostname}:${hostAndPort(url).port}`;
  // socks5h means that the proxy resolves names, which it does here in either case.
  if (!/^socks5h?:$/.test(url.protocol) || !/^[\w.:[\]-]+$/.test(url.hostname)) return null;
  return `socks5://${url.hostname.toLowerCase()}:${url.port || 1080}`;
}
