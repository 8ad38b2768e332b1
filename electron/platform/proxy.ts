/**
 * Turns the system's answer in PAC form ("PROXY host:port; DIRECT") into one proxy URL, or null for a direct connection. SOCKS
 * is passed over: the HTTP stack speaks HTTP proxies only.
 */
export function readPacAnswer(answer: string): string | null {
  for (const part of answer.split(';')) {
    const [kind = '', address = ''] = part.trim().split(/\s+/);
    if (kind.toUpperCase() === 'DIRECT') return null;
    if (address !== '' && kind.toUpperCase() === 'PROXY') return `http://${address}`;
    if (address !== '' && kind.toUpperCase() === 'HTTPS') return `https://${address}`;
  }
  return null;
}

/** Asks the system (so that PAC scripts work) for each address; a system that does not answer means a direct connection. */
export function createProxyFinder(resolve: (url: string) => Promise<string>): (url: URL) => Promise<string | null> {
  return async (url) => {
    try {
      // Only the origin: a path or query may hold a key, and a PAC script is the network's, not ours.
      return readPacAnswer(await resolve(`${url.origin}/`));
    } catch {
      return null;
    }
  };
}
