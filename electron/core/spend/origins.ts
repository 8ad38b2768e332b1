import type { Connection, Protocol } from '../../../shared/domain/connection.ts';
import type { Servers } from '../storage/servers.ts';

/** The demo service's address changes with every start; its balance does not. */
const demoOrigin = 'demo';

/** The origin of an address; empty: it has none. */
export const originOf = (address: string): string => URL.parse(address)?.origin ?? '';

/** The origin of each interface of a connection, of the demo service always the same. */
export function serversOf(connection: Connection): Servers {
  if (connection.kind === 'demo') return { rest: demoOrigin, soap: demoOrigin };
  return { rest: originOf(connection.restBaseUrl), soap: originOf(connection.soapUrl) };
}

/**
 * The origins whose balances may pay for a call over an interface: its own first. One account may be behind both interfaces, which nothing
 * says, so both are named.
 */
export const originsIn = ({ rest, soap }: Servers, protocol: Protocol): string[] =>
  [...new Set(protocol === 'rest' ? [rest, soap] : [soap, rest])].filter((origin) => origin !== '');

/** The same of a connection. */
export const originsOf = (connection: Connection, protocol: Protocol): string[] =>
  originsIn(serversOf(connection), protocol);
