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
 * Journals a licence write that is called by its operation's name before it is sent, as every change is (safety.md 8). Other operations are
 * not journalled. Returns a function to call with the outcome. Errors: `bad-input`, `policy-forbids`, `storage-failed`; nothing may then
 * be sent.
 */
export function journalWrite(
  desk: CallingDesk,
  operation: CallableOperation,
  given: FieldInput,
  session: Session,
): Result<(answer: Result<{ value: unknown; timings: Timings }>) => void> {
  const kind = (['register', 'unregister'] as const).find((one) => writeOperations[one] === operation.name);
  if (kind === undefined) return ok(() => {});
  // A call that the client would refuse is never sent, so it is not journalled.
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
    // If the outcome cannot be written, the change stays begun, and the window offers to check it at its next start.
    begun.value(answer.ok ? ok({ value: String(answer.value.value), durationMs: answer.value.timings.total }) : answer);
    licences.close();
  });
}
