import type { Connection } from '../../shared/domain/connection.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { BareOutcome } from '../core/licences/bare-write.ts';
import { readFields } from '../core/soap/envelope.ts';
import type { CallableOperation } from '../core/soap/operation.ts';
import type { FieldInput } from './fields.ts';
import { openLicenceConsole } from './licence-console.ts';
import type { Session } from './session.ts';

const kinds: Readonly<Record<string, 'register' | 'unregister'>> = {
  RegisterLicense: 'register',
  UnregisterLicense: 'unregister',
};

/**
 * A licence write called by its name is journalled before it leaves, as every change is (safety.md 8); other operations need
 * nothing. Gives what is to be told of its outcome. Errors: bad-input, forbidden by policy, `storage-failed`: nothing may be sent.
 */
export function journalWrite(
  operation: CallableOperation,
  given: FieldInput,
  connection: Connection,
  session: Session,
): Result<(outcome: BareOutcome) => void> {
  const kind = kinds[operation.name];
  if (kind === undefined) return ok(() => {});
  // What the client would refuse is no change.
  const complete = readFields(operation, given, connection.listSeparator);
  if (!complete.ok) return complete;
  const opened = openLicenceConsole(connection, session, session.remaining());
  if (!opened.ok) return opened;
  const { licences, connectionId, close } = opened.value;
  const textOf = (field: string): string => complete.value.get(field)?.join() ?? '';
  const begun = licences.beginBare({
    connectionId,
    kind,
    licenceNumber: textOf('iLicenseID'),
    machine: textOf('sMachineName'),
  });
  if (!begun.ok) {
    close();
    return begun;
  }
  return ok((outcome) => {
    // Where this cannot be written, the change stands as begun, and the next start of the window offers to check it.
    begun.value(outcome);
    close();
  });
}
