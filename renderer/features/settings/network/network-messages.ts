import type { CheckStep, CheckStepId } from '../../../../shared/contract/network.ts';
import {
  type CertificateView,
  type NetworkState,
  type ProxyChoice,
  rootSourceText,
} from '../../../../shared/domain/network.ts';
import { countOf } from '../../../lib/text/format.ts';

/** "https://api.example": the server of an address, without a password, path or key that may be in it; empty: not an https address. */
export function httpsOriginOf(address: string): string {
  const url = URL.parse(address.trim());
  return url?.protocol === 'https:' ? url.origin : '';
}

/** The name of a step; with a proxy the first steps are about the proxy. */
export function nameStep({ id, proxied }: CheckStep): string {
  const names: Readonly<Record<CheckStepId, string>> = {
    choice: 'Proxy',
    name: proxied ? 'Name of the proxy' : 'Name',
    tcp: proxied ? 'TCP to the proxy' : 'TCP',
    'proxy-tls': 'TLS with the proxy',
    tunnel: 'Tunnel through the proxy',
    tls: 'TLS with the server',
  };
  return names[id];
}

export const checkText = { chain: 'Chain', name: 'Name', dates: 'Dates' } as const;

/** "expired", "not yet valid" or nothing, of a certificate now. */
export function ageOf(
  { validFrom, validUntil }: CertificateView,
  now: number = Date.now(),
): 'expired' | 'not yet valid' | null {
  if (Date.parse(validUntil) < now) return 'expired';
  return Date.parse(validFrom) > now ? 'not yet valid' : null;
}

/** How many roots are trusted, and from where. */
export function formatRoots(roots: NetworkState['roots']): string {
  const parts = (['system', 'built-in', 'user-file', 'policy-file'] as const).flatMap((source) => {
    const count = roots[source];
    if (count === null) return ['the system’s store cannot be listed by this runtime'];
    return count === 0 && source !== 'system' ? [] : [`${countOf(count, 'certificate')} of ${rootSourceText[source]}`];
  });
  return `Trusted now: ${parts.join(', ')}.`;
}

export type ProxyKind = 'system' | 'direct' | 'address';
export const proxyKindOf = (choice: ProxyChoice): ProxyKind =>
  choice === 'system' || choice === 'direct' ? choice : 'address';
