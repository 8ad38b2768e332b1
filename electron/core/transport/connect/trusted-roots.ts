import { X509Certificate } from 'node:crypto';
import tls from 'node:tls';
import { lazy } from '../../../../shared/lazy.ts';
import { asSecureOptions, type ClientCertificate, fingerprintOf } from './client-certificate.ts';
import { readSystemRoots, systemRoots } from './system-roots.ts';

/** Where a trusted root comes from. */
export type RootSource = 'policy-file' | 'user-file' | 'system' | 'built-in';

export interface ExtraRoots {
  source: 'policy-file' | 'user-file';
  /** One certificate each, PEM. */
  pem: readonly string[];
}

/** The roots that every connection is checked against, and what is known of them. */
export interface Trust {
  /** Resolves once the system's store has been read. Anything else requested before that throws. */
  ready(): Promise<void>;
  /** Made at first use. With a client certificate: one that can show it; what it connects to must be checked with `endsAtTrusted`. */
  context(client?: ClientCertificate | null): tls.SecureContext;
  /** Certificates from each source, duplicates within one counted once; null: this runtime cannot list the system's store. */
  counts(): Record<RootSource, number | null>;
  /** Every source that holds this very certificate. */
  sourcesOf(certificate: X509Certificate): RootSource[];
  /** The root that has signed a certificate, by name and by signature. */
  findIssuer(certificate: X509Certificate): X509Certificate | null;
}

/**
 * Mozilla's roots as built into the runtime, those the operating system trusts (private authorities of a workplace), and files given by
 * hand. Not the runtime's own default list: that includes what NODE_EXTRA_CA_CERTS names, which a packaged program does not read, so what
 * is trusted would depend on how the program was started.
 */
export function createTrust(extra: readonly ExtraRoots[] = []): Trust {
  const contexts = new Map<string, tls.SecureContext>();
  const lists = (): [RootSource, readonly string[] | null][] => [
    ...extra.map(({ source, pem }): [RootSource, readonly string[]] => [source, pem]),
    ['system', readyRoots()],
    ['built-in', tls.rootCertificates],
  ];

  const known = lazy(() => {
    const index = new Map<string, Known[]>();
    for (const [source, pems] of lists()) for (const pem of pems ?? []) add(index, source, pem);
    return index;
  });

  return {
    ready: async () => void (await readSystemRoots()),
    context(client = null) {
      const key = client === null ? '' : fingerprintOf(client);
      const made =
        contexts.get(key) ??
        tls.createSecureContext({
          ca: [...new Set(lists().flatMap(([, pems]) => pems ?? []))],
          minVersion: 'TLSv1.2',
          ...(client === null ? {} : asSecureOptions(client)),
        });
      contexts.set(key, made);
      return made;
    },
    counts() {
      const counts: Record<RootSource, number | null> = { 'policy-file': 0, 'user-file': 0, system: 0, 'built-in': 0 };
      for (const [source, pems] of lists())
        counts[source] = pems === null ? null : (counts[source] ?? 0) + new Set(pems).size;
      return counts;
    },
    sourcesOf: (certificate) =>
      (known().get(certificate.subject) ?? []).find((one) => isSame(one.certificate, certificate))?.sources ?? [],
    findIssuer: (certificate) =>
      (known().get(certificate.issuer) ?? []).find((one) => hasSigned(one.certificate, certificate))?.certificate ??
      null,
  };
}

interface Known {
  certificate: X509Certificate;
  sources: RootSource[];
}

function add(index: Map<string, Known[]>, source: RootSource, pem: string): void {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(pem);
  } catch {
    // A system's store may hold what this runtime cannot read; the handshake ignores it as well.
    return;
  }
  const alike = index.get(certificate.subject) ?? [];
  index.set(certificate.subject, alike);
  const same = alike.find((one) => isSame(one.certificate, certificate));
  if (!same) alike.push({ certificate, sources: [source] });
  else if (!same.sources.includes(source)) same.sources.push(source);
}

const isSame = (a: X509Certificate, b: X509Certificate): boolean => a.fingerprint256 === b.fingerprint256;

/** True if `issuer` signed `certificate`, as its name says. */
export function hasSigned(issuer: X509Certificate, certificate: X509Certificate): boolean {
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  } catch {
    return false;
  }
}

function readyRoots(): readonly string[] | null {
  const roots = systemRoots();
  if (roots === undefined) throw new Error('the system’s certificates have not been read yet');
  return roots;
}
