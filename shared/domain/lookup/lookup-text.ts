import type { SoapOperationName } from '../../catalogue/soap-operations.ts';
import { checkPostcode, isBeginningOfPostcode } from '../address/postcode.ts';

/** The searches over SOAP that the lookup screen sends. */
export const soapSearches = [
  'SearchPremise_ByPostcode',
  'SearchPremise_ByWordMatchOnAll',
  'SearchPremise_ByPOBox',
  'SearchPremise_ByThouroughfareID',
  'SearchThoroughfare_ByStreet',
  'SearchThoroughfare_ByPostcodeDistrict',
] as const satisfies readonly SoapOperationName[];

/** The SOAP search that asks for what was typed; over REST there is one search for everything. */
export interface SoapSearch {
  operation: (typeof soapSearches)[number];
  fields: Readonly<Record<string, string>>;
}

interface Common {
  /** The text without outer punctuation and extra blanks; a postcode in its normal spelling. */
  text: string;
  /** Why it is taken for this, in one sentence. */
  reason: string;
  /** What asking the service for it means; null: the service has no question for it. */
  asks: SoapSearch | null;
}

/** What a text in the search box is. Only `no-postcode` and `unknown-here` are doubtful. */
export type LookupText = Common &
  /** `place`: in one of the notations that the map converts. `unknown-here`: in a form that no operation of the service takes. */
  (
    | { kind: 'nothing' | 'words' | 'postcode' | 'start-of-postcode' | 'po-box' | 'place' | 'unknown-here' }
    /** Meant as a postcode, and not one that can exist. `correction`: one that can. */
    | { kind: 'no-postcode'; correction: string | null }
    /** `postcode`: the whole one among the words. */
    | { kind: 'address'; postcode: string }
    /** Several postcodes at once; each is a separate search. */
    | { kind: 'postcodes'; postcodes: readonly string[] }
    /** `digits`: without blanks, leading zeros kept. `mayBePremise`: of a length seen in identifiers of premises. */
    | { kind: 'number'; digits: string; mayBePremise: boolean }
  );

/** Longest UPRN: 12 digits (GeoPlace). UDPRN and SOAP's delivery points: 8 (field notes, "Values"). */
const longestUprn = 12;
const shortestIdentifier = 5;
const premiseDigits = 8;

