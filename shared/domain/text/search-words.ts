/** The words of a search, in lower case; each must occur in what is found, in any order. */
export const searchWords = (typed: string): string[] => typed.toLowerCase().split(/\s+/).filter(Boolean);

/** Splits a text into parts, those that match marked. Joined they are the text again. */
export function markWords(text: string, query: string): { text: string; hit: boolean }[] {
  const words = searchWords(query).map(RegExp.escape);
  if (words.length === 0) return [{ text, hit: false }];
  return text
    .split(new RegExp(`(${words.join('|')})`, 'gi'))
    .map((part, index) => ({ text: part, hit: index % 2 === 1 }))
    .filter(({ text: part }) => part !== '');
}
