/** A postcode with its blank, as most texts have it, though typed without one; any other word unchanged. */
export const spacedPostcode = (word: string): string => word.replace(/^([a-z]{1,2}\d[a-z\d]?)(\d[a-z]{2})$/i, '$1 $2');

/** The words of a search, in lower case, a postcode's halves apart; each must occur in what is found, in any order. */
export const searchWords = (typed: string): string[] =>
  typed
    .toLowerCase()
    .split(/\s+/)
    .flatMap((word) => spacedPostcode(word).split(' '))
    .filter(Boolean);

/** Splits a text into parts, those that match marked. Joined they are the text again. */
export function markWords(text: string, query: string): { text: string; hit: boolean }[] {
  const words = searchWords(query).map(RegExp.escape);
  if (words.length === 0) return [{ text, hit: false }];
  return text
    .split(new RegExp(`(${words.join('|')})`, 'gi'))
    .map((part, index) => ({ text: part, hit: index % 2 === 1 }))
    .filter(({ text: part }) => part !== '');
}
