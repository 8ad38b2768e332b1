/**
 * Every spelling under which a secret is sent in a request or returned in an answer (specification, "SOAP" and "Authentication"; field
 * notes: LicenceID is a GUID; a License record returns its GUID). Compared ignoring case. The integer iLicenseID and a License record's
 * LicenseID are a licence's number, not a secret; what sLicenseID of C2 takes is not shown, so it is treated like the secret LicenceID of
 * C1.
 */
export const secretRequestFields = [
  'key',
  'ApiKey',
  'LicenceID',
  'sLicenseID',
  'sGUID',
  'sGuid',
  'LicenceKey',
  'sWebMapKey',
] as const;

/** Fields of answers that bring a secret back. */
export const secretAnswerFields = ['GUID', 'Guid', 'sGUID', 'sGuid', 'LicenceKey', 'ApiKey', 'LicenceID'] as const;

const names = new Set<string>([...secretRequestFields, ...secretAnswerFields].map((name) => name.toLowerCase()));

/** The published name of the map key field contains the provider's name (`s…Key`), so it is matched by pattern (field notes). */
const providerKey = /^s[a-z0-9]*key$/i;

/** True if a field of this name must never be shown, logged, stored or exported in full. */
export function isSecretField(name: string): boolean {
  return names.has(name.toLowerCase()) || providerKey.test(name);
}

/**
 * What has the form of a GUID, with any of the hyphens that programs put in the place of the plain one. Beside `_`, as in a file's name, it is
 * one too.
 */
export const guid =
  /\{?(?<![0-9a-z])[0-9a-f]{8}[-\u2010-\u2015]?(?:[0-9a-f]{4}[-\u2010-\u2015]?){3}[0-9a-f]{12}(?![0-9a-z])\}?/gi;

const masked = /^•{4}(.{0,4})$/u;

/** The only form in which a secret may be shown; for a value masked before, what it shows. Fewer than 12 characters show nothing. */
export function lastFour(value: string): string {
  const before = masked.exec(value);
  if (before) return before[1] ?? '';
  return value.length >= 12 ? value.slice(-4) : '';
}

/** `••••` and the last four characters. */
export function maskSecret(value: string): string {
  return `••••${lastFour(value)}`;
}
