// What people write without meaning it letter by letter. Used only where an address as written does not identify one premise, and a match
// found with it is never called exact: "GFF" is most often a ground floor flat, and a person should see that it was read so.

import { areaNames } from '../../../../shared/domain/address/area-names.ts';
import { memoizeText } from './memoize-text.ts';

/** Numbers written as words; a house may be called "Three Chimneys", so this is tried only after the words as written. */
const units = 'one two three four five six seven eight nine'.split(' ');
const teens = 'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ');
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const numberOf = new Map<string, number>([
  ...[...units, ...teens].map((word, index): [string, number] => [word, index + 1]),
  ...tens.map((word, index): [string, number] => [word, 20 + index * 10]),
]);
const belowHundred = `(?:(?:${tens.join('|')})(?:[\\s-]+(?:${units.join('|')}))?|${[...teens, ...units].join('|')})`;
const spelledNumber = new RegExp(
  `(^|,\\s*|\\bnumber\\s+)(?:(${units.join('|')}|a)\\s+hundred(?:\\s+and)?\\s*)?(${belowHundred})?(?=\\s+\\p{L})`,
  'giu',
);

const sum = (words: string | undefined): number =>
  (words?.toLowerCase().split(/[\s-]+/) ?? []).reduce((total, word) => total + (numberOf.get(word) ?? 0), 0);

const withDigits = (text: string): string =>
  text.replace(spelledNumber, (whole, before: string, hundreds: string | undefined, rest: string | undefined) => {
    const value = (hundreds === undefined ? 0 : (sum(hundreds) || 1) * 100) + sum(rest);
    return value === 0 ? whole : `${before.replace(/number\s+$/i, '')}${value}`;
  });

const floor = '(?:ground|hall|garden|first|second|third|fourth|top|1st|2nd|3rd|4th)';
const side = '(?:left|right|centre|center|front|rear)';

/** Applied to both sides, the row's and the premise's. In this order. */
const rewritten: readonly (readonly [RegExp, string])[] = [
  // They distinguish no premises.
  [new RegExp(`[\\s,]+(?:${areaNames})\\W*$`, 'i'), ''],
  // Systems that keep numbers in a fixed width put zeros before them.
  [/\b0+(?=[1-9])/g, ''],
  [/\b(?:c\/o|f\.?a\.?o\.?|attn\.?)(?=[\s:])/gi, ' '],
  [/\bg\s*\/\s*(?=\d\b)/gi, '0/'],
  [/\bG\.?F\.?(?:F\b|\s+flat\b)/gi, 'Ground Floor Flat '],
  [/\bF\.?F\.?(?:F\b|\s+flat\b)/gi, 'First Floor Flat '],
  [/\bS\.?F\.?(?:F\b|\s+flat\b)/gi, 'Second Floor Flat '],
  [/\bT\.?F\.?(?:F\b|\s+flat\b)/gi, 'Top Floor Flat '],
  [/\bGF([LR])\b/gi, 'Ground Floor $1'],
  [/\b(?:FF|1F)([LR])\b/gi, 'First Floor $1'],
  [/\b(?:SF|2F)([LR])\b/gi, 'Second Floor $1'],
  [/\bTF([LR])\b/gi, 'Top Floor $1'],
  [/\bFloor L\b/g, 'Floor Left'],
  [/\bFloor R\b/g, 'Floor Right'],
  [new RegExp(`\\b(${floor})\\s+(?:fl|flr)\\b\\.?`, 'gi'), '$1 Floor'],
  [new RegExp(`\\b(${floor})\\s+flat\\b(?!\\s*[a-z]?\\d+\\s*,)`, 'gi'), '$1 Floor Flat'],
  [new RegExp(`\\b(${floor})\\s+(?=${side}\\b)`, 'gi'), '$1 Floor '],
  [/(^|,\s*)(basement|attic)(?=\s*,|\s+\d)/gi, '$1$2 Flat,'],
  [/\b(?:fl|flt)\b\.?(?=\s*[a-z]?\d|\s+[a-z]\b)/gi, 'Flat'],
  [/\b(?:fl|flr)\b\.?/gi, 'Floor'],
  [/\b(?:ste)\b\.?(?=\s*\d)/gi, 'Suite'],
  [/\b(?:rm)\b\.?(?=\s*\d)/gi, 'Room'],
  [/\b(?:unit|suite|flat)\s+([a-z])-(?=\d)/gi, 'Unit $1'],
  [/^\W*(?:p\W{0,2}o\W{0,2}b|p\W{0,2}o\W{0,2}bxo|box)\W*(?=\d)/i, 'PO Box '],
  [/\bla\b\.?(?=\W*$|,)/gi, 'Lane'],
  [/\bqy\b/gi, 'Quay'],
  [/\btce\b/gi, 'Terrace'],
  [/\bhs\b/gi, 'House'],
  [/\bhosp\b/gi, 'Hospital'],
  [/\btrdg\b/gi, 'Trading'],
  [/\bup\b\.?/gi, 'Upper'],
  [/\b(?:lwr|lr)\b\.?/gi, 'Lower'],
  [/^n\.?\s+(?=\p{L}{3})/iu, 'North '],
  [/^s\.?\s+(?=\p{L}{3})/iu, 'South '],
  [/^e\.?\s+(?=\p{L}{3})/iu, 'East '],
  [/^w\.?\s+(?=\p{L}{3})/iu, 'West '],
];

