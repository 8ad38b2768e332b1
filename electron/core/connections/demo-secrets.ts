import { type SecretHandle, type SecretRole, secretRoles } from '../../../shared/domain/connection.ts';
import { lastFour } from '../../../shared/secret-fields.ts';
import { type CallSecrets, secretFieldOf } from './profile.ts';

/** Credentials of the demo account while the demo service runs; undefined otherwise. They are never stored. */
export type DemoSecrets = () => CallSecrets | undefined;

/**
 * The demo account's credentials alone: what the service says at its start has its account's name as well, which is no secret and stands in
 * every licence.
 */
export const demoValues = (secrets: CallSecrets | undefined): string[] =>
  Object.values(secretFieldOf).flatMap((field) => secrets?.[field] ?? []);

/** Handles of the demo account's credentials, so that the window shows them like any others. */
export function demoHandles(
  connectionId: string,
  secrets: CallSecrets | undefined,
  startedAt: string,
  uses: ReadonlyMap<SecretRole, string>,
): SecretHandle[] {
  return secretRoles.flatMap((role) => {
    const value = secrets?.[secretFieldOf[role]];
    if (value === undefined) return [];
    return [
      {
        id: `${connectionId}/${role}`,
        connectionId,
        role,
        label: 'Demo account',
        lastFour: lastFour(value),
        preferred: true,
        createdAt: startedAt,
        lastUsedAt: uses.get(role) ?? null,
      },
    ];
  });
}
