import tls from 'node:tls';

/**
 * Node's own roots, those the operating system trusts (private CAs of a workplace) and any given by hand. Where
 * the runtime cannot list the system's, Node's stand alone.
 */
export function createTrustedContext(extraCa: readonly string[]): tls.SecureContext {
  const roots = new Set<string>([...readRoots('default'), ...readRoots('system'), ...extraCa]);
  return tls.createSecureContext(roots.size === 0 ? {} : { ca: [...roots] });
}

function readRoots(kind: 'default' | 'system'): readonly string[] {
  if (typeof tls.getCACertificates !== 'function') return kind === 'default' ? tls.rootCertificates : [];
  try {
    return tls.getCACertificates(kind);
  } catch {
    return kind === 'default' ? tls.rootCertificates : [];
  }
}