/** What surrounds a search text and is not part of it. Brackets and punctuation inside it stay. */
const outerPunctuation = /^[\s.,;:!?"'“”‘’()[\]<>|*–—-]+|[\s.,;:!?"'“”‘’()[\]<>|*–—-]+$/g;
/** A minus at the beginning belongs to the figure after it, unlike other outer punctuation. */
const minus = /^[-−–](?=\d)/;

/** One spelling for the same search: lines become parts, blanks collapse, outer punctuation is removed. */
export function plainLookupText(typed: string): string {
  const parts = typed
    // Invisible: a text from a web page has them around and inside its words.
    .replace(/\p{Cf}/gu, '')
    .replace(/\s*[\r\n\t]+\s*/g, ', ')
    .replace(/[\s ]+/g, ' ')
    .trim();
  const sign = minus.exec(parts)?.[0] ?? '';
  return (
    (sign === '' ? '' : '-') +
    parts
      .slice(sign.length)
      .replace(outerPunctuation, '')
      .replace(/\s+([,;])/g, '$1')
      .replace(/([,;])\s*(?:[,;]\s*)+/g, '$1 ')
  );
}

/**
 * A text that is a whole postcode, in its normal spelling; else null. The exceptions count, a postcode with a letter that is never used
 * does not. Misplaced blanks, dots and hyphens change nothing.
 */
function wholePostcode(text: string): string | null {
  const { state, normalised, hint } = checkPostcode(text);
  if (normalised === undefined) return null;
  const isOne = state === 'well-formed' || (state === 'unusual' && hint === undefined);
  const isMisspaced = state === 'malformed' && normalised.replace(' ', '') === onlySigns(text);
  return isOne || isMisspaced ? normalised : null;
}

/** A mistyped postcode without the characters that separate its parts. */
const onlySigns = (text: string): string => text.toUpperCase().replace(/[\s.,_-]/g, '');

const search = (operation: SoapSearch['operation'], fields: SoapSearch['fields']) => ({
  asks: { operation, fields },
});
const byWords = (text: string) => search('SearchPremise_ByWordMatchOnAll', { sSearch: text });
const noQuestion = { asks: null };

/** Recognises what a text in the search box is, by its form alone. Makes no network call. */
export function readLookupText(typed: string): LookupText {
  const text = plainLookupText(typed);
  if (text === '') return { kind: 'nothing', text, reason: '', ...noQuestion };
  return (
    readPlace(text) ??
    readPostcode(text) ??
    readNumber(text) ??
    readUnknown(text) ??
    readNoPostcode(text) ??
    readPoBox(text) ??
    readPostcodes(text) ??
    readWords(text)
  );
}

function readPostcode(text: string): LookupText | null {
  const postcode = wholePostcode(text);
  if (postcode !== null) {
    const isException = checkPostcode(text).state === 'unusual';
    return {
      kind: 'postcode',
      text: postcode,
      reason: isException ? 'One of the few postcodes with a form of its own.' : 'A postcode that can exist.',
      ...search('SearchPremise_ByPostcode', { sPostcode: postcode }),
    };
  }
  const compact = text.toUpperCase().replaceAll(' ', '');
  if (!isBeginningOfPostcode(compact)) return null;
  return {
    kind: 'start-of-postcode',
    text: text.toUpperCase(),
    reason: /^[A-Z]+\d[A-Z\d]?$/.test(compact)
      ? 'First half of a postcode. Type the rest, or open one that is saved.'
      : 'Part of a postcode. Type the rest, or open one that is saved.',
    ...noQuestion,
  };
}

/** Meant as a whole postcode, but not in the published form of one. A few that are in use, such as XM4 5HQ, are not either. */
function readNoPostcode(text: string): LookupText | null {
  const { state, normalised, hint = '' } = checkPostcode(text);
  const typed = text.toUpperCase();
  const none = (reason: string, correction: string | null): LookupText => ({
    kind: 'no-postcode',
    text: typed,
    reason: `${typed} is not in the published form of a postcode: ${reason}`,
    correction,
    ...noQuestion,
  });
  if (state === 'unusual') return none(lowerFirst(hint), null);
  if (state !== 'malformed') return null;
  if (normalised !== undefined) return none(differs(typed, normalised), normalised);
  // Without a correction only something shaped like a whole one is taken for a mistyped postcode; anything shorter may be a name.
  return /^[A-Z]{1,2}\d[A-Z\d]? ?[\dOI][A-Z\d]{2}$/.test(typed)
    ? none('a postcode ends in a digit and two letters, never C, I, K, M, O or V.', null)
    : null;
}

const lowerFirst = (text: string): string =>
  /^[A-Z](?= is not)/.test(text) ? text : text.slice(0, 1).toLowerCase() + text.slice(1);

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'];
const mixUps: Readonly<Record<string, string>> = {
  O: 'the letter O',
  I: 'the letter I',
  0: 'the digit 0',
  1: 'the digit 1',
};

/** Where a mistyped postcode differs from the one that is meant. */
function differs(typed: string, meant: string): string {
  const from = onlySigns(typed);
  const to = meant.replace(' ', '');
  if (from.length !== to.length) return 'no district has a 0 in front.';
  const at = [...to].findIndex((letter, index) => letter !== from[index]);
  const wrong = from[at] ?? '';
  return `the ${ordinals[at]} character is ${mixUps[wrong] ?? wrong}.`;
}

function readNumber(text: string): LookupText | null {
  const digits = text.replaceAll(' ', '');
  if (!/^\d+$/.test(digits) || digits.length < shortestIdentifier || digits.length > longestUprn) return null;
  const mayBePremise = digits.length === premiseDigits;
  return {
    kind: 'number',
    text: digits,
    digits,
    mayBePremise,
    reason: mayBePremise
      ? 'Eight digits: the number of a premise, its UDPRN or a UPRN. They look the same.'
      : 'A number: the UPRN of an address. No search by it is published, so only saved addresses are looked through.',
    ...noQuestion,
  };
}

const degrees = /^[-+−]?\d{1,2}\.\d+°?\s*[,; ]\s*[-+−]?\d{1,3}\.\d+°?$/;
const degreesWithLetters =
  /^(?:[NS]\s*)?\d{1,2}(?:\.\d+)?\s*°[^A-Z]*[NS]?[\s,;]+(?:[EW]\s*)?\d{1,3}(?:\.\d+)?\s*°[^A-Z]*[EW]?$/i;
const degreesThenLetters = /^\d{1,2}\.\d+\s*[NS][\s,;]+\d{1,3}\.\d+\s*[EW]$/i;
/** The 100 km squares of Great Britain begin with one of five letters. */
const gridReference = /^[HNOST][A-HJ-Z] ?(\d{2,5} ?\d{2,5})$/i;
const metres = /^\d{5,6}(?:\.\d+)?(?:\s*[,;]\s*| )\d{5,7}(?:\.\d+)?$/;

function readPlace(text: string): LookupText | null {
  const notation = notationOf(text);
  if (notation === null) return null;
  return {
    kind: 'place',
    text,
    reason: `${notation}. No search by a place is published; this computer converts it, and nothing is sent.`,
    ...noQuestion,
  };
}

function notationOf(text: string): string | null {
  if (degrees.test(text) || degreesWithLetters.test(text) || degreesThenLetters.test(text)) return 'Coordinates';
  const figures = gridReference.exec(text)?.[1]?.replace(' ', '') ?? '';
  if (figures.length >= 4 && figures.length % 2 === 0) return 'A grid reference';
  return metres.test(text) ? 'Easting and northing' : null;
}

const threeWords = /^\/{0,3}\p{Ll}{3,}[.。]\p{Ll}{3,}[.。]\p{Ll}{3,}$/u;
const webAddress = /^www\.|\.(?:com|org|net|gov|info)$/;
const plusCode = /^[2-9CFGHJMPQRVWX]{4,8}\+[2-9CFGHJMPQRVWX]{2,3}(?:[ ,].*)?$/i;
/**
 * Postal codes of other countries, each in a form that no postcode, house number or identifier here has: Irish, Canadian, Dutch, the nine
 * digits of the United States, five digits before or after a place.
 */
const foreignForms = [
  /^[AC-FHKNPRTV-Y]\d[\dW] ?[\dAC-FHKNPRTV-Y]{4}$/i,
  /^[ABCEGHJ-NPRSTVXY]\d[A-Z] ?\d[A-Z]\d$/i,
  /^\d{4} ?[A-Z]{2}(?: \p{L}.*)?$/u,
  /^\d{5}-\d{4}$/,
  /^(?:[A-Z]{1,2}-)?\d{5} \p{L}[\p{L} .'’-]+$/u,
  /[ ,][A-Z]{2},? \d{5}(?:-\d{4})?$/,
];
const foreignCountry =
  /, ?(?:republic of ireland|éire|france|germany|deutschland|spain|italy|netherlands|belgium|portugal|poland|usa|u\.s\.a|united states|canada|australia)$/i;

function readUnknown(text: string): LookupText | null {
  const unknown = (what: string): LookupText => ({
    kind: 'unknown-here',
    text,
    reason: `${what}: no search by it is published. Nothing is sent or spent.`,
    ...noQuestion,
  });
  const words = text.replace(/^(?:https?:\/\/)?(?:w3w\.co|what3words\.com)\//i, '///');
  if (words.startsWith('///') || (threeWords.test(words) && !webAddress.test(words))) return unknown('what3words');
  if (plusCode.test(text)) return unknown('A plus code');
  if (foreignForms.some((form) => form.test(text)) || foreignCountry.test(text))
    return unknown('An address outside the United Kingdom');
  return null;
}

function readPoBox(text: string): LookupText | null {
  const [, number, rest = ''] = /^(?:p\.? ?o\.? ?)box\s*(?:no\.?\s*)?(\d{1,6}[a-z]?)\b[\s,;]*(.*)$/i.exec(text) ?? [];
  if (number === undefined) return null;
  const town =
    rest
      .split(/[,;]/)
      .map((part) => part.trim())
      .find((part) => part !== '' && wholePostcode(part) === null) ?? '';
  return {
    kind: 'po-box',
    text,
    reason: town === '' ? 'A PO box. Add its town to narrow it.' : `PO box ${number} in ${town}.`,
    ...search('SearchPremise_ByPOBox', { sPOBox: number, sTown: town }),
  };
}

/** Two postcodes or more and nothing else, by lines, commas, semicolons or blanks between whole ones. */
function readPostcodes(text: string): LookupText | null {
  const parts = text.split(/\s*[,;|]\s*/).filter((part) => part !== '');
  const read = parts.length > 1 ? parts.map(wholePostcode) : [];
  const postcodes = [...new Set(read.filter((one) => one !== null))];
  if (postcodes.length < 2 || read.includes(null)) return null;
  return {
    kind: 'postcodes',
    text: postcodes.join(', '),
    postcodes,
    reason: `${postcodes.length} postcodes. Each is a search of its own.`,
    ...noQuestion,
  };
}

const lastPostcode = /(?:^|[\s,;])([A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})$/i;
/** An ordinal before a word is the end of none: “Unit B1 2nd floor”. */
const anyPostcode = /(?<![A-Z\d])[A-Z]{1,2}\d[A-Z\d]? ?(?!(?:1st|2nd|3rd|\dth) )\d[A-Z]{2}(?![A-Z\d])/gi;

/** The postcode at the end of a text, or the only one in it, before a country, a telephone number or what else was said; null: none. */
function postcodeIn(text: string): string | null {
  const found = (text.match(anyPostcode) ?? []).map(wholePostcode).filter((one) => one !== null);
  const [only = null, ...others] = new Set(found);
  return wholePostcode(lastPostcode.exec(text)?.[1] ?? '') ?? (others.length === 0 ? only : null);
}

function readWords(text: string): LookupText {
  const postcode = postcodeIn(text);
  if (postcode !== null)
    return { kind: 'address', text, postcode, reason: `An address in ${postcode}.`, ...byWords(text) };
  return {
    kind: 'words',
    text,
    reason: /[,;]|\d/.test(text)
      ? 'Words of an address.'
      : 'Words: a street, a business or a building. Add a town to narrow it.',
    ...byWords(text),
  };
}

/**
 * A street and its town in the form that thoroughfares are searched: "14 Tannery Row, Hereford". The service publishes a price for neither
 * search.
 */
export function streetSearchOf(text: string): SoapSearch {
  const [first = '', ...rest] = plainLookupText(text)
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter((part) => part !== '' && wholePostcode(part) === null);
  const [, number = '', street = first] = /^(\d+[a-z]?)\s+(.+)$/i.exec(first) ?? [];
  return {
    operation: 'SearchThoroughfare_ByStreet',
    fields: { sStreet: street, sNumber: number, sTown: rest.at(-1) ?? '' },
  };
}
