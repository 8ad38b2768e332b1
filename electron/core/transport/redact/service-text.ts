import { maskSecret } from '../../../../shared/secret-fields.ts';

/** With any of the hyphens that programs put in the place of the plain one. Beside `_`, as in a file's name, it is one too. */
const guid =
  /\{?(?<![0-9a-z])[0-9a-f]{8}[-\u2010-\u2015]?(?:[0-9a-f]{4}[-\u2010-\u2015]?){3}[0-9a-f]{12}(?![0-9a-z])\}?/gi;
const longest = 500;

export const holdsGuid = (text: string): boolean => text.search(guid) !== -1;

/** Masks everything with the form of a GUID: the credentials of this service are GUIDs, whatever field they are in (field notes). */
export function maskGuids(text: string): string {
  return text.replace(guid, (found) => maskSecret(found.replace(/[{}]/g, '')));
}

/**
 * The service's own words, fit to be shown and stored: known secrets masked by `redact`, GUIDs masked by their form, control characters
 * replaced by a space, cut at 500 characters.
 */
export function readServiceText(text: string, redact: (text: string) => string): string {
  const words = maskGuids(redact(text))
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
  return words.length > longest ? `${words.slice(0, longest)}…` : words;
}
