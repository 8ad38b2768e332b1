import type { Socket } from 'node:net';
import { SocksClient } from 'socks';
import type { AppError } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { hostAndPort, nameTarget } from './addresses.ts';
import { detailOf, proxyError } from './opening-errors.ts';
import { hasEnded } from './opening-steps.ts';
import { proxyAsksForPassword, proxyRefusesPassword } from './proxy-messages.ts';
import { type ProxyMemory, type SignIn, type SignInFor, sendSignIn, writeAuthorization } from './sign-in.ts';

export interface SocksParts {
  /** `socks5://host:port`, as `nameProxy` writes it. */
  proxy: string;
  origin: URL;
  signInFor: SignInFor;
  proxies: ProxyMemory;
  signal: AbortSignal;
}

/** Bytes of a user name, and of a password: RFC 1929 counts each in one byte, and the library throws where nobody catches it. */
const longestPart = 255;

const tooLong = (proxy: string): AppError => ({
  ...proxyError('The user name or the password for the proxy is longer than SOCKS5 allows, which is 255 bytes.', proxy),
  next: 'Enter a shorter one under Settings, Network, or ask whoever runs the proxy for one.',
});

/**
 * Turns an open connection to a SOCKS5 proxy (RFC 1928) into a way to the server, whose name the proxy resolves. A user name and password
 * (RFC 1929) are given for exactly this proxy and sent only if it chooses that way. Errors: `proxy-failed`, and the keychain's.
 */
export async function openSocks(socket: Socket, parts: SocksParts): Promise<Result<Socket>> {
  const { proxy, signInFor, proxies, signal } = parts;
  const given = await signInFor(proxy);
  if (!given.ok) return given;
  const signIn = given.value;
  if (signIn === null) return connectThrough(socket, parts, null);
  if ([signIn.user, signIn.value].some((text) => Buffer.byteLength(text) > longestPart)) return fail(tooLong(proxy));
  return sendSignIn({ proxy, signIn, proxies, signal }, () => connectThrough(socket, parts, signIn));
}

async function connectThrough(
  socket: Socket,
  { proxy, origin, proxies }: SocksParts,
  signIn: SignIn | null,
): Promise<Result<Socket>> {
  if (hasEnded(socket)) return fail(refusalOf('closed', proxy, nameTarget(origin), false));
  try {
    await SocksClient.createConnection({
      proxy: {
        ...hostAndPort(new URL(proxy)),
        type: 5,
        ...(signIn === null ? {} : { userId: signIn.user, password: signIn.value }),
      },
      command: 'connect',
      destination: hostAndPort(origin),
      existing_socket: socket,
      // The opening has its own limit.
      timeout: 2 ** 30,
    });
    // The library sets it flowing; what arrives is for TLS to read.
    socket.pause();
    if (signIn !== null) proxies.accepted.set(proxy, writeAuthorization(signIn));
    return ok(socket);
  } catch (error) {
    const words = detailOf(error);
    if (signIn !== null && /Authentication failed/i.test(words)) proxies.refused.set(proxy, writeAuthorization(signIn));
    return fail(refusalOf(words, proxy, nameTarget(origin), signIn !== null));
  }
}

/** The library has only words for what the proxy answered. */
function refusalOf(words: string, proxy: string, target: string, signedIn: boolean): AppError {
  const failed = (message: string, next?: string): AppError => {
    const error = proxyError(message, `${proxy}: ${words}`);
    return next === undefined ? error : { ...error, next };
  };
  if (/Authentication failed/i.test(words)) return failed(proxyRefusesPassword.message, proxyRefusesPassword.next);
  if (/no accepted authentication/i.test(words))
    return signedIn
      ? failed('The proxy only takes sign-ins that this program does not speak.')
      : failed(proxyAsksForPassword.message, proxyAsksForPassword.next);
  if (/NotAllowed/i.test(words))
    return failed(`The proxy does not let this computer reach ${target}.`, 'Ask whoever runs the network to allow it.');
  if (/rejected connection/i.test(words))
    return failed(
      `The proxy could not reach ${target}.`,
      'Try again later; if it stays, tell whoever runs the network.',
    );
  return failed('The proxy does not speak SOCKS5, or ended the connection.');
}
