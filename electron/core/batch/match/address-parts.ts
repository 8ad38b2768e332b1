import { maybeCountry } from '../../../../shared/domain/address/area-names.ts';
import { isFiller, longForm, plain, type Word } from './words.ts';

/** One part between commas: the tokens that distinguish a premise from its neighbours, and its other words. */
export interface AddressPart {
  /** A house number with its letter, "12a", a range, "26-28", or "26/28", which may be flat 28 of 26: each is one token. */
  numbers: string[];
  words: Word[];
}

/** An address taken apart. Plain parsing without likeness: what is no number, flat or box is a word. */
export interface AddressParts {
  parts: AddressPart[];
  /** Of all its parts, in their order. */
  numbers: string[];
  /** "flat 2", "unit 10", "first floor", "2f1": kind and name; empty: none is named. */
  flat: string;
  /** As written. */
  flatText: string;
  /** How many parts stand before the flat; 0 also where none is named. */
  flatAt: number;
  poBox: string;
  /** Upper case without its space; empty: none at the end. */
  postcode: string;
}

/** Maybe before a country: an address of the service has one. */
const postcodeAtEnd = new RegExp(`[\\s,]*\\b([a-z]{1,2}\\d[a-z\\d]?)\\s*(\\d[a-z]{2})${maybeCountry}\\s*$`, 'i');

const designators = new Set([
  'flat',
  'unit',
  'bedsit',
  'room',
  'suite',
  'studio',
  'shop',
  'office',
  'maisonette',
  'workshop',
]);
/** A flat named by its position. */
const floors = new Set([
  'ground',
  'first',
  'second',
  'third',
  'fourth',
  'top',
  'basement',
  'garden',
  'rear',
  'front',
  'attic',
]);

/** Words of a delivery point within a house that has no name: “The Flat”, “Rear Of”, “Land Adjacent To”. */
export const unitWords: ReadonlySet<string> = new Set([
  ...designators,
  ...floors,
  ...'floor floors upper lower annexe annex penthouse garage above over behind land adjacent to'.split(' '),
]);

const boxPattern = /\b(?:p\W{0,2}o\W{0,2}box|post\s+office\s+box)\W*(\d+[a-z]?)\b/i;

const isNumber = (token: string): boolean => /^\d+[a-z]?$/.test(token);
/** A flat of a Scottish stair by its floor and door, "2F1", "GF2", "1FL", in lower case; the source of an expression. */
export const stairFlat = '(?:\\d{1,2}f(?:\\d{1,2}|[lr])|[bgp]f\\d{1,2})';
const stairFlatAlone = new RegExp(`^${stairFlat}$`);
const isStairFlat = (token: string): boolean => stairFlatAlone.test(token);
/** "A4" and "G12" of a corridor, and a single letter. */
const isFlatName = (token: string): boolean => /^(?:[a-z]?\d+[a-z]?|[a-z])$/.test(token) || isStairFlat(token);

