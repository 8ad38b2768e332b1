import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Starts a server where only this computer reaches it, at a free port, which it returns. */
export async function listenOnLoopback(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
