// Words of addresses as they are compared: without case, accents and apostrophes, short and long forms alike.

/** Forms that mean the same, whichever a person writes. Taken from lists of UK addresses; ambiguous forms are left out. */
const sameForms: readonly (readonly [string, ...string[]])[] = [
  ['street', 'str', 'st'],
  ['road', 'rd'],
  ['lane', 'ln'],
  ['close', 'cl', 'clo'],
  ['avenue', 'ave', 'av'],
  ['drive', 'dr', 'drv'],
  ['gardens', 'gdns', 'gdn'],
  ['court', 'ct', 'crt'],
  ['crescent', 'cres', 'cresc', 'cr'],
  ['place', 'pl'],
  ['terrace', 'terr', 'ter'],
  ['square', 'sq'],
  ['grove', 'grv', 'gr'],
  ['walk', 'wlk'],
  ['way', 'wy'],
  ['park', 'pk'],
  ['estate', 'est'],
  ['industrial', 'ind', 'indl'],
  ['house', 'hse'],
  ['cottage', 'cott', 'cot', 'cottge'],
  ['cottages', 'cotts'],
  ['building', 'bldg'],
  ['buildings', 'bldgs'],
  ['mansions', 'mans'],
  ['apartments', 'apts'],
  ['farm', 'fm'],
  ['centre', 'ctr', 'center'],
  ['limited', 'ltd'],
  ['company', 'co'],
  ['brothers', 'bros'],
  ['department', 'dept'],
  ['lower', 'lwr', 'lr'],
  ['upper', 'upr'],
  ['great', 'gt'],
  ['little', 'lt'],
  ['north', 'nth'],
  ['south', 'sth'],
  ['flat', 'fflat', 'apartment', 'apt'],
  ['first', '1st'],
  ['second', '2nd'],
  ['third', '3rd'],
  ['fourth', '4th'],
];
const longForms = new Map(sameForms.flatMap(([long, ...shorts]) => shorts.map((short) => [short, long] as const)));

/** Too frequent in addresses to distinguish anything; people leave them out or put them in at will. */
const fillers = new Set(['the', 'and', 'of']);

/** Words for kinds of street. */
export const streetTypes = new Set(
  `street road lane close avenue drive gardens court crescent place terrace square grove walk way park row hill mews rise green view
  end bank croft yard estate heol ffordd stryd lon maes clos rhes rhodfa rathad sraid y yr na nan`.split(/\s+/),
);

/** Words that make a different name out of a name: Old Mill Lane is not Mill Lane. */
export const qualifiers = new Set('old new upper lower great little north south east west nether over'.split(' '));

/** One word of an address. */
export interface Word {
  /** As compared. */
  form: string;
  /** As written. */
  text: string;
}

/** Lower case without accents and apostrophes; & and + become “and”. A fraction stays one: NFKD makes the digits 121⁄2 of 12½. */
export const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{No}]+/gu, (text) => text.normalize('NFKD'))
    .replace(/\p{M}+/gu, '')
    .replace(/['’‘`´]/gu, '')
    .replace(/[&+]/g, ' and ');

/** The whole word of an abbreviation ("rd" is "road"); any other word as it is. */
export const longForm = (word: string): string => longForms.get(word) ?? word;

export const isFiller = (form: string): boolean => fillers.has(form);

/** Whether two forms are the same; `st` may be a saint. */
export const isSame = (one: Word, other: Word): boolean => one.form === other.form || (isSaint(one) && isSaint(other));

const isSaint = ({ form, text }: Word): boolean => form === 'saint' || plain(text).replace('.', '') === 'st';

/** Letters inserted, dropped, changed or swapped with their neighbour, up to 2; 3 means more. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((last[j] ?? 9) + 1, (row[j - 1] ?? 9) + 1, (last[j - 1] ?? 9) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 9) + 1);
      row.push(best);
    }
    before = last;
    last = row;
  }
  return Math.min(last[b.length] ?? 3, 3);
}

/** A typing error: one in a word of four letters or more, two from eight on. Never between words with digits. */
export function isSlip(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  if (shorter < 4 || /\d/.test(one + other)) return false;
  return distance(one, other) <= (shorter >= 8 ? 2 : 1);
}
