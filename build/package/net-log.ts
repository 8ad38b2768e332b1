/** Addresses of this computer itself: the demo service, and what the engine is told instead of a server. */
const own = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/;

/**
 * Names of the servers that the browser engine asked for, or about, in a network log of its own (`--log-net-log`); this computer is left
 * out. The log has an event a line, and no end where its program was killed, so each line is read by itself.
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

/** “https://a.example/x”, “a.example:443” or “a.example”; another scheme, or nothing of the kind: null. */
function hostOf(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null;
  if (/^(?:https?|wss?):/i.test(value)) return URL.canParse(value) ? new URL(value).hostname : null;
  return /^(\[[0-9a-f:]+\]|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.?)(?::\d+)?$/i.exec(value)?.[1] ?? null;
}