/** Numbers as one token each: "12 A" and "12-A" are 12a; "26 - 28" and "26 to 28" are a range. */
function joinNumbers(text: string): string {
  return text
    .replace(/\bno\.?\s*(?=\d)/g, ' ')
    .replace(/\b(\d+)\s*[-–/]\s*([a-z])\b(?!['’])/g, '$1$2')
    .replace(/\b(\d+[a-z]?)\s*\/\s*(\d+[a-z]?)\b/g, '$1/$2')
    .replace(/\b(\d+[a-z]?)\s*(?:[-–]|\bto\b)\s*(\d+[a-z]?)\b/g, (whole, low: string, high: string) =>
      Number.parseInt(low, 10) < Number.parseInt(high, 10) ? `${low}-${high}` : whole.replace(/\s+/g, ''),
    )
    .replace(/\b(\d+) ([a-hj-np-tv-x])\b(?=\s|,|$)/g, '$1$2');
}

/** Removes the flat from the tokens of a part; the rest keeps its order. */
function takeFlat(tokens: Word[]): { flat: string; text: string } | null {
  for (const [at, { form }] of tokens.entries()) {
    const next = tokens[at + 1]?.form ?? '';
    let length = 0;
    let flat = '';
    if (floors.has(form) && next === 'floor') {
      length = tokens[at + 2]?.form === 'flat' ? 3 : 2;
      flat = `${form} floor`;
    } else if (floors.has(form) && next === 'flat' && !isFlatName(tokens[at + 2]?.form ?? '')) {
      length = 2;
      flat = form;
    } else if (isStairFlat(form) || (form === 'flat' && isStairFlat(next))) {
      length = form === 'flat' ? 2 : 1;
      flat = form === 'flat' ? next : form;
    } else if (designators.has(form) && isFlatName(next)) {
      length = 2;
      flat = `${form} ${next}`;
    } else if (form === 'maisonette') {
      length = 1;
      flat = form;
    }
    if (length === 0) continue;
    const text = tokens
      .splice(at, length)
      .map((word) => word.text)
      .join(' ');
    return { flat, text };
  }
  return null;
}

/**
 * Parses an address on one line, its parts separated by commas. `bare`: the name of an organisation or a town, in which no number is a
 * house number.
 */
export function readAddress(line: string, bare = false): AddressParts {
  const found = postcodeAtEnd.exec(line);
  let rest = found ? line.slice(0, found.index) : line;
  let poBox = '';
  if (!bare)
    rest = rest.replace(boxPattern, (_, box: string) => {
      poBox = box.toLowerCase();
      return ' ';
    });
  let flat = '';
  let flatText = '';
  let flatAt = 0;
  const parts: AddressPart[] = [];
  for (const piece of rest.split(/[,\n;]+/)) {
    const joined = bare ? piece : joinNumbersKeepingCase(piece);
    const tokens = joined.split(/[^\p{L}\p{N}\p{M}'’‘`´/–-]+|(?<!\d)[-–/]|[-–/](?!\d)/u).flatMap((text): Word[] => {
      const forms = plain(text).match(/[\p{L}\p{N}/–-]+/gu) ?? [];
      return forms.map((form) => ({ form: longForm(form.replace(/–/g, '-')), text }));
    });
    if (!bare && flat === '') {
      const taken = takeFlat(tokens);
      if (taken) {
        ({ flat, text: flatText } = taken);
        flatAt = parts.length;
      }
    }
    const isHouse = ({ form }: Word) => !bare && (isNumber(form) || /^\d+[a-z]?[-/]\d+[a-z]?$/.test(form));
    const part = {
      numbers: tokens.filter(isHouse).map(({ form }) => form),
      words: tokens.filter((word) => !isHouse(word) && !isFiller(word.form)),
    };
    if (part.numbers.length > 0 || part.words.length > 0) parts.push(part);
  }
  const postcode = found ? `${found[1]}${found[2]}`.toUpperCase() : '';
  return { parts, numbers: parts.flatMap(({ numbers }) => numbers), flat, flatText, flatAt, poBox, postcode };
}

/** Numbers are matched in lower case; the words around them keep their case. */
function joinNumbersKeepingCase(piece: string): string {
  return /\d/.test(piece)
    ? piece
        // Word processors make these of a hyphen. With blanks around it a dash separates.
        .replace(/(?<=\d)[\u2010-\u2012\u2014\u2212](?=\d)/g, '-')
        .replace(/\d+\s*[-–/]?\s*[A-Za-z]\b/g, (part) => part.toLowerCase())
        .replace(/\bNo\b/gi, 'no')
        .replace(/\bTO\b/g, 'to')
        .replace(/^.*$/s, joinNumbers)
    : piece;
}

/** Whether a number is in a range; if both ends are on one side of the street, it must be on that side too. */
export function isWithin(number: string, range: string): boolean {
  const [low, high] = (/^(\d+)-(\d+)$/.exec(range) ?? []).slice(1).map(Number);
  const single = /^\d+$/.test(number) ? Number(number) : Number.NaN;
  if (low === undefined || high === undefined || !(single >= low && single <= high)) return false;
  return (high - low) % 2 === 1 || (single - low) % 2 === 0;
}
