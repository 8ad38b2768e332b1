import type { Connection } from '../../../shared/domain/connection.ts';
import { plainId } from '../../../shared/domain/licences/licence-ids.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Clients } from '../calls/clients.ts';
import type { JournalDraft } from './journal/journal.ts';
import { readLicenceRecords } from './records/read-holdings.ts';

export interface GuidRequest {
  connectionId: string;
  licenceNumber: string;
  /** As typed: why it is wanted. */
  reason: string;
}

/**
 * The GUID of a licence, whole and unmasked, from the account's list read now: we store none. Errors: those of the read,
 * `unreadable-answer` if the list does not name the licence exactly once with a GUID.
 */
export async function readGuid(
  clients: Clients,
  connection: Connection,
  licenceNumber: string,
  signal: AbortSignal | undefined,
  requestId: string | undefined,
): Promise<Result<string>> {
  const done = await clients.soap(
    {
      connection,
      operation: 'GetLicenseList',
      subject: `GUID of licence ${licenceNumber}`,
      fields: {},
      revealGuidOf: plainId(licenceNumber),
    },
    { signal, ...(requestId === undefined ? {} : { requestId }) },
  );
  if (!done.ok) return done;
  const { found, value, revealedGuid } = done.value.value;
  const records = readLicenceRecords(found === 'nothing' ? [] : value.List);
  if (!records.ok) return records;
  return revealedGuid === undefined
    ? fail({
        ...appError('unreadable-answer', {
          message: `The list read now does not name licence ${licenceNumber} once with a GUID.`,
          next: 'Read the licences again.',
          charge: 'may-have-been-charged',
        }),
        callId: done.value.call.id,
      })
    : ok(revealedGuid);
}

/** About no change: it begins and ends with this entry. */
export const guidEntry = (
  connection: Connection,
  licenceNumber: string,
  at: string,
  by: string,
  text: string,
): JournalDraft => ({
  at,
  by,
  changeId: crypto.randomUUID(),
  connectionId: connection.id,
  connectionName: connection.name,
  kind: 'guid',
  licenceNumber: plainId(licenceNumber),
  machine: '',
  fromMachine: null,
  event: 'guid',
  step: null,
  text,
  before: [],
  after: [],
  state: 'finished',
  verdict: null,
});
