import { readLicencesInTurns } from '../../electron/core/licences/records/read-licence.ts';
import type { LicenceList } from '../../shared/domain/licences/licence.ts';
import { makeLicence } from './licence-service.ts';

/** Long enough that a list is written in several turns of the event loop. */
export const listLength = 2600;

/** The list of the nth reading; every licence in it contains the number n. */
export async function licenceLists(nth: number, length: number): Promise<LicenceList & { readAt: string }> {
  const records = Array.from({ length }, (_, index) => ({
    ...makeLicence(String(index + 1)),
    ReferenceNo: `L-${nth}`,
  }));
  const readAt = new Date(Date.parse('2026-03-02T10:00:00.000Z') + nth * 1000).toISOString();
  return { licences: await readLicencesInTurns(records), readAt };
}
