import type { RecordValue } from '../../../../shared/catalogue/records.ts';
import type { Connection } from '../../../../shared/domain/connection.ts';
import { writeOperations } from '../../../../shared/domain/licences/licence-change.ts';
import { ok, type Result } from '../../../../shared/result.ts';
import type { Clients } from '../../calls/clients.ts';
import type { Found } from '../../soap/message/outcome.ts';
import type { LicenceAnswer, LicenceCalls } from './licence-calls.ts';

interface Answered<T> {
  value: T;
  call: { id: string; durationMs: number };
}

const answer = <A extends { doubt?: string; truncated?: boolean }, T>(
  { value, call }: Answered<A>,
  read: (value: A) => T,
): Result<LicenceAnswer<T>> =>
  ok({
    value: read(value),
    doubt: value.doubt,
    truncated: value.truncated,
    callId: call.id,
    durationMs: call.durationMs,
  });

/** The records of a list; "none" may have come as one record without content. */
const recordsOf = ({ found, value }: { found: Found; value: RecordValue<'Licenses'> }): RecordValue<'License'>[] =>
  found === 'nothing' ? [] : value.List;

/** The licence operations over SOAP: the only interface that has them. `requestId` shows them in the status bar. */
export function licenceCallsOver(clients: Clients, connection: Connection, requestId?: string): LicenceCalls {
  const context = (signal?: AbortSignal) => ({ signal, ...(requestId === undefined ? {} : { requestId }) });
  const write = async (kind: keyof typeof writeOperations, licenceNumber: string, machine: string) => {
    const operation = writeOperations[kind];
    const fields = { iLicenseID: licenceNumber, sMachineName: machine };
    const done = await clients.soap(
      { connection, operation, subject: `licence ${licenceNumber}, ${machine}`, fields },
      context(),
    );
    return done.ok ? answer(done.value, ({ value }) => value) : done;
  };
  return {
    async list(signal) {
      const done = await clients.soap(
        { connection, operation: 'GetLicenseList', subject: 'all licences', fields: {} },
        context(signal),
      );
      if (!done.ok) return done;
      return answer(done.value, recordsOf);
    },
    async details(machine, signal) {
      const fields = { sMachineName: machine };
      const done = await clients.soap(
        { connection, operation: 'GetLicenseDetails', subject: machine, fields },
        context(signal),
      );
      return done.ok ? answer(done.value, recordsOf) : done;
    },
    register: (licenceNumber, machine) => write('register', licenceNumber, machine),
    unregister: (licenceNumber, machine) => write('unregister', licenceNumber, machine),
  };
}
