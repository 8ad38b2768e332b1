import type { Socket } from 'node:net';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { detailOf, proxyError } from './opening-errors.ts';
import { hasEnded, type Note } from './opening-steps.ts';
import { proxyRefusal, tunnelRefusal } from './proxy-messages.ts';
import { request } from './request.ts';
import {
  type ProxyMemory,
  type SignIn,
  type SignInFor,
  sendSignIn,
  withoutSignIn,
  writeAuthorization,
} from './sign-in.ts';

/** What a proxy said to one CONNECT. */
interface TunnelAnswer {
  status: number;
  statusText: string;
  /** The ways to sign in that a 407 offers, lower case: `basic`, `ntlm`, `negotiate`. */
  schemes: string[];
}

interface TunnelRequest {
  /** An open connection to the proxy; it becomes the tunnel. */
  socket: Socket;
  /** `host:port` of the server. */
  target: string;
  /** Value of Proxy-Authorization; the only header that ever holds it. */
  authorization?: string | undefined;
}

/** Asks a proxy once for a tunnel. Rejects if the proxy ends the connection or does not speak HTTP. */
function askForTunnel({ socket, target, authorization }: TunnelRequest): Promise<TunnelAnswer> {
  return new Promise((resolve, reject) => {
    const asking = request({
      method: 'CONNECT',
      path: target,
      headers: {
        host: target,
        'proxy-connection': 'keep-alive',
        ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }),
      },
      setHost: false,
      // Without an agent: the environment’s proxies (NODE_USE_ENV_PROXY) are an agent’s business.
      createConnection: () => socket,
    });
    asking.once('connect', (answer, _socket, head) => {
      // Nothing is due before the first byte of TLS; whatever came early is left for TLS to judge.
      if (head.length > 0) socket.unshift(head);
      resolve({
        status: answer.statusCode ?? 0,
        statusText: answer.statusMessage ?? '',
        schemes: readSchemes(answer.rawHeaders),
      });
    });
    asking.once('error', reject);
    asking.end();
  });
}

export interface TunnelParts {
  /** The proxy's address, as `nameProxy` writes it. */
  proxy: string;
  /** `host:port` of the server. */
  target: string;
  signInFor: SignInFor;
  proxies: ProxyMemory;
  signal: AbortSignal;
  /** Another connection to the same proxy. */
  reconnect(): Promise<Result<Socket>>;
}

const noAnswer = (detail: string) => proxyError('The proxy ended the connection without an answer.', detail);
const opensTunnel = ({ status }: TunnelAnswer): boolean => status >= 200 && status < 300;
const mayTry = (schemes: readonly string[]): boolean => schemes.length === 0 || schemes.includes('basic');

/**
 * Turns an open connection to a proxy into a tunnel to the server. A proxy that asks for a sign-in gets the one entered for it, once;
 * nothing of a request has left by then. Errors: `proxy-failed`, `cancelled`, and the keychain's.
 */
export async function openTunnel(first: Socket, parts: TunnelParts, note: Note<'tunnel'>): Promise<Result<Socket>> {
  const { proxy, target, signInFor, proxies, signal } = parts;
  let socket = first;
  let signIn: SignIn | null = null;
  let asked = 0;
  const ask = async (through: Socket): Promise<Result<TunnelAnswer>> => {
    if (hasEnded(through)) return fail(noAnswer('closed'));
    asked += 1;
    try {
      return ok(
        await askForTunnel({
          socket: through,
          target,
          authorization: signIn === null ? undefined : writeAuthorization(signIn),
        }),
      );
    } catch (error) {
      return fail(noAnswer(detailOf(error)));
    }
  };
  const askSignedIn = (as: SignIn, connect: () => Promise<Result<Socket>>): Promise<Result<TunnelAnswer>> =>
    sendSignIn({ proxy, signIn: as, proxies, signal }, async () => {
      const connected = await connect();
      if (!connected.ok) return connected;
      socket = connected.value;
      signIn = as;
      const answer = await ask(socket);
      if (answer.ok && answer.value.status === 407) proxies.refused.set(proxy, writeAuthorization(as));
      if (answer.ok && opensTunnel(answer.value)) proxies.accepted.set(proxy, writeAuthorization(as));
      return answer;
    });
  const known = proxies.signInProxies.has(proxy) ? await signInFor(proxy) : ok(null);
  if (!known.ok) return known;
  let answer = await (known.value === null ? ask(first) : askSignedIn(known.value, async () => ok(first)));
  if (answer.ok && answer.value.status === 407 && signIn === null && mayTry(answer.value.schemes)) {
    const given = await signInFor(proxy);
    if (!given.ok) return given;
    if (given.value !== null && !signal.aborted) {
      proxies.signInProxies.add(proxy);
      socket.destroy();
      // Another connection: many proxies close the one on which they refused. Its steps have been reported.
      answer = await askSignedIn(given.value, parts.reconnect);
    }
  }
  if (!answer.ok) return answer;
  const { status, schemes } = answer.value;
  note({
    target,
    status,
    // Shortened last: half of a password would not be recognised.
    statusText: withoutSignIn(answer.value.statusText, signIn).slice(0, 100),
    signedIn: signIn !== null,
    asked,
  });
  if (opensTunnel(answer.value)) return ok(socket);
  return fail(status === 407 ? proxyRefusal(proxy, schemes, signIn !== null) : tunnelRefusal(proxy, target, status));
}

/** Names of the schemes in all Proxy-Authenticate headers; their parameters, which may contain commas in quotes, are left out. */
export function readSchemes(rawHeaders: readonly string[]): string[] {
  const values = rawHeaders.filter(
    (_, index) => index % 2 === 1 && /^proxy-authenticate$/i.test(rawHeaders[index - 1] ?? ''),
  );
  const parts = values.flatMap((value) => value.replace(/"(?:[^"\\]|\\.)*"/g, '""').split(','));
  const names = parts.flatMap((part) => /^\s*([A-Za-z][\w-]*)(?:\s|$)/.exec(part)?.[1]?.toLowerCase() ?? []);
  return [...new Set(names)];
}
