import {
  dateOrders,
  forEachLicenceField,
  type Licence,
  licenceSchema,
} from '../../../../shared/domain/licences/licence.ts';
import {
  type ChangeWrite,
  type LicenceChange,
  licenceChangeSchema,
} from '../../../../shared/domain/licences/licence-change.ts';
import { mapInTurns } from '../../concurrency/map-in-turns.ts';
import { judgeDates } from './read-licence.ts';

// Stored data is read by the form it was written in, not by today's schema: what a later version added is filled in here. A new field of a
// licence or a change does not compile until it says what it is for older data.

/** A licence of which nothing came. */
const noLicence: Licence = {
  ...forEachLicenceField(() => ''),
  unknownFields: {},
  expiresOn: null,
  dateOrder: 'none',
  credits: null,
  seatsUsed: null,
  seatsFree: null,
};

/** The licences of a stored list, in its order. Throws if a row is no licence at all. */
export function readStoredLicences(bodies: readonly string[]): Licence[] {
  // Parsed in one go and checked by its first: fifty thousand checks of what this program wrote would take a second.
  const stored = parseStored(bodies);
  return judge(stored, stored.map(complete));
}

/** Rows of a stored list: each one licence, or several with commas between. */
export const parseStored = (bodies: readonly string[]): Partial<Licence>[] =>
  JSON.parse(`[${bodies.join(',')}]`) as Partial<Licence>[];

const complete = (stored: Partial<Licence>): Licence => ({ ...noLicence, ...stored });

function judge(stored: readonly Partial<Licence>[], licences: Licence[]): Licence[] {
  if (licences[0]) licenceSchema.parse(licences[0]);
  // Before the list's own verdict was stored each date was read alone, which took the month for the day.
  const isJudged = stored.every(({ dateOrder }) => dateOrders.some((order) => order === dateOrder));
  return isJudged ? licences : judgeDates(licences);
}

/** The same, yielding to everything else between slices of the list. */
export const completeInTurns = async (stored: readonly Partial<Licence>[]): Promise<Licence[]> =>
  judge(stored, await mapInTurns(stored, complete));

/** What a change of an earlier version lacks. Its writes are known from its steps. */
const additions = (stored: Partial<LicenceChange>): Partial<LicenceChange> => ({
  server: '',
  accountName: '',
  claims: [],
  writes: (stored.steps ?? []).flatMap((step): ChangeWrite[] => {
    if (step.effect !== 'writes' || step.startedAt === null) return [];
    const ended =
      step.durationMs === null ? null : new Date(Date.parse(step.startedAt) + step.durationMs).toISOString();
    const isRegister = step.operation === 'RegisterLicense';
    return [
      {
        step: step.number,
        write: isRegister ? 'register' : 'unregister',
        machine: (isRegister ? stored.machine : (stored.fromMachine ?? stored.machine)) ?? '',
        sentAt: step.startedAt,
        endedAt: ended,
        left: true,
        uptime: null,
        holdMs: 10 * 60_000,
      },
    ];
  }),
  reads: [],
  nextRead: stored.state === 'interrupted' || stored.state === 'running' ? 'next-start' : null,
  writeAfter: null,
  licence: null,
});

/** A stored change of this version or an earlier one. Throws if it is no change at all. */
export function readStoredChange(body: string): LicenceChange {
  const stored = JSON.parse(body) as Partial<LicenceChange>;
  return licenceChangeSchema.parse({ ...additions(stored), ...stored });
}
