import type { Compiled, Condition, SearchField } from './conditions.ts';
import { compileCondition, compileWords } from './conditions.ts';
import type { Runner } from './rows.ts';
import { premiseSelect, readPremise, readThoroughfare } from './rows.ts';
import type { Premise, Refusal, SearchOutcome, Thoroughfare } from './types.ts';
import type { SearchWord } from './words.ts';
import { readSearchWords } from './words.ts';

export interface KeywordQuery {
  readonly postcode?: string | undefined;
  readonly company?: string | undefined;
  readonly street?: string | undefined;
  readonly locality?: string | undefined;
  readonly townOrCity?: string | undefined;
  readonly number?: string | undefined;
}

/** The outcome of a search that was refused, so nothing was searched for. */
export const refuse = (refusal: Refusal) => ({ found: [], total: 0, refusal }) as const;

export const defaultLimit = 100;
const mostResults = 100_000;

const readLimit = (limit: number): number =>
  Number.isFinite(limit) ? Math.max(0, Math.min(Math.floor(limit), mostResults)) : defaultLimit;

const countOf = (run: Runner, from: string, compiled: Compiled): number =>
  Number(run.one(`SELECT count(*) AS total FROM ${from} WHERE ${compiled.sql}`, ...compiled.values)?.total ?? 0);

function findPremises(run: Runner, compiled: Compiled, limit: number): SearchOutcome {
  const sql = `${premiseSelect} WHERE ${compiled.sql} ORDER BY premise.n LIMIT ?`;
  const found = run.all(sql, ...compiled.values, readLimit(limit)).map(readPremise);
  return { found, total: countOf(run, 'premise', compiled), refusal: null };
}

/** Premises that match a condition, in postcode order. */
export function searchCondition(run: Runner, condition: Condition, limit: number): SearchOutcome {
  const compiled = compileCondition(condition);
  return typeof compiled === 'string' ? refuse(compiled) : findPremises(run, compiled, limit);
}

/** Streets with at least one premise that matches a condition, each once. */
export function searchThoroughfares(run: Runner, condition: Condition, limit: number): SearchOutcome<Thoroughfare> {
  const compiled = compileCondition(condition);
  if (typeof compiled === 'string') return refuse(compiled);
  const where = {
    ...compiled,
    sql: `thoroughfare <> '' AND s IN (SELECT premise.s FROM premise WHERE ${compiled.sql})`,
  };
  const rows = run.all(`SELECT * FROM street WHERE ${where.sql} ORDER BY s LIMIT ?`, ...where.values, readLimit(limit));
  return { found: rows.map(readThoroughfare), total: countOf(run, 'street', where), refusal: null };
}

/** Combines the parts of a keyword search; empty fields are left out. */
export function buildKeywordCondition(query: KeywordQuery, operator: 'AND' | 'OR'): Condition {
  const fields: readonly [SearchField, string | undefined][] = [
    ['postcode', query.postcode],
    ['organisation', query.company],
    ['street', query.street],
    ['locality', query.locality],
    ['place', query.townOrCity],
    ['number', query.number],
  ];
  const parts = fields.map(([field, value]) => ({ field, value: value ?? '' }));
  return operator === 'AND' ? { all: parts } : { any: parts };
}

const outwardWord = /^[a-z]{1,2}\d[a-z\d]?$/;
const partOfPostcode = /^[a-z]{1,2}\d[a-z\d]?\d[a-z]?$/;
const partOfInward = /^\d[a-z]?$/;

/** Joins an outward code and a partly typed inward code at the end into one unfinished word, because the index has postcodes as one word. */
function joinBegunPostcode(words: readonly SearchWord[]): readonly SearchWord[] {
  const [before, last] = words.slice(-2).map(({ word }) => word);
  if (before === undefined || last === undefined || !outwardWord.test(before) || !partOfInward.test(last)) return words;
  return [...words.slice(0, -2), { word: before + last, open: true }];
}

/** Whether the last word may be unfinished. A house number or a whole outward code is taken as complete. */
function mayGoOn(words: readonly SearchWord[]): boolean {
  const last = words.at(-1)?.word ?? '';
  if (outwardWord.test(last)) return false;
  if (partOfPostcode.test(last)) return true;
  return /^\p{L}+$/u.test(last);
}

/**
 * Premises for words as a person types them: a postcode or its first half, a street, a business, a building, or several
 * of these together, in any order. Every word must occur. The last word may be unfinished; premises that have it as a whole word
 * come first.
 */
export function searchFreeText(run: Runner, text: string, limit: number): SearchOutcome {
  const words = joinBegunPostcode(readSearchWords(text));
  const whole = compileWords([], words, 'and');
  if (whole === null) return refuse('empty');
  if (!whole.selective) return refuse('too-vague');
  const exact = findPremises(run, whole, limit);
  if (!mayGoOn(words)) return exact;
  const opened = words.map((word, place) => (place === words.length - 1 ? { ...word, open: true } : word));
  const begun = compileWords([], opened, 'and');
  if (begun === null) return exact;
  const total = countOf(run, 'premise', begun);
  const left = readLimit(limit) - exact.found.length;
  if (left <= 0 || total === exact.total) return { ...exact, total };
  const rest: Compiled = {
    sql: `${begun.sql} AND NOT ${whole.sql}`,
    values: [...begun.values, ...whole.values],
    selective: true,
  };
  const more: readonly Premise[] = findPremises(run, rest, left).found;
  return { found: [...exact.found, ...more], total, refusal: null };
}
