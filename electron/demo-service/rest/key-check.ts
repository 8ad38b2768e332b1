import type { ApiKey } from '../account/keys.ts';
import type { DemoContext } from '../context.ts';

/** A refusal of the REST interface. Status codes and bodies are not published, so these are guesses. */
export interface RestRefusal {
  readonly status: 400 | 401 | 402 | 403 | 404 | 429;
  readonly code: string;
  readonly message: string;
  /** Seconds; for status 429 only. */
  readonly retryAfter?: number;
}

/** The origin of a call, with which the restrictions of keys are compared. */
export interface Caller {
  readonly ipAddress: string;
  /** Host name of the header Origin or Referer; '' if it has neither. */
  readonly domain: string;
}

export interface KeyCheck {
  /** The key with that value if it may call the endpoint, otherwise the refusal. Counts towards the key's rate limit if it has one. */
  check(value: string, endpoint: { readonly keyRoles: readonly string[] }, caller: Caller): ApiKey | RestRefusal;
}

/** Rate limits are per calendar minute of the service's own clock. */
export function createKeyCheck({ account, clock, settings }: DemoContext): KeyCheck {
  const windows = new Map<string, { minute: number; count: number }>();
  const overLimit = (key: ApiKey): number | undefined => {
    const isLookup = key.label === 'lookup' || key.label === 'lookup2';
    const limit = key.perMinute || (isLookup ? settings.rateLimit : 0);
    if (limit === 0) return undefined;
    const now = clock.now();
    const minute = Math.floor(now / 60_000);
    const window = windows.get(key.label);
    const count = window?.minute === minute ? window.count + 1 : 1;
    windows.set(key.label, { minute, count });
    return count > limit ? Math.ceil(((minute + 1) * 60_000 - now) / 1000) : undefined;
  };
  return {
    check(value, endpoint, caller) {
      const key = account.keys.find((candidate) => candidate.key === value);
      if (!key) return { status: 401, code: 'unknown-key', message: 'The key is not known.' };
      if (!endpoint.keyRoles.includes(key.role))
        return {
          status: 403,
          code: 'key-role',
          message: 'The master key is for credits and administration, not for lookups.',
        };
      if (key.ipAddresses.length > 0 && !key.ipAddresses.includes(caller.ipAddress))
        return { status: 403, code: 'ip-address', message: 'The key is not allowed from this IP address.' };
      if (key.domains.length > 0 && !key.domains.includes(caller.domain))
        return { status: 403, code: 'domain', message: 'The key is not allowed from this domain.' };
      const retryAfter = overLimit(key);
      if (retryAfter === undefined) return key;
      return { status: 429, code: 'rate-limit', message: 'The key’s rate limit is reached.', retryAfter };
    },
  };
}
