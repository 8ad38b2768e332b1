import { type AppError, appError } from '../../../../shared/errors.ts';

/** For a proxy that wants a password when none was given. */
export const proxyAsksForPassword = {
  message: 'The proxy asks for a user name and password.',
  next: 'Enter them under Settings, Network.',
} as const;

/** For a proxy that does not accept the password it was given. */
export const proxyRefusesPassword = {
  message: 'The proxy does not accept the user name and password that were entered for it.',
  next: 'Enter them again under Settings, Network; too many wrong tries may lock the account.',
} as const;

/** What the ways to sign in to a proxy are called by the people who run one. */
const schemeNames: Readonly<Record<string, string>> = {
  basic: 'Basic',
  digest: 'Digest',
  ntlm: 'NTLM',
  negotiate: 'Negotiate (Kerberos)',
};

/** The offered ways as a text. Only a plain word is repeated: the rest of what a proxy says stays out. */
const formatScheme = (scheme: string): string =>
  (Object.hasOwn(schemeNames, scheme) ? schemeNames[scheme] : undefined) ?? scheme.slice(0, 20);

const failed = (proxy: string, words: { message: string; next: string }, detail?: string): AppError =>
  appError('proxy-failed', { charge: 'not-charged', detail: detail ?? proxy, ...words });

/** A 407: distinguished by what the proxy offers and by whether a password was sent. Nothing of the request has left. */
export function proxyRefusal(proxy: string, schemes: readonly string[], signedIn: boolean): AppError {
  if (schemes.length > 0 && !schemes.includes('basic')) {
    const offered = schemes.map(formatScheme).join(', ');
    return failed(proxy, {
      message: `The proxy only takes sign-ins that this program does not speak: ${offered}.`,
      next: 'Ask whoever runs the network to let this computer through without one, or to offer Basic as well.',
    });
  }
  return failed(proxy, signedIn ? proxyRefusesPassword : proxyAsksForPassword);
}

/** For a password that this proxy has refused in this run: it is not sent again, and the proxy receives nothing. */
export const refusedBefore = (proxy: string): AppError =>
  failed(proxy, {
    message: 'The proxy has refused the user name and password that were entered for it, so they are not sent again.',
    next: 'Enter them again under Settings, Network; too many wrong tries may lock the account.',
  });

/** Any other answer than a tunnel. */
export function tunnelRefusal(proxy: string, target: string, status: number): AppError {
  const detail = `${proxy} answered ${status} to CONNECT ${target}`;
  if (status === 403 || status === 405)
    return failed(
      proxy,
      {
        message: `The proxy does not let this computer reach ${target}.`,
        next: 'Ask whoever runs the network to allow CONNECT to this address.',
      },
      detail,
    );
  if (status === 502 || status === 503 || status === 504)
    return failed(
      proxy,
      {
        message: `The proxy could not reach ${target}.`,
        next: 'Try again later; if it stays, tell whoever runs the network.',
      },
      detail,
    );
  return failed(
    proxy,
    {
      message: `The proxy answered ${status} instead of connecting to ${target}.`,
      next: 'Check the proxy under Settings, Network, or tell whoever runs the network.',
    },
    detail,
  );
}
