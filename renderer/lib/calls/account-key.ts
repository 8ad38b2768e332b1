import type { ConnectionView } from '../../../shared/contract/connections.ts';
import type { Connection } from '../../../shared/domain/connection.ts';

/** Whose answers they are: with another address the same connection asks another service. */
export type Account = Pick<Connection, 'id' | 'restBaseUrl' | 'soapUrl'>;

/** The key under which the window keeps an account's answer to a question. */
export const accountKey = ({ id, restBaseUrl, soapUrl }: Account, ...of: unknown[]): string =>
  JSON.stringify([id, restBaseUrl, soapUrl, ...of]);

/** Of each connection the keys that its calls use, as they were last listed: whoever asks for an answer has only the connection. */
const keys = new Map<string, string>();

/** Notes the keys of connections, each time that these are read. */
export function noteKeys(views: readonly Pick<ConnectionView, 'connection' | 'secrets'>[]): void {
  for (const { connection, secrets } of views) {
    const used = secrets.filter(({ preferred, role }) => preferred && role !== 'master-key');
    keys.set(connection.id, JSON.stringify(used.map(({ id, lastFour, createdAt }) => [id, lastFour, createdAt])));
  }
}

/** The key of an account's answer that any of its keys may have paid for: with another one it is not this account's. */
export const paidKey = (account: Account, ...of: unknown[]): string =>
  accountKey(account, keys.get(account.id) ?? null, ...of);
