import { deriveApiKey } from './credentials.ts';

/** One API key of the account (specification, Authentication: role, restriction by IP address or domain, rate limit). */
export interface ApiKey {
  readonly label: string;
  readonly key: string;
  readonly role: 'lookup' | 'master';
  /** IP addresses that may use it; empty means any. */
  readonly ipAddresses: readonly string[];
  /** Domains that may use it, by Origin or Referer; empty means any. */
  readonly domains: readonly string[];
  /** Requests a minute; 0 means no limit. */
  readonly perMinute: number;
  /** Credits of its own; undefined means that it uses the account's. */
  credits: number | undefined;
  used: number;
}

const rows: readonly Pick<ApiKey, 'label' | 'role' | 'ipAddresses' | 'domains' | 'perMinute'>[] = [
  { label: 'lookup', role: 'lookup', ipAddresses: [], domains: [], perMinute: 0 },
  { label: 'lookup2', role: 'lookup', ipAddresses: [], domains: [], perMinute: 0 },
  { label: 'master', role: 'master', ipAddresses: [], domains: [], perMinute: 0 },
  { label: 'restricted', role: 'lookup', ipAddresses: ['203.0.113.7'], domains: [], perMinute: 0 },
  { label: 'domain', role: 'lookup', ipAddresses: [], domains: ['shop.example'], perMinute: 0 },
  { label: 'limited', role: 'lookup', ipAddresses: [], domains: [], perMinute: 5 },
  { label: 'spent', role: 'lookup', ipAddresses: [], domains: [], perMinute: 0 },
];

/** The keys of the demo account. Each has `ownCredits` credits of its own; with undefined they share the account's. */
export function seedKeys(seed: number, ownCredits: number | undefined): ApiKey[] {
  return rows.map((row) => ({
    ...row,
    key: deriveApiKey(seed, row.label),
    credits: row.label === 'spent' ? 0 : ownCredits,
    used: 0,
  }));
}
