/**
 * One spelling per licence id. `iLicenseID` is an integer (specification), which the service writes with or without leading zeros; anything
 * but digits is compared as text.
 */
export const plainId = (id: string): string => id.trim().replace(/^0+(?=\d+$)/, '');

/** Whether two licence ids name the same licence. */
export function isSameLicence(a: string, b: string): boolean {
  return plainId(a) === plainId(b);
}

/** Whether the list contains the licence. */
export function holdsLicence(ids: readonly string[], licenceNumber: string): boolean {
  return ids.some((id) => isSameLicence(id, licenceNumber));
}

/** Whether both lists hold the same licences, in any order. */
export function isSameHolding(a: readonly string[], b: readonly string[]): boolean {
  const left = new Set(a.map(plainId));
  const right = new Set(b.map(plainId));
  return left.size === right.size && [...left].every((id) => right.has(id));
}

/** Largest value of the integer that RegisterLicense takes (an xs:int). */
export const largestLicenceId = 2_147_483_647;
