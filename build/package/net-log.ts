/** Addresses of this computer: the demo service, and the address that a test gives the engine in place of a server. */
const own = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/;

/**
 * Names of the servers that the browser engine contacted or looked up, from its network log (`--log-net-log`), without this computer's.
 * The log has one event on each line and is incomplete if its program was killed, so each line is parsed separately.
 */
export function hostsInNetLog(log: string): string[] {
  const hosts = new Set<string>();
  for (const line of log.split('\n')) {
    const params = readParams(line);
    for (const name of ['url', 'host', 'origin', 'destination', 'server']) {
      const host = hostOf(params[name]);
      if (host !== null && !own.test(host)) hosts.add(host);
    }
  }
  return [...hosts].sort();
}

function readParams(line: string): Record<string, unknown> {
  const text = line.trim().replace(/,$/, '');
  if (!text.startsWith('{"') || !text.includes('"params"')) return {};
  try {
    const event = JSON.parse(text) as { params?: Record<string, unknown> };
    return event.params ?? {};
  } catch {
    return {};
  }
}

/** The host of “https://a.example/x”, “a.example:443” or “a.example”; null for another scheme or any other value. */
function hostOf(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null;
  if (/^(?:https?|wss?):/i.test(value)) return URL.parse(value)?.hostname ?? null;
  return /^(\[[0-9a-f:]+\]|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.?)(?::\d+)?$/i.exec(value)?.[1] ?? null;
}
