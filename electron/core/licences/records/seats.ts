import type { Licence } from '../../../../shared/domain/licence.ts';

/** Seats of some licences. Free seats of expired licences count as expired; what is not a number is in no sum. */
export interface SeatCount {
  used: number;
  free: number;
  expired: number;
  /** Licences of which one of the two numbers, or both, is unknown. */
  unknownLicences: number;
}

/** Adds up the seats of licences. `today` as YYYY-MM-DD; a licence is expired on the day after its expiry. */
export function countSeats(licences: readonly Licence[], today: string): SeatCount {
  const count: SeatCount = { used: 0, free: 0, expired: 0, unknownLicences: 0 };
  for (const licence of licences) {
    count.used += licence.seatsUsed ?? 0;
    if (isExpired(licence, today)) count.expired += licence.seatsFree ?? 0;
    else count.free += licence.seatsFree ?? 0;
    if (licence.seatsUsed === null || licence.seatsFree === null) count.unknownLicences += 1;
  }
  return count;
}

/** Seats per licence type, in the order of the types' names. */
export function countSeatsByType(licences: readonly Licence[], today: string): { type: string; seats: SeatCount }[] {
  const byType = Map.groupBy(licences, (licence) => licence.typeName);
  return [...byType]
    .map(([type, members]) => ({ type, seats: countSeats(members, today) }))
    .sort((a, b) => a.type.localeCompare(b.type, 'en-GB'));
}

/** False where the expiry could not be read: unknown is not expired. */
export function isExpired(licence: Pick<Licence, 'expiresOn'>, today: string): boolean {
  return licence.expiresOn !== null && licence.expiresOn < today;
}
