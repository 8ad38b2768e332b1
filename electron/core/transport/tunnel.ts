import { request } from 'node:http';
import type { Socket } from 'node:net';

/** What a proxy said to one CONNECT. */
export interface TunnelAnswer {
  status: number;
  statusText: string;
  /** The ways to sign in that a 407 offers, lower case: `basic`, `ntlm`, `negotiate`. */
  schemes: string[];
}

export interface TunnelWish {
  /** An open connection to the proxy; it becomes the tunnel. */
  socket: Socket;
  /** `host:port` of the server. */
  target: string;
  /** Value of Proxy-Authorization; the only header that ever holds it. */
  authorization?: string | undefined;
}

/** Asks a proxy once for a tunnel. Rejects where the proxy ends the connection or does not speak HTTP. */
export function askForTunnel({ socket, target, authorization }: TunnelWish): Promise<TunnelAnswer> {
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
      // Nothing is due before the first byte of TLS; what came early is left for TLS to judge.
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

/** Names of the schemes in all Proxy-Authenticate headers; their parameters, which may hold commas in quotes, are left out. */
export function readSchemes(rawHeaders: readonly string[]): string[] {
  const values = rawHeaders.filter(
    (_, index) => index % 2 === 1 && /^proxy-authenticate$/i.test(rawHeaders[index - 1] ?? ''),
  );
  const parts = values.flatMap((value) => value.replace(/"(?:[^"\\]|\\.)*"/g, '""').split(','));
  const names = parts.flatMap((part) => /^\s*([A-Za-z][\w-]*)(?:\s|$)/.exec(part)?.[1]?.toLowerCase() ?? []);
  return [...new Set(names)];
}
