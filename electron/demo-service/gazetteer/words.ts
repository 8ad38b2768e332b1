/**
 * Turns text into words, both for storing and for searching, so that "O'Neill", "O’NEILL" and "oneill" match each other and "dwr" finds
 * "Dŵr". The words have letters and digits only, so nothing that a user types can become full-text query syntax.
 */

/** Longer input is cut: no address is this long, and a long text must not keep the service busy. */
const longestText = 4096;
const longestWord = 64;
const mostWords = 24;

export function splitWords(text: string): string[] {
  const plain = text
    .slice(0, longestText)
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/['’‘`´]/gu, '');
  return plain.match(/[\p{L}\p{N}]+/gu)?.map((word) => word.slice(0, longestWord)) ?? [];
}

export interface SearchWord {
  readonly word: string;
  /** The user typed a star after it, so any ending matches. */
  readonly open: boolean;
}

/** As splitWords, but at most 24 words, and a star after a word of two or more characters marks it as open. */
export function readSearchWords(text: string): SearchWord[] {
  const found: SearchWord[] = [];
  for (const piece of text.slice(0, longestText).split(/\s+/u)) {
    const words = splitWords(piece);
    for (const [position, word] of words.entries()) {
      const open = position === words.length - 1 && word.length > 1 && piece.endsWith('*');
      found.push({ word, open });
      if (found.length === mostWords) return found;
    }
  }
  return found;
}

/** Words that are dropped from a search if it has others: too many names contain them to narrow anything. */
const fillers = new Set('the of and at in on by for to a an y yr na nan nam'.split(' '));

/** Words that name no place by themselves; a search for these alone is too vague. */
const noise = new Set(
  `road rd street st lane ln close cl way avenue ave drive dr row hill gardens gdns court ct crescent cres place pl terrace
  terr grove walk mews rise green view park square sq end bank croft yard estate heol ffordd lon stryd maes clos rathad sraid
  house cottage flat unit apartment apt building floor room bedsit villa lodge farm
  ltd limited co company plc llp cic group sons daughters department dept po box uk gb united kingdom england scotland wales
  northern ireland county town city village`.split(/\s+/),
);

const isFiller = (word: string): boolean => fillers.has(word);

/** Whether a word narrows a search: not noise, not a single character, not a number with nothing else. */
export function isSelective(word: string): boolean {
  return word.length > 1 && !isFiller(word) && !noise.has(word) && !/^\d+$/.test(word);
}

/** Drops filler words unless there is nothing else. */
export function dropFillers(words: readonly SearchWord[]): SearchWord[] {
  const kept = words.filter((word) => !isFiller(word.word));
  return kept.length > 0 ? kept : [...words];
}

/** Spellings that mean the same in an address, each way round. */
const sameWords: readonly (readonly string[])[] = [
  ['st', 'street', 'saint'],
  ['rd', 'road'],
  ['ln', 'lane'],
  ['cl', 'close'],
  ['ave', 'avenue'],
  ['dr', 'drive'],
  ['gdns', 'gardens'],
  ['ct', 'court'],
  ['cres', 'crescent'],
  ['pl', 'place'],
  ['terr', 'terrace'],
  ['sq', 'square'],
  ['apt', 'apartment'],
  ['ltd', 'limited'],
  ['co', 'company'],
  ['dept', 'department'],
];

/** The word and its other spellings. */
export function listSpellings(word: string): string[] {
  const others = sameWords.filter((group) => group.includes(word)).flat();
  return [...new Set([word, ...others])];
}
