/**
 * Whether two licence ids name the same licence. `iLicenseID` is an integer (specification), so leading zeros of an
 * all-digit id do not count; anything else is compared as text.
 */
export function isSameLicence(a: string, b: string): boolean {
  return toLicenceId(a) === toLicenceId(b);
}

/** Whether the list contains the licence. */
export function holdsLicence(ids: readonly string[], licenceNumber: string): boolean {
  return ids.some((id) => isSameLicence(id, licenceNumber));
}

/** Whether both lists hold the same licences, in any order. */
export function isSameHolding(a: readonly string[], b: readonly string[]): boolean {
  const left = new Set(a.map(toLicenceId));
  const right = new Set(b.map(toLicenceId));
  return left.size === right.size && [...left].every((id) => right.has(id));
}

/** Largest value of the integer that RegisterLicense takes (an xs:int). */
export const largestLicenceId = 2_147_483_647;

/** One spelling per licence: the integer's digits without leading zeros. */
export function toLicenceId(id: string): string {
  const text = id.trim();
  return /^\d+$/.test(text) ? text.replace(/^0+(?=\d)/, '') : text;
}
