import { ADDRCONFIG, type LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';

// The system's resolver occupies one of the runtime's threads for as long as it likes, so at most half of them are used for names: with the
// usual four, two hanging names would stop everything else. The size is read when the first thread is needed.
process.env.UV_THREADPOOL_SIZE = String(Math.max(32, Number(process.env.UV_THREADPOOL_SIZE) || 0));

/** This computer, whatever the name service or the hosts file says of it: plain http, and a key in it, may go there. */
const localhost: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

const underWay = new Map<string, Promise<LookupAddress[]>>();

/**
 * The addresses of a name, in the order in which they are tried. Those who ask while it is being looked up share one look-up. Rejects with
 * the resolver's error; has no time limit.
 */
export function resolveName(host: string): Promise<readonly LookupAddress[]> {
  const name = host.toLowerCase();
  if (name === 'localhost') return Promise.resolve(localhost);
  const before = underWay.get(name);
  if (before !== undefined) return before;
  const asked = lookup(host, { all: true, hints: process.platform === 'win32' ? 0 : ADDRCONFIG }).finally(() =>
    underWay.delete(name),
  );
  underWay.set(name, asked);
  return asked;
}
