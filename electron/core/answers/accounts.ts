import type { DatabaseSync } from 'node:sqlite';
import { type Connection, type Protocol, serviceOf } from '../../../shared/domain/connection.ts';
import { openConnectionsRepository } from '../storage/connections-repository.ts';

/**
 * The accounts behind each interface of a connection, each the service and the fingerprint of one of its keys, as one text: first that of the
 * key that a call takes. Empty: there is no such connection.
 */
export interface Accounts {
  rest: string[];
  soap: string[];
}

/** A connection that only a command has, from a file. */
export interface FileConnection {
  connection: Connection;
  /** Fingerprints of the keys that pay over each interface, noted where they are found; null: none has been. */
  payers: Record<Protocol, string | null>;
}

/** The account that a key has at a connection's service. `payer`: the key's fingerprint. */
export const accountAt = (connection: Connection, protocol: Protocol, payer: unknown): string =>
  `${serviceOf(connection, protocol)} ${payer}`;

const roles = { rest: ['lookup-key', 'master-key'], soap: ['licence-id', 'account-guid', 'licence-key'] } as const;

/**
 * The accounts of connections. An answer belongs to the account that gave it: editing the address or the key starts afresh, and going back
 * finds the old ones again; what any key has paid for is found as long as the connection has it. `of`: a connection, or its id if it has not
 * been read; `keyLabel`: the lookup key to use, if not the preferred one. `file`: a connection that the database has not. Throws where SQLite
 * does.
 */
export function openAccounts(
  sql: DatabaseSync,
  file: FileConnection | null = null,
): (of: Connection | string, keyLabel?: string) => Accounts {
  const connections = openConnectionsRepository(sql);
  const keys = sql.prepare(
    'SELECT role, label, preferred, fingerprint FROM secret_handles WHERE connection_id = ? AND fingerprint IS NOT NULL',
  );
  return (of, keyLabel) => {
    if (file && file.connection.id === (typeof of === 'string' ? of : of.id)) {
      const { connection, payers } = file;
      const accountsOf = (protocol: Protocol): string[] =>
        payers[protocol] === null ? [] : [accountAt(connection, protocol, payers[protocol])];
      return { rest: accountsOf('rest'), soap: accountsOf('soap') };
    }
    const connection = typeof of === 'string' ? connections.find(of) : of;
    if (!connection) return { rest: [], soap: [] };
    const all = keys.all(connection.id);
    const isUsed = ({ role, label, preferred }: (typeof all)[number]): boolean =>
      role === 'lookup-key' && keyLabel !== undefined ? label === keyLabel : preferred === 1;
    const accountsOf = (protocol: Protocol): string[] => {
      const own = roles[protocol].flatMap((one) => all.filter(({ role }) => role === one));
      const payers = [...own.filter(isUsed), ...own.filter((key) => !isUsed(key))].map((key) => key.fingerprint);
      return (payers.length === 0 ? [''] : payers).map((payer) => accountAt(connection, protocol, payer));
    };
    return { rest: accountsOf('rest'), soap: accountsOf('soap') };
  };
}
