import { guid, maskSecret } from '../../../../shared/secret-fields.ts';

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
