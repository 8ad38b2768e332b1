import { isIP } from 'node:net';

/** Host and port of an address, the host without the brackets of IPv6. */
export function hostAndPort(url: URL): { host: string; port: number } {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { host, port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port) };
}

/** What a CONNECT asks for: `host:port` of an address, the host of IPv6 in brackets. */
export function nameTarget(url: URL): string {
  const { host, port } = hostAndPort(url);
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** A proxy's address in the one form by which it is known: scheme, host in lower case, port always. */
export function nameProxy(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  return `${url.protocol}//${url.hostname}:${hostAndPort(url).port}`;
}
