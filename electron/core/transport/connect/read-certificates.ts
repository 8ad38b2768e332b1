import { X509Certificate } from 'node:crypto';
import tls, { type TLSSocket } from 'node:tls';
import { showInvisible } from '../../../../shared/domain/text/visible-text.ts';
import { wasAsked } from './client-certificate.ts';
import { hasSigned, type RootSource, type Trust } from './trusted-roots.ts';

/** One certificate for display; times in ISO form. */
export interface CertificateFacts {
  subject: string;
  issuer: string;
  validFrom: string;
  validUntil: string;
  /** SHA-256, pairs of hex digits with colons. */
  fingerprint: string;
}

/** One of the three checks of a handshake. */
interface CertificateCheck {
  what: 'chain' | 'name' | 'dates';
  passed: boolean;
  text: string;
}

/** What a handshake showed, whether it was trusted or not. */
export interface SecureFacts {
  protocol: string;
  cipher: string;
  /** From the server's own upwards, as the server sent them; the trusted root is added if it was not sent. */
  chain: CertificateFacts[];
  /** Where the chain ended; empty sources: at none that is trusted. null: no certificate was shown. */
  root: { subject: string; sources: RootSource[] } | null;
  checks: CertificateCheck[];
  /** Whether the server asked for a client certificate, and whether there was one to show. `asked` null: this runtime does not know. */
  client: { asked: boolean | null; given: boolean };
}

/** A name as it is shown: whoever made the certificate chose it. */
const oneLine = (name: string): string => showInvisible(name.split('\n').join(', '));

const isoOf = (text: string): string => {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? text : time.toISOString();
};

export const describeCertificate = (certificate: X509Certificate): CertificateFacts => ({
  subject: oneLine(certificate.subject) || 'no name',
  issuer: oneLine(certificate.issuer) || 'no name',
  validFrom: isoOf(certificate.validFrom),
  validUntil: isoOf(certificate.validTo),
  fingerprint: certificate.fingerprint256,
});

const longestChain = 10;

/** The certificates a server showed, its own first. */
function readSent(socket: TLSSocket): X509Certificate[] {
  const chain: X509Certificate[] = [];
  let peer: tls.DetailedPeerCertificate | undefined = socket.getPeerCertificate(true);
  while (peer?.raw && chain.length < longestChain) {
    const certificate = new X509Certificate(peer.raw);
    if (chain.some((one) => one.fingerprint256 === certificate.fingerprint256)) break;
    chain.push(certificate);
    peer = peer.issuerCertificate;
  }
  return chain;
}

/** Walks from the server's certificate up to the first that is trusted, as the handshake's own check does. */
function findRoot(sent: readonly X509Certificate[], trust: Trust): { path: X509Certificate[]; trusted: boolean } {
  const path: X509Certificate[] = [];
  let current = sent[0];
  while (current && path.length < longestChain) {
    path.push(current);
    if (trust.sourcesOf(current).length > 0) return { path, trusted: true };
    const above: X509Certificate = current;
    const root = trust.findIssuer(above);
    if (root) return { path: [...path, root], trusted: true };
    current = sent.find((one) => !path.includes(one) && hasSigned(one, above));
  }
  return { path, trusted: false };
}

/**
 * Whether a server's chain ends at a root of ours. The runtime treats the authorities in a client certificate's file as trusted (node:tls,
 * `pfx`), so its own verdict is not enough if such a file is used.
 */
export function endsAtTrusted(socket: TLSSocket, trust: Trust): boolean {
  const { path, trusted } = findRoot(readSent(socket), trust);
  return trusted && path.slice(1).every(({ ca }) => ca);
}

const day = (iso: string): string => iso.slice(0, 10);

function checkDates(chain: readonly CertificateFacts[], now: number): CertificateCheck {
  const late = chain.find(({ validUntil }) => Date.parse(validUntil) < now);
  const early = chain.find(({ validFrom }) => Date.parse(validFrom) > now);
  if (late) return { what: 'dates', passed: false, text: `“${late.subject}” expired on ${day(late.validUntil)}` };
  if (early) return { what: 'dates', passed: false, text: `“${early.subject}” begins on ${day(early.validFrom)}` };
  const first = chain.map(({ validUntil }) => validUntil).sort()[0];
  return {
    what: 'dates',
    passed: true,
    text: first === undefined ? 'none shown' : `all valid, the first until ${day(first)}`,
  };
}

function checkName(host: string, own: X509Certificate | undefined, socket: TLSSocket): CertificateCheck {
  if (!own) return { what: 'name', passed: false, text: 'no certificate was shown' };
  const wrong = tls.checkServerIdentity(host, socket.getPeerCertificate(true));
  if (wrong === undefined) return { what: 'name', passed: true, text: `it is for ${host}` };
  const names = oneLine((own.subjectAltName ?? '').replaceAll(/\b(?:DNS|IP Address):/g, '').slice(0, 300));
  return { what: 'name', passed: false, text: `it is for ${names === '' ? 'no name at all' : names}, not for ${host}` };
}

/** Reads a handshake that has just ended, before its verdict: for a refused one this shows what was refused. */
export function readHandshake(
  socket: TLSSocket,
  { host, trust, given }: { host: string; trust: Trust; given: boolean },
): SecureFacts {
  const sent = readSent(socket);
  const { path, trusted } = findRoot(sent, trust);
  const end = path.at(-1);
  const chain = path.map(describeCertificate);
  const text = trusted
    ? `it ends at “${oneLine(end?.subject ?? '')}”, which is trusted`
    : `it ends at “${oneLine(end?.issuer ?? '')}”, which is not trusted here`;
  return {
    protocol: (socket.getProtocol() ?? 'TLS').replace('TLSv', 'TLS '),
    cipher: socket.getCipher()?.standardName ?? '',
    chain,
    root: end ? { subject: oneLine(end.subject), sources: trusted ? trust.sourcesOf(end) : [] } : null,
    checks: [{ what: 'chain', passed: trusted, text }, checkName(host, sent[0], socket), checkDates(chain, Date.now())],
    client: { asked: wasAsked(socket), given },
  };
}
