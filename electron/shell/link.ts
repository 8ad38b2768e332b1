import type { Arrival } from '../../shared/contract/app.ts';
import { placeIds } from '../../shared/places.ts';

/** The scheme of links into the program: `address-console://lookup?text=HR10%202DT`. */
export const linkScheme = 'address-console';

/**
 * What a link asks for: one of the six screens, and for Lookup a text in its search box. Anybody may write a link, so it only fills a form:
 * no key, no connection, no operation that is sent. null: not a link of this program.
 */
export function readLink(text: string): Arrival | null {
  if (text.length > 2000 || !URL.canParse(text)) return null;
  const link = new URL(text);
  const screen = placeIds.find((place) => place === link.hostname.toLowerCase());
  if (link.protocol !== `${linkScheme}:` || screen === undefined) return null;
  if (!['', '/'].includes(link.pathname) || link.username !== '' || link.port !== '') return null;
  const given = screen === 'lookup' ? link.searchParams.get('text') : null;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const filled = given?.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g, ' ').trim();
  return { kind: 'screen', screen, text: filled === undefined || filled === '' ? null : filled.slice(0, 500) };
}
