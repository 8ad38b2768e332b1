import { roleNames, type SecretRole } from '../../../shared/domain/connection.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Keychain } from '../../ports.ts';
import { entryName, parseAccount, serviceName } from './secret-names.ts';

/**
 * A secret by connection name and role, without the database: for the command line. null: there is none. Several of one role are refused
 * unless one has `label`, since a key picked by chance would spend another's credits; a single one is taken whatever its label, which whoever
 * names one checks before (`findLabels`). Errors: `bad-input` with the role as the field, and the keychain's.
 */
export async function findSecret(
  keychain: Keychain,
  connectionName: string,
  role: SecretRole,
  label?: string,
): Promise<Result<string | null>> {
  const found = await findLabels(keychain, connectionName, [role]);
  if (!found.ok) return found;
  const labels = found.value.map((one) => one.label);
  const [first] = labels;
  if (first === undefined) return ok(null);
  const meant = labels.length === 1 ? first : labels.find((one) => one === label);
  if (meant === undefined) {
    const names = labels.map((name) => `“${name}”`).join(', ');
    return fail(
      appError('bad-input', {
        message: `The keychain has several secrets of the kind ${roleNames[role]} for “${connectionName}”: ${names}.`,
        next: 'Say which by its label.',
        field: role,
      }),
    );
  }
  return keychain.get(entryName(connectionName, role, meant));
}

/** The secrets that the keychain has for a connection's name, of some roles. Errors: the keychain's. */
export async function findLabels(
  keychain: Keychain,
  connectionName: string,
  roles: readonly SecretRole[],
): Promise<Result<{ role: SecretRole; label: string }[]>> {
  const accounts = await keychain.list(serviceName(connectionName));
  if (!accounts.ok) return accounts;
  return ok(accounts.value.map(parseAccount).flatMap((found) => (found && roles.includes(found.role) ? [found] : [])));
}

/** All secrets that the keychain returns for a connection's name, to be masked in answers. */
export async function findAllSecrets(
  keychain: Keychain,
  connectionName: string,
): Promise<{ role: SecretRole; value: string }[]> {
  const service = serviceName(connectionName);
  const accounts = await keychain.list(service);
  const found: { role: SecretRole; value: string }[] = [];
  for (const account of accounts.ok ? accounts.value : []) {
    const role = parseAccount(account)?.role;
    const value = role ? await keychain.get({ service, account }) : null;
    if (role && value?.ok && value.value !== null) found.push({ role, value: value.value });
  }
  return found;
}
