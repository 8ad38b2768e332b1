import { createHash, type X509Certificate } from 'node:crypto';
import { Socket } from 'node:net';
import { createSecureContext, type SecureContextOptions, TLSSocket } from 'node:tls';
import { appError } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';

/** What is shown to one server that asks for identification: a certificate and its key, as a file has them. */
export interface ClientCertificate {
  /** PKCS#12 (.pfx, .p12), or PEM with the certificate, those that signed it, and the key. */
  bytes: Buffer;
  /** Of the file; null: it has none. */
  passphrase: string | null;
}

/** The certificate given for exactly this origin of a service; null: none was given. */
export type ClientCertificateFor = (origin: string) => Promise<Result<ClientCertificate | null>>;

const place = 'under Settings, Network';
const unusable = (message: string, next: string, more: { detail?: string; field?: string } = {}): Result<never> =>
  fail(appError('client-certificate-unusable', { message, next, charge: 'not-charged', ...more }));

const isPem = (bytes: Buffer): boolean => bytes.includes('-----BEGIN ');

/** As the runtime takes it. A PEM file serves as both: in it, what is no certificate, or no key, is ignored. */
export const asSecureOptions = ({ bytes, passphrase }: ClientCertificate): SecureContextOptions => ({
  ...(isPem(bytes) ? { cert: bytes, key: bytes } : { pfx: bytes }),
  ...(passphrase === null ? {} : { passphrase }),
});

/** Distinguishes contents and passphrases without keeping either. */
export const fingerprintOf = ({ bytes, passphrase }: ClientCertificate): string =>
  createHash('sha256')
    .update(createHash('sha256').update(bytes).digest())
    .update(passphrase ?? '')
    .digest('hex');

/**
 * Parses what a file holds, as a handshake will. Errors: `client-certificate-unusable`, with the field `passphrase` if that is wrong; none
 * repeats it.
 */
export function readClientCertificate(client: ClientCertificate): Result<X509Certificate> {
  const { bytes } = client;
  if (isPem(bytes) && !/-----BEGIN (?:[A-Z]+ ){0,2}PRIVATE KEY-----/.test(bytes.toString('latin1')))
    return unusable(
      'The file contains a certificate and no private key, so it cannot be shown.',
      'Export it again together with its key, as .pfx or .p12.',
    );
  // Never connected: only a socket reveals which certificate a context holds.
  const socket = new Socket();
  try {
    const shown = new TLSSocket(socket, {
      secureContext: createSecureContext(asSecureOptions(client)),
    }).getX509Certificate();
    if (shown !== undefined) return ok(shown);
    return unusable('The file contains no certificate.', `Choose another file ${place}.`);
  } catch (error) {
    return failUnreadable(error, client.passphrase !== null);
  } finally {
    socket.destroy();
  }
}

/** The runtime has codes for some and only words for others; BoringSSL writes its own in capitals. */
function failUnreadable(error: unknown, given: boolean): Result<never> {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  const said = `${code} ${message}`.replaceAll('_', ' ');
  const detail = message || code;
  if (/mac verify failure|bad decrypt|incorrect password|bad password|problems getting password/i.test(said))
    return unusable(
      given ? 'The passphrase does not open the file.' : 'The file has a passphrase, and none was given.',
      given ? `Enter the right one ${place}.` : `Enter it ${place}.`,
      { detail, field: 'passphrase' },
    );
  if (/unsupported pkcs12|unsupported (?:algorithm|cipher)|unknown (?:algorithm|cipher)/i.test(said))
    return unusable(
      'The file is encrypted in an old way that is no longer read (such as RC2 with 40 bits).',
      'Export it again with AES256, or with TripleDES, as .pfx or .p12.',
      { detail },
    );
  if (/private key/i.test(said))
    return unusable(
      'The file contains a certificate and no private key, so it cannot be shown.',
      'Export it again together with its key, as .pfx or .p12.',
      { detail },
    );
  if (/values mismatch/i.test(said))
    return unusable('The key in the file is not the key of its certificate.', `Choose another file ${place}.`, {
      detail,
    });
  return unusable(
    'The file cannot be read as a certificate with its key.',
    'Export it again as .pfx or .p12, or as PEM with the certificate and the key.',
    { detail },
  );
}

/**
 * Whether the server asked for a certificate: only a server that asks says which signatures it accepts. null: BoringSSL, with which
 * Electron is built, does not tell.
 */
export function wasAsked(socket: TLSSocket): boolean | null {
  if ((process.features as { openssl_is_boringssl?: boolean }).openssl_is_boringssl === true) return null;
  try {
    return socket.getSharedSigalgs().length > 0;
  } catch {
    return null;
  }
}
