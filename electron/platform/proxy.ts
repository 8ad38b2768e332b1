/** Asks the system for the proxy of each address, so that PAC scripts work. Resolves with its answer in PAC form; null: it does not answer. */
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
