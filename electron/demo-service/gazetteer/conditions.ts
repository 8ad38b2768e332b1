import { compactPostcode, readOutward, splitPostcode } from './postcodes.ts';
import type { WordColumn } from './schema.ts';
import type { Refusal } from './types.ts';
import type { SearchWord } from './words.ts';
import { dropFillers, isSelective, listSpellings, readSearchWords, splitWords } from './words.ts';

/** Fields that are searched by words, and the index columns that each covers. */
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

/** Fields whose whole value is compared. */
const exactFields = ['id', 'udprn', 'uprn', 'number', 'poBox', 'postcode', 'userCategory'] as const;

export type SearchField = keyof typeof wordFields | (typeof exactFields)[number];

/** Every field a condition can name. `postcode` takes a whole postcode or an outward code. */
export const searchFields: readonly SearchField[] = [
  ...(Object.keys(wordFields) as (keyof typeof wordFields)[]),
  ...exactFields,
];

/** A search condition composed of field tests. A word that ends in a star matches any ending. */
export type Condition =
  | { readonly field: SearchField; readonly value: string; readonly words?: 'and' | 'or' }
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition };

/** An SQL condition on a row of `premise` with the values to bind. `selective`: narrow enough to be a search by itself. */
export interface Compiled {
  readonly sql: string;
  readonly values: readonly string[];
  readonly selective: boolean;
}

const mostParts = 50;
const deepest = 20;

/**
 * The full-text expression for words. It cannot be injected into: splitWords passes only letters and digits, and each word is in
 * double quotes, so no operator, column name or quote from the user can reach it.
 */
function buildMatch(columns: readonly WordColumn[], words: readonly SearchWord[], operator: 'and' | 'or'): string {
  const terms = words.map(({ word, open }) => {
    const spellings = listSpellings(word).map((spelling) => `"${spelling}"`);
    return `(${open ? [`"${word}"*`, ...spellings].join(' OR ') : spellings.join(' OR ')})`;
  });
  const body = `(${terms.join(operator === 'and' ? ' AND ' : ' OR ')})`;
  return columns.length > 0 ? `{${columns.join(' ')}} : ${body}` : body;
}

/** Turns words into SQL; null if there are none. With 'or', words that are not selective are left out if there are others. */
export function compileWords(
  columns: readonly WordColumn[],
  words: readonly SearchWord[],
  operator: 'and' | 'or',
): Compiled | null {
  const kept = dropFillers(words);
  if (kept.length === 0) return null;
  const selectiveWords = kept.filter(({ word }) => isSelective(word));
  const used = operator === 'or' && selectiveWords.length > 0 ? selectiveWords : kept;
  return {
    sql: 'premise.n IN (SELECT rowid FROM words WHERE words MATCH ?)',
    values: [buildMatch(columns, used, operator)],
    selective: selectiveWords.length > 0,
  };
}

function compilePostcode(value: string): Compiled | null {
  if (compactPostcode(value) === '') return null;
  if (splitPostcode(value)) {
    const sql = 'premise.p IN (SELECT p FROM postcode WHERE compact = ?)';
    return { sql, values: [compactPostcode(value)], selective: true };
  }
  // A text that is no postcode equals no outward code either, so it finds nothing.
  return {
    sql: 'premise.p IN (SELECT p FROM postcode WHERE outward = ?)',
    values: [readOutward(value) ?? ''],
    selective: true,
  };
}

function compileField(field: SearchField, value: string, operator: 'and' | 'or'): Compiled | null {
  const trimmed = value.slice(0, 4096).trim();
  switch (field) {
    case 'id':
    case 'udprn':
    case 'uprn':
      return trimmed === '' ? null : { sql: `premise.${field} = ?`, values: [trimmed], selective: true };
    case 'userCategory':
      return trimmed === ''
        ? null
        : { sql: 'premise.category = ? COLLATE NOCASE', values: [trimmed], selective: false };
    case 'postcode':
      return compilePostcode(trimmed);
    case 'poBox': {
      const box = splitWords(trimmed).at(-1);
      return box === undefined
        ? null
        : { sql: "premise.po_box = ? AND premise.po_box <> ''", values: [box], selective: true };
    }
    case 'number': {
      const words = readSearchWords(trimmed).map(({ word }) => ({ word, open: false }));
      const compiled = compileWords(['number'], words, 'and');
      return compiled && { ...compiled, selective: false };
    }
    default:
      return compileWords(wordFields[field], readSearchWords(trimmed), operator);
  }
}

function join(parts: readonly Compiled[], word: 'AND' | 'OR'): Compiled {
  return {
    sql: `(${parts.map((part) => part.sql).join(` ${word} `)})`,
    values: parts.flatMap((part) => part.values),
    selective: word === 'AND' ? parts.some((part) => part.selective) : parts.every((part) => part.selective),
  };
}

function compileNode(condition: Condition, depth: number, budget: { parts: number }): Compiled | null {
  budget.parts -= 1;
  if (budget.parts < 0 || depth > deepest) throw new TooComplex();
  if ('field' in condition) return compileField(condition.field, condition.value, condition.words ?? 'and');
  if ('not' in condition) {
    const inner = compileNode(condition.not, depth + 1, budget);
    return inner && { sql: `NOT (${inner.sql})`, values: inner.values, selective: false };
  }
  const parts = ('all' in condition ? condition.all : condition.any)
    .map((part) => compileNode(part, depth + 1, budget))
    .filter((part) => part !== null);
  if (parts.length === 0) return null;
  if ('all' in condition) return join(parts, 'AND');
  // A part that is not selective would match almost everything, so it is used only if no part is selective.
  const selective = parts.filter((part) => part.selective);
  return join(selective.length > 0 ? selective : parts, 'OR');
}

class TooComplex extends Error {}

/** Turns a condition into SQL, or returns why it cannot be searched for. Empty parts are left out. */
export function compileCondition(condition: Condition): Compiled | Refusal {
  try {
    const compiled = compileNode(condition, 0, { parts: mostParts });
    if (compiled === null) return 'empty';
    return compiled.selective ? compiled : 'too-vague';
  } catch (error) {
    if (error instanceof TooComplex) return 'too-complex';
    throw error;
  }
}
