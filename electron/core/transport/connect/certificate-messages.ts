import { type AppError, appError } from '../../../../shared/errors.ts';

/** OpenSSL's and Node's codes for "this certificate does not prove this server". */
const certificateCodes: ReadonlySet<string> = new Set([
  'AUTHORITY_ISSUER_SERIAL_NUMBER_MISMATCH',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERROR_IN_CERT_NOT_AFTER_FIELD',
  'ERROR_IN_CERT_NOT_BEFORE_FIELD',
  'ERR_TLS_CERT_ALTNAME_FORMAT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
  'UNABLE_TO_DECRYPT_CERT_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  // Failures without a Node code: too weak a key or signature, a name that its authority may not sign, and others, recognised by words.
  'UNSPECIFIED',
]);

export const isCertificateFailure = (code: string): boolean =>
  certificateCodes.has(code) || (code.startsWith('CERT_') && code !== 'CERT_') || code.startsWith('CRL_');

interface Explanation {
  why: string;
  next: string;
}

const noSwitch = 'There is no switch to ignore this.';
const unknownIssuer: Explanation = {
  why: 'the authority that signed it is not known on this computer',
  next: `Ask your network team for the certificate of their authority: have it put into the system’s store and start the program again, or choose its file under Settings, Network. Or the server leaves out one in between, which its own people must put right. ${noSwitch}`,
};

const wrongName: Explanation = {
  why: 'it was made for another name',
  next: `Check the address; then tell whoever runs it which name is missing from the certificate. ${noSwitch}`,
};

const explanations: Readonly<Record<string, Explanation>> = {
  CERT_HAS_EXPIRED: {
    why: 'it has expired, or one of those that signed it',
    next: `Tell whoever runs it that a certificate must be renewed, and check this computer’s clock. ${noSwitch}`,
  },
  CERT_NOT_YET_VALID: {
    why: 'it is not valid yet',
    next: `Check this computer’s clock first; then tell whoever runs it. ${noSwitch}`,
  },
  CERT_REVOKED: { why: 'it was withdrawn', next: `Tell whoever runs it. ${noSwitch}` },
  ERR_TLS_CERT_ALTNAME_INVALID: wrongName,
  HOSTNAME_MISMATCH: wrongName,
  DEPTH_ZERO_SELF_SIGNED_CERT: {
    why: 'it is self-signed and not among the trusted ones',
    next: `Ask whoever runs it for a certificate of a trusted authority, or choose its file under Settings, Network. ${noSwitch}`,
  },
  SELF_SIGNED_CERT_IN_CHAIN: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownIssuer,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownIssuer,
  INVALID_CA: { why: 'one that may not sign others has signed it', next: `Tell whoever runs it. ${noSwitch}` },
};

/** For those without a Node code, by OpenSSL's words for them. */
const unspecified: readonly [RegExp, Explanation][] = [
  [
    /digest algorithm too weak|md too weak/i,
    {
      why: 'it, or one that signed it, is signed in a way that is no longer safe, such as SHA-1',
      next: `Tell whoever runs it that the certificate must be replaced. ${noSwitch}`,
    },
  ],
  [
    /key too (?:weak|small)/i,
    {
      why: 'its key, or that of one that signed it, is too short to be safe',
      next: `Tell whoever runs it that the certificate must be replaced by one with a longer key. ${noSwitch}`,
    },
  ],
  [
    /subtree violation|name constraint/i,
    {
      why: 'the authority that signed it may not sign for this name',
      next: `Check the address; then tell whoever runs it. ${noSwitch}`,
    },
  ],
];

const explanationOf = (code: string, detail: string): Explanation | undefined =>
  explanations[code] ?? unspecified.find(([said]) => said.test(detail))?.[1];

/** Which check failed, as part of a sentence. */
const formatCertificateFailure = (code: string, detail: string): string =>
  explanationOf(code, detail)?.why ?? `it did not pass a check (${code})`;

/** `whose`: "server’s" or "proxy’s"; `detail`: the runtime's own words. Nothing was sent. */
export function certificateError(code: string, whose: string, detail: string): AppError {
  const next = explanationOf(code, detail)?.next;
  return appError('certificate-not-trusted', {
    charge: 'not-charged',
    message: `The ${whose} certificate is not trusted: ${formatCertificateFailure(code, detail)}.`,
    ...(next === undefined ? {} : { next }),
    // Advice for whoever starts Node: nobody here does.
    detail: detail.replace(/;? *if the root CA is installed locally[^(]*--use-system-ca */i, ' ').trim(),
  });
}
