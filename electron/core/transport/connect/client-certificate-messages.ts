import { type AppError, appError, type Charge } from '../../../../shared/errors.ts';

type Refusal = 'client-certificate-needed' | 'client-certificate-refused';

const reasons: readonly [RegExp, string][] = [
  [/CERTIFICATE_EXPIRED/, 'it has expired'],
  [/CERTIFICATE_REVOKED/, 'it was withdrawn'],
  [/UNKNOWN_CA/, 'the server does not know who signed it'],
  [/UNSUPPORTED_CERTIFICATE/, 'the server does not take one of its kind'],
  [/BAD_CERTIFICATE|CERTIFICATE_UNKNOWN|ACCESS_DENIED|DECRYPT_ERROR/, 'the server gives no reason'],
];

/**
 * What a server's last TLS alert (RFC 8446, 6.2) says about a certificate of ours, or about the lack of one; null: nothing. `shown`: there
 * was one to show; null: not known here. `asked`: as `wasAsked`.
 */
export function refusalOfClient(
  code: string,
  { shown, asked, charge, detail }: { shown: boolean | null; asked: boolean | null; charge: Charge; detail: string },
): AppError | null {
  const alert = /ALERT_([A-Z_]+)$/.exec(code)?.[1] ?? '';
  const said = (refusal: Refusal, message?: string): AppError =>
    appError(refusal, { charge, detail, ...(message === undefined ? {} : { message }) });
  if (alert === 'CERTIFICATE_REQUIRED') return said('client-certificate-needed');
  const reason = reasons.find(([pattern]) => pattern.test(alert))?.[1];
  if (reason !== undefined && shown === false) return said('client-certificate-needed');
  if (reason !== undefined)
    return said('client-certificate-refused', `The server does not accept the client certificate: ${reason}.`);
  // Also sent if no common cipher is found: it counts only from a server that has asked for a certificate.
  if (alert !== 'HANDSHAKE_FAILURE' || asked !== true) return null;
  return said(shown === true ? 'client-certificate-refused' : 'client-certificate-needed');
}

/** nginx lets every handshake pass and refuses in a page, which is its own and not the service's. */
export function refusalInPage(status: number, text: string): Refusal | null {
  if (status !== 400) return null;
  if (/\bNo required SSL certificate was sent\b/i.test(text)) return 'client-certificate-needed';
  return /\bThe SSL certificate error\b/i.test(text) ? 'client-certificate-refused' : null;
}
