/** Upper case without blanks, so that "hr10 2dt" equals "HR102DT". Cut to 16 characters, which is longer than any postcode. */
export function compactPostcode(text: string): string {
  return text.slice(0, 64).toUpperCase().replace(/\s+/gu, '').slice(0, 16);
}

const full = /^([A-Z]{1,2}\d[A-Z\d]?)(\d[ABD-HJLNP-UW-Z]{2})$/;
const outward = /^[A-Z]{1,2}\d[A-Z\d]?$/;

/** The two halves of a well-formed postcode in any spacing and case, or null. It need not be in use. */
export function splitPostcode(text: string): { outward: string; inward: string } | null {
  const match = full.exec(compactPostcode(text));
  return match?.[1] && match[2] ? { outward: match[1], inward: match[2] } : null;
}

/** The outward code of a full postcode, or the given outward code itself; null for anything else. */
export function readOutward(text: string): string | null {
  const compact = compactPostcode(text);
  return splitPostcode(compact)?.outward ?? (outward.test(compact) ? compact : null);
}
