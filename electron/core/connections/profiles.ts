import type { Connection, SecretHandle, SecretRole } from '../../../shared/domain/connection.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { type DemoSecrets, demoValues } from './demo-secrets.ts';
import { type CallProfile, type CallSecrets, secretFieldOf } from './profile.ts';
import type { Secrets } from './secrets.ts';

/** `keyLabel`: the lookup key to use, if not the preferred one. */
export type ProfileFor = (
  connection: Connection,
  roles: readonly SecretRole[],
  keyLabel?: string,
) => Promise<Result<CallProfile>>;

/**
 * Returns what one call needs: the connection, the secrets of the requested roles, read from the keychain now, and what else is to be
 * masked in its answer. The caller drops them with the call. A role without a key is left out; a lookup key that was entered as a master
 * key too is also the master key; a key that the keychain does not return is an error (`keychain-absent`, `-locked`, `-unreadable`), and so
 * is a demo connection whose service does not run (`demo-failed`).
 */
export function createProfiles(parts: { secrets: Secrets; demoSecrets: DemoSecrets }): ProfileFor {
  const { secrets, demoSecrets } = parts;

  async function readSecrets(
    connection: Connection,
    roles: readonly SecretRole[],
    keyLabel: string | undefined,
  ): Promise<Result<{ found: CallSecrets; keys: SecretHandle[] }>> {
    const found: CallSecrets = {};
    const keys: SecretHandle[] = [];
    if (connection.kind === 'demo' && !demoSecrets())
      return fail(appError('demo-failed', { message: 'The demo service is not running.' }));
    for (const role of roles) {
      const read = await secrets.read(connection, role, role === 'lookup-key' ? keyLabel : undefined);
      if (!read.ok) return read;
      if (read.value === null) continue;
      found[secretFieldOf[role]] = read.value.secret;
      keys.push(read.value.handle);
    }
    return ok({ found, keys });
  }

  return async (connection, roles, keyLabel) => {
    const read = await readSecrets(connection, roles, keyLabel);
    if (!read.ok) return read;
    const { found, keys } = read.value;
    const alsoMask = connection.kind === 'demo' ? demoValues(demoSecrets()) : await secrets.readAll(connection);
    // After the reads: they note the fingerprints that handles of an earlier version lack.
    const compared = secrets.withMasterKey(found);
    return compared.ok ? ok({ connection, secrets: compared.value, keys, alsoMask }) : compared;
  };
}
