import { type SecretRole, secretRoles } from '../../../shared/domain/connection.ts';
import type { ProxySignIn } from '../../../shared/domain/network.ts';
import type { Keychain, KeychainEntry } from '../../ports.ts';

/**
 * Names of a secret in the keychain. People read them in the system's keychain program and the command line parses them:
 *
 *     service   Address Console, <connection name>
 *     account   <label> (<role>)           role is one of `secretRoles`
 *
 * For example service `Address Console, Wyebank`, account `Contact centre (lookup-key)`.
 */
export const serviceName = (connectionName: string): string => `Address Console, ${connectionName}`;

/** A secret in the keychain: service “Address Console, CONNECTION”, account “LABEL (ROLE)”. */
export function entryName(connectionName: string, role: SecretRole, label: string): KeychainEntry {
  return { service: serviceName(connectionName), account: `${label} (${role})` };
}

/**
 * Where a proxy's password is in the keychain, as people read it there: under the service “Address Console proxy” the account “user at
 * http://host:port”. No connection's service has this name: theirs continue with a comma.
 */
export const signInEntry = ({ proxy, user }: Pick<ProxySignIn, 'proxy' | 'user'>): KeychainEntry => ({
  service: 'Address Console proxy',
  account: `${user} at ${proxy}`,
});

/**
 * Where a certificate file's passphrase is in the keychain, as people read it there: under the service “Address Console client
 * certificate” the account “https://host:port”.
 */
export const passphraseEntry = (origin: string): KeychainEntry => ({
  service: 'Address Console client certificate',
  account: origin,
});

/** An entry's two names as one, to compare entries by. */
export const entryKey = ({ service, account }: KeychainEntry): string => `${service}\n${account}`;

/** The same, as this keychain tells entries apart. */
export const entryKeyIn = ({ ignoresCase }: Pick<Keychain, 'ignoresCase'>, entry: KeychainEntry): string =>
  ignoresCase ? entryKey(entry).toLowerCase() : entryKey(entry);

/** Label and role of an account name, or undefined if it is not one of this program's. */
export function parseAccount(account: string): { label: string; role: SecretRole } | undefined {
  const match = /^(.+) \(([a-z-]+)\)$/.exec(account);
  const role = secretRoles.find((known) => known === match?.[2]);
  return match?.[1] !== undefined && role ? { label: match[1], role } : undefined;
}
