import type { DatabaseSync } from 'node:sqlite';
import { type Connection, type Protocol, serviceOf } from '../../../shared/domain/connection.ts';
import { openConnectionsRepository } from '../storage/connections-repository.ts';

/**
 * The account behind each interface of a connection: the service and the fingerprint of the key used there, as one text; empty: there is no
 * such connection. Answers belong to it.
 */
export interface Accounts {
  rest: string;
  soap: string;
}

const roles = { rest: ['lookup-key', 'master-key'], soap: ['licence-id', 'account-guid', 'licence-key'] } as const;

/**
 * The accounts of connections. Stored answers follow the account: editing the address or the key starts afresh, and going back
 * finds the old ones again. `of`: a connection, or its id if it has not been read. Throws where SQLite does.
 */
export function openAccounts(sql: DatabaseSync): (of: Connection | string) => Accounts {
  const connections = openConnectionsRepository(sql);
  const keys = sql.prepare(
    'SELECT role, fingerprint FROM secret_handles WHERE connection_id = ? AND preferred = 1 AND fingerprint IS NOT NULL',
  );
  return (of) => {
    const connection = typeof of === 'string' ? connections.find(of) : of;
    if (!connection) return { rest: '', soap: '' };
    const preferred = new Map(keys.all(connection.id).map((row) => [String(row.role), String(row.fingerprint)]));
    const accountOf = (protocol: Protocol): string => {
      const role = roles[protocol].find((one) => preferred.has(one));
      return `${serviceOf(connection, protocol)} ${role === undefined ? '' : preferred.get(role)}`;
    };
    return { rest: accountOf('rest'), soap: accountOf('soap') };
  };
}
