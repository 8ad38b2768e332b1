import { X509Certificate } from 'node:crypto';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';

/** Far more than the authorities of any one workplace take. */
const longestText = 1024 * 1024;
const mostCertificates = 200;

const refuse = (message: string): Result<never> =>
  fail(
    appError('bad-input', {
      charge: 'not-applicable',
      message,
      next: 'Ask your network team for their authority’s certificate in PEM form. Nothing has been changed.',
    }),
  );

/**
 * Certificates of a PEM file, one text each, duplicates removed. Every one must be readable and allowed to sign others, and at least one
 * must not have expired: a useless file would only look as if it helped. Errors: `bad-input`.
 */
export function readCaFile(text: string, now = Date.now()): Result<string[]> {
  if (text.length > longestText) return refuse('The file is larger than 1 MB.');
  if (/-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/.test(text))
    return refuse('The file contains a private key. Only certificates belong here; keep that file to yourself.');
  const found = listCertificates(text);
  if (found.length === 0) return refuse('The file contains no certificate in PEM form.');
  if (found.length > mostCertificates) return refuse(`The file contains more than ${mostCertificates} certificates.`);
  const kept = new Map<string, string>();
  let current = 0;
  for (const [index, pem] of found.entries()) {
    let certificate: X509Certificate;
    try {
      certificate = new X509Certificate(pem);
    } catch {
      return refuse(`Certificate ${index + 1} of the file cannot be read.`);
    }
    if (!isAuthority(certificate))
      return refuse(
        `Certificate ${index + 1} of the file, “${certificate.subject.split('\n').join(', ')}”, is not one of an authority: it may not sign others.`,
      );
    if (Date.parse(certificate.validTo) > now) current += 1;
    kept.set(certificate.fingerprint256, certificate.toString());
  }
  return current === 0 ? refuse('Every certificate in the file has expired.') : ok([...kept.values()]);
}

/**
 * The certificates of a PEM text, one more than is allowed at most. Each begins after the end of the one before, so that the text is read
 * once however it is made up.
 */
function listCertificates(text: string): string[] {
  const found: string[] = [];
  const mark = /-----(BEGIN|END) (?:X509 |TRUSTED )?CERTIFICATE-----/g;
  let begun: number | null = null;
  for (const { 0: whole, 1: kind, index } of text.matchAll(mark)) {
    if (kind === 'BEGIN') begun ??= index;
    else if (begun !== null) {
      found.push(text.slice(begun, index + whole.length));
      begun = null;
      if (found.length > mostCertificates) break;
    }
  }
  return found;
}

/** Marked as an authority; or self-signed, the only form in which a server's own certificate can be trusted by itself. */
const isAuthority = (certificate: X509Certificate): boolean =>
  certificate.ca || certificate.issuer === certificate.subject;
