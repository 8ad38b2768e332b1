import type { ConnectionView } from '../../../shared/contract/connections.ts';
import type { Connection, SecretHandle, SecretRole } from '../../../shared/domain/connection.ts';

/** Whose answers they are: with another address the same connection asks another service. */
export type Account = Pick<Connection, 'id' | 'restBaseUrl' | 'soapUrl'>;

/** Of each connection the keys that are used first, as they were last listed: whoever asks for an answer has only the connection. */
const secretsUsed = new Map<string, readonly SecretHandle[]>();

/** Notes the keys of connections, each time that these are read. */
export function noteKeys(views: readonly Pick<ConnectionView, 'connection' | 'secrets'>[]): void {
  for (const { connection, secrets } of views)
    secretsUsed.set(
      connection.id,
      secrets.filter(({ preferred }) => preferred),
    );
}

/**
 * The key under which the window keeps an account's answer to a question that a secret of these roles may have paid for: with another
 * one it is not this account's.
 */
export function keyPaidBy(account: Account, isUsed: (role: SecretRole) => boolean, ...of: unknown[]): string {
  const { id, restBaseUrl, soapUrl } = account;
  const used = secretsUsed.get(id)?.filter(({ role }) => isUsed(role));
  return JSON.stringify([id, restBaseUrl, soapUrl, used?.map((one) => [one.id, one.lastFour, one.createdAt]), ...of]);
}

/** The same if any key of the account but its master key may have paid. */
export const paidKey = (account: Account, ...of: unknown[]): string =>
  keyPaidBy(account, (role) => role !== 'master-key', ...of);
