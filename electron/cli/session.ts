import { createHttpTransport } from '../core/transport/http-transport.ts';
import type { Transport } from '../core/transport/transport.ts';

/** What one run of the command line has: a way out, a time limit for all of it, and the user's interruption. */
export interface Session {
  send: Transport;
  signal: AbortSignal;
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

/**
 * Runs one command. Ctrl-C and a polite kill cancel what is under way instead of ending the program, so that the answer still
 * says whether anything had been sent.
 */
export async function runSession<T>(timeoutMs: number, run: (session: Session) => Promise<T>): Promise<T> {
  const transport = createHttpTransport({ proxyFor: async (url) => findProxy(url) });
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort();
  const deadline = performance.now() + timeoutMs;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt);
  try {
    return await run({
      send: transport.send,
      signal: interrupted.signal,
      remaining: () => Math.max(1, Math.ceil(deadline - performance.now())),
    });
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, interrupt);
    await transport.close();
  }
}
