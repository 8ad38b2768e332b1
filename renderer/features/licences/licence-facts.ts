import { type Licence, nameOf } from '../../../shared/domain/licences/licence.ts';
import { isExpiredOn, seatsUnknown } from '../../../shared/domain/licences/licence-filter.ts';
import { isSameLicence } from '../../../shared/domain/licences/licence-ids.ts';
import type { MachineHoldings } from '../../../shared/domain/licences/licence-machines.ts';

export const kindText = { register: 'Register', unregister: 'Unregister', move: 'Move' } as const;

interface LicenceSeats {
  used: number;
  /** Free and usable. */
  free: number;
  /** Free, but on an expired licence. */
  lost: number;
  /** One or both of the two numbers did not come; such seats are not counted. */
  unknown: boolean;
}

/** The seats of one licence. Unknown seats are in no sum and never free. */
export function seatsOf(licence: Licence, today: string): LicenceSeats {
  const free = licence.seatsFree ?? 0;
  const expired = isExpiredOn(licence, today);
  return {
    used: licence.seatsUsed ?? 0,
    free: expired ? 0 : free,
    lost: expired ? free : 0,
    unknown: seatsUnknown(licence),
  };
}

interface SeatTotals {
  used: number;
  free: number;
  lost: number;
  unknownLicences: number;
}

export function totalSeats(licences: readonly Licence[], today: string): SeatTotals {
  const totals: SeatTotals = { used: 0, free: 0, lost: 0, unknownLicences: 0 };
  for (const licence of licences) {
    const seats = seatsOf(licence, today);
    totals.used += seats.used;
    totals.free += seats.free;
    totals.lost += seats.lost;
    if (seats.unknown) totals.unknownLicences += 1;
  }
  return totals;
}

/** "3 free", "full", "2 expired", "unknown": the text beside the bar. */
export function describeSeats({ used, free, lost, unknown }: LicenceSeats): string {
  if (unknown) return used > 0 ? `${used} used, rest unknown` : 'unknown';
  if (lost > 0) return `${lost} expired`;
  if (free > 0) return `${free} free`;
  return used > 0 ? 'full' : 'no seats';
}

/** The machines whose last answer named a licence. */
export const machinesHolding = (licenceNumber: string, machines: readonly MachineHoldings[]): MachineHoldings[] =>
  machines.filter((machine) => machine.licenceNumbers.some((id) => isSameLicence(id, licenceNumber)));

/** The key of a row: the number, with reference and GUID end in case two records share it. */
export const licenceKey = (licence: Licence): string =>
  `${licence.licenceNumber}\n${licence.referenceNo}\n${licence.guidLastFour}`;

/** Licence numbers as people know them: by reference if the list has it, else the number. */
export function nameHoldings(ids: readonly string[], licences: readonly Licence[]): string {
  return ids
    .map((id) => {
      const listed = licences.find((licence) => isSameLicence(licence.licenceNumber, id));
      return listed ? nameOf(listed) : id;
    })
    .join(', ');
}
