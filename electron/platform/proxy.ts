/**
 * Asks the system for the proxy of each address, so that PAC scripts work. Resolves with its answer in PAC form; null: it does not answer;
 * empty: it could not find out, for which Electron does not reject (ResolveProxyHelper in resolve_proxy_helper.cc). Without a proxy the
 * answer is DIRECT.
 */
export function createProxyFinder(resolve: (url: string) => Promise<string>): (url: URL) => Promise<string | null> {
  return async (url) => {
    try {
      // Only the origin: a path or query may hold a key, and a PAC script is the network's, not ours.
      return await resolve(`${url.origin}/`);
    } catch {
      return null;
    }
  };
}
