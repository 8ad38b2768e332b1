import type { Timings } from '../../../shared/domain/call.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { writeOperations } from '../../core/licences/change/licence-calls.ts';
import { readFields } from '../../core/soap/message/envelope.ts';
import type { CallableOperation } from '../../core/soap/operation.ts';
import type { CallingDesk } from '../calling-desk.ts';
import type { FieldInput } from '../fields.ts';
import type { Session } from '../session.ts';
import { licencesAt } from './licence-console.ts';

/**
 * A licence write called by its name is journalled before it leaves, as every change is (safety.md 8); other operations need
 * nothing. Gives what is to be told of its outcome. Errors: bad-input, forbidden by policy, `storage-failed`: nothing may be sent.
 */
export function journalWrite(
  desk: CallingDesk,
  operation: CallableOperation,
  given: FieldInput,
  session: Session,
): Result<(answer: Result<{ value: unknown; timings: Timings }>) => void> {
  const kind = (['register', 'unregister'] as const).find((one) => writeOperations[one] === operation.name);
  if (kind === undefined) return ok(() => {});
  // What the client would refuse is no change.
  const complete = readFields(operation, given, desk.connection.listSeparator);
  if (!complete.ok) return complete;
  const textOf = (field: string): string => complete.value.get(field)?.join() ?? '';
  const licences = licencesAt(desk, session, session.remaining());
  const begun = licences.beginUnverified({
    connectionId: desk.connection.id,
    kind,
    licenceNumber: textOf('iLicenseID'),
    machine: textOf('sMachineName'),
  });
  if (!begun.ok) {
    licences.close();
    return begun;
  }
  return ok((answer) => {
    // Where this cannot be written, the change stands as begun, and the next start of the window offers to check it.
    begun.value(answer.ok ? ok({ value: String(answer.value.value), durationMs: answer.value.timings.total }) : answer);
    licences.close();
  });
}
