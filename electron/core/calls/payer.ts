import type { Connection, SecretHandle } from '../../../shared/domain/connection.ts';
import type { Secrets } from '../connections/secrets.ts';
import type { ApiCall } from './caller.ts';

export interface Payer {
  label: string;
  lastFour: string;
}

/** Who pays, as the ledger says it: the label of the key a call takes, and where none is used the account. */
export function describePayer(
  connection: Connection,
  apiCall: Pick<ApiCall<unknown>, 'roles' | 'interface' | 'keyLabel'>,
  secrets: Pick<Secrets, 'list'>,
): Payer {
  const listed = secrets.list(connection.id);
  const handles: readonly SecretHandle[] = listed.ok ? listed.value : [];
  for (const role of apiCall.roles) {
    const handle = handles.find(
      (one) =>
        one.role === role &&
        (role === 'lookup-key' && apiCall.keyLabel !== undefined ? one.label === apiCall.keyLabel : one.preferred),
    );
    if (handle) return { label: handle.label, lastFour: handle.lastFour };
  }
  return { label: connection.accountName || connection.name, lastFour: '' };
}