/** Words of Welsh names with the English ones that replace them on signs and in letters. Without accents. */
const welsh = new Map(
  Object.entries({
    uned: 'unit',
    fflat: 'flat',
    llawr: 'floor',
    ty: 'house',
    heol: 'road',
    ffordd: 'road',
    fford: 'road',
    stryd: 'street',
    lon: 'lane',
    felin: 'mill',
    melin: 'mill',
    capel: 'chapel',
    eglwys: 'church',
    ysgol: 'school',
    orsaf: 'station',
    gorsaf: 'station',
    siop: 'shop',
    pentre: 'village',
    fferm: 'farm',
    carafan: 'caravan',
    tafarn: 'tavern',
    parc: 'park',
    menter: 'enterprise',
    dyffryn: 'valley',
    isaf: 'lower',
    uchaf: 'upper',
    hen: 'old',
    newydd: 'new',
  }),
);
const articles = new Set(['y', 'yr', 'r']);

const inEnglish = (text: string): string =>
  text
    .split(/([\s,'’-]+)/)
    .map((word) => {
      const form = word
        .toLowerCase()
        .normalize('NFKD')
        .replace(/\p{M}+/gu, '');
      return articles.has(form) ? '' : (welsh.get(form) ?? word);
    })
    .join('');

const rewrite = memoizeText((text: string): string =>
  rewritten.reduce((said, [pattern, by]) => said.replace(pattern, by), withDigits(text)),
);
const rewriteInEnglish = memoizeText((text: string): string => inEnglish(rewrite(text)));

/** One way to rewrite a row, tried after its words as written. */
export interface Variant {
  premise: (text: string) => string;
  /** Applied to the premises' lines; absent: they are read as written. */
  line?: (text: string) => string;
  /** Valid only if the row names the building: the number of a street is no flat's. */
  namesBuilding?: true;
}

const flatOfLetter = (text: string): string => text.replace(/\b(\d+)\s?([a-h])\b/i, 'Flat $2, $1');
const letterOfFlat = (text: string): string => text.replace(/\bflat\s+([a-h])\b[\s,]*(\d+)\b/i, '$2$1');
/** “12/14” is a range to some, and flat 14 of 12 to others. `place`: of the pair that is changed, where a flat and a house each have one. */
const otherPair = (place: number) => (text: string) => {
  let nth = 0;
  return text.replace(/(\d)\s*([-–/])\s*(?=\d)/g, (pair, low: string, by: string) =>
    nth++ === place ? `${low}${by === '/' ? '-' : '/'}` : pair,
  );
};
const flatOfNumber = (kind: string) => (text: string) =>
  text.replace(/^\s*([a-z]?\d+[a-z]?)(?=\s+\p{L})/iu, `${kind} $1,`);

/**
 * The variants, closest to the words first: short forms and numbers in words; a slash as a range, and the reverse; a house letter
 * that is a flat's, and the reverse; a building number that is one of its flats; Welsh words in English.
 */
export const variants: readonly Variant[] = [
  { premise: rewrite, line: rewrite },
  { premise: (text) => otherPair(0)(rewrite(text)) },
  { premise: (text) => otherPair(1)(rewrite(text)) },
  { premise: (text) => flatOfLetter(rewrite(text)) },
  { premise: (text) => letterOfFlat(rewrite(text)) },
  { premise: (text) => flatOfNumber('Flat')(rewrite(text)), namesBuilding: true },
  { premise: (text) => flatOfNumber('Unit')(rewrite(text)), namesBuilding: true },
  { premise: rewriteInEnglish, line: rewriteInEnglish },
];
