/** The server (scheme, host, port) that each interface of a connection leads to; empty: it has no address. */
export interface Servers {
  rest: string;
  soap: string;
}

/** The parameters of the conditions below; null: of any server. */
export const serverParameters = (servers: Servers | null) => servers ?? { rest: null, soap: null };

/**
 * A connection whose address was edited has the balances of two services. What was made up names no server, nor does what the first version
 * stored.
 */
const ofServers = (isRest: string): string => `(:rest IS NULL OR origin IN ('', iif(${isRest}, :rest, :soap)))`;

/** In a condition on balance readings or their days: those of some servers. */
export const readingsOfServers = ofServers(`source = 'rest-key'`);
/** In a condition on the ledger: entries of some servers. */
export const entriesOfServers = ofServers(`interface = 'rest'`);
