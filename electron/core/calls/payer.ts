import type { Connection, SecretHandle, SecretRole } from '../../../shared/domain/connection.ts';
import type { Secrets } from '../connections/secrets.ts';

export interface Payer {
  label: string;
  lastFour: string;
}

/** Who pays, as the ledger says it: the label of the key a call takes, and where none is used the account. */
export function describePayer(
  connection: Connection,
  call: { roles: readonly SecretRole[]; keyLabel?: string | undefined },
  secrets: Pick<Secrets, 'list'>,
): Payer {
  const listed = secrets.list(connection.id);
  const handles: readonly SecretHandle[] = listed.ok ? listed.value : [];
  for (const role of call.roles) {
    const handle = handles.find(
      (one) =>
        one.role === role &&
        (role === 'lookup-key' && call.keyLabel !== undefined ? one.label === call.keyLabel : one.preferred),
    );
    if (handle) return { label: handle.label, lastFour: handle.lastFour };
  }
  return { label: connection.accountName || connection.name, lastFour: '' };
}
