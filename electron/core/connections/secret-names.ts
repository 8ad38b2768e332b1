import { type SecretRole, secretRoles } from '../../../shared/domain/connection.ts';
import type { KeychainEntry } from '../../ports.ts';

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

/** An entry's two names as one, to compare entries by. */
export const entryKey = ({ service, account }: KeychainEntry): string => `${service}\n${account}`;

/** Label and role of an account name, or undefined if it is not one of this program's. */
export function parseAccount(account: string): { label: string; role: SecretRole } | undefined {
  const match = /^(.+) \(([a-z-]+)\)$/.exec(account);
  const role = secretRoles.find((known) => known === match?.[2]);
  return match?.[1] !== undefined && role ? { label: match[1], role } : undefined;
}
