/** Upper case without blanks: "hr10 2dt" and "HR102DT" become the same. Cut to 16 characters, more than any postcode. */
export function compactPostcode(text: string): string {
  return text.slice(0, 64).toUpperCase().replace(/\s+/gu, '').slice(0, 16);
}

const full = /^([A-Z]{1,2}\d[A-Z\d]?)(\d[ABD-HJLNP-UW-Z]{2})$/;
const outward = /^[A-Z]{1,2}\d[A-Z\d]?$/;

/** The two halves of a well-formed postcode in any spacing and case, or null. Says nothing about whether it is in use. */
export function splitPostcode(text: string): { outward: string; inward: string } | null {
  const match = full.exec(compactPostcode(text));
  return match?.[1] && match[2] ? { outward: match[1], inward: match[2] } : null;
}

/** The district of a full postcode, or the outward code itself when only that is given, or null. */
export function readOutward(text: string): string | null {
  const compact = compactPostcode(text);
  return splitPostcode(compact)?.outward ?? (outward.test(compact) ? compact : null);
}
