import { compactPostcode, readOutward, splitPostcode } from './postcodes.ts';
import type { WordColumn } from './schema.ts';
import type { Refusal } from './types.ts';
import type { SearchWord } from './words.ts';
import { dropFillers, isTelling, listSpellings, readSearchWords, splitWords } from './words.ts';

/** Fields that are searched by words, and the columns each stands for. */
const wordFields = {
  all: [],
  premise: ['organisation', 'department', 'sub_building', 'building', 'number'],
  organisation: ['organisation'],
  department: ['department'],
  building: ['sub_building', 'building', 'number'],
  subBuilding: ['sub_building'],
  buildingName: ['building'],
  street: ['street'],
  /** Localities and the post town. */
  place: ['locality', 'town'],
  locality: ['locality'],
  town: ['town'],
  county: ['county'],
} as const satisfies Record<string, readonly WordColumn[]>;

/** Fields that are compared whole. */
const exactFields = ['id', 'udprn', 'uprn', 'number', 'poBox', 'postcode', 'userCategory'] as const;

export type SearchField = keyof typeof wordFields | (typeof exactFields)[number];

/** Every field a condition can name. `postcode` takes a whole postcode or an outward code. */
export const searchFields: readonly SearchField[] = [
  ...(Object.keys(wordFields) as (keyof typeof wordFields)[]),
  ...exactFields,
];

/** A question put together from field tests. A word that ends in a star matches any ending. */
export type Condition =
  | { readonly field: SearchField; readonly value: string; readonly words?: 'and' | 'or' }
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition };

/** SQL about a row of `premise`, with what to bind. `telling`: narrow enough to be asked by itself. */
export interface Compiled {
  readonly sql: string;
  readonly values: readonly string[];
  readonly telling: boolean;
}

const mostParts = 50;
const deepest = 20;

/**
 * The full-text expression for words. Safe by construction: splitWords lets only letters and digits through, and each
 * word stands in double quotes, so no operator, column name or quote of the user's gets in.
 */
function buildMatch(columns: readonly WordColumn[], words: readonly SearchWord[], operator: 'and' | 'or'): string {
  const terms = words.map(({ word, open }) => {
    const spellings = listSpellings(word).map((spelling) => `"${spelling}"`);
    return `(${open ? [`"${word}"*`, ...spellings].join(' OR ') : spellings.join(' OR ')})`;
  });
  const body = `(${terms.join(operator === 'and' ? ' AND ' : ' OR ')})`;
  return columns.length > 0 ? `{${columns.join(' ')}} : ${body}` : body;
}

/** Turns words into SQL; null when there are none. With 'or', words that tell nothing are left out. */
export function compileWords(
  columns: readonly WordColumn[],
  words: readonly SearchWord[],
  operator: 'and' | 'or',
): Compiled | null {
  const kept = dropFillers(words);
  if (kept.length === 0) return null;
  const tellingWords = kept.filter(({ word }) => isTelling(word));
  const used = operator === 'or' && tellingWords.length > 0 ? tellingWords : kept;
  return {
    sql: 'premise.n IN (SELECT rowid FROM words WHERE words MATCH ?)',
    values: [buildMatch(columns, used, operator)],
    telling: tellingWords.length > 0,
  };
}

function compilePostcode(value: string): Compiled | null {
  if (compactPostcode(value) === '') return null;
  if (splitPostcode(value)) {
    const sql = 'premise.p IN (SELECT p FROM postcode WHERE compact = ?)';
    return { sql, values: [compactPostcode(value)], telling: true };
  }
  // A text that is no postcode equals no outward code either, so it finds nothing.
  return {
    sql: 'premise.p IN (SELECT p FROM postcode WHERE outward = ?)',
    values: [readOutward(value) ?? ''],
    telling: true,
  };
}

function compileField(field: SearchField, value: string, operator: 'and' | 'or'): Compiled | null {
  const trimmed = value.slice(0, 4096).trim();
  switch (field) {
    case 'id':
    case 'udprn':
    case 'uprn':
      return trimmed === '' ? null : { sql: `premise.${field} = ?`, values: [trimmed], telling: true };
    case 'userCategory':
      return trimmed === '' ? null : { sql: 'premise.category = ? COLLATE NOCASE', values: [trimmed], telling: false };
    case 'postcode':
      return compilePostcode(trimmed);
    case 'poBox': {
      const box = splitWords(trimmed).at(-1);
      return box === undefined
        ? null
        : { sql: "premise.po_box = ? AND premise.po_box <> ''", values: [box], telling: true };
    }
    case 'number': {
      const words = readSearchWords(trimmed).map(({ word }) => ({ word, open: false }));
      const compiled = compileWords(['number'], words, 'and');
      return compiled && { ...compiled, telling: false };
    }
    default:
      return compileWords(wordFields[field], readSearchWords(trimmed), operator);
  }
}

function join(parts: readonly Compiled[], word: 'AND' | 'OR'): Compiled {
  return {
    sql: `(${parts.map((part) => part.sql).join(` ${word} `)})`,
    values: parts.flatMap((part) => part.values),
    telling: word === 'AND' ? parts.some((part) => part.telling) : parts.every((part) => part.telling),
  };
}

function compileNode(condition: Condition, depth: number, budget: { parts: number }): Compiled | null {
  budget.parts -= 1;
  if (budget.parts < 0 || depth > deepest) throw new TooComplex();
  if ('field' in condition) return compileField(condition.field, condition.value, condition.words ?? 'and');
  if ('not' in condition) {
    const inner = compileNode(condition.not, depth + 1, budget);
    return inner && { sql: `NOT (${inner.sql})`, values: inner.values, telling: false };
  }
  const parts = ('all' in condition ? condition.all : condition.any)
    .map((part) => compileNode(part, depth + 1, budget))
    .filter((part) => part !== null);
  if (parts.length === 0) return null;
  if ('all' in condition) return join(parts, 'AND');
  // A part that tells nothing would let almost everything in; it counts only when there is nothing better.
  const telling = parts.filter((part) => part.telling);
  return join(telling.length > 0 ? telling : parts, 'OR');
}

class TooComplex extends Error {}

/** Turns a condition into SQL, or says why it cannot be asked. Empty parts are left out. */
export function compileCondition(condition: Condition): Compiled | Refusal {
  try {
    const compiled = compileNode(condition, 0, { parts: mostParts });
    if (compiled === null) return 'empty';
    return compiled.telling ? compiled : 'too-vague';
  } catch (error) {
    if (error instanceof TooComplex) return 'too-complex';
    throw error;
  }
}
