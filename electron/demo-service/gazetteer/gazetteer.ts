import { describeArea } from './areas.ts';
import type { StoreOptions } from './cache.ts';
import { openStore } from './cache.ts';
import type { Condition, SearchField } from './conditions.ts';
import { describePlace } from './geography.ts';
import { compactPostcode, readOutward } from './postcodes.ts';
import { createRunner, premiseSelect, readPremise, readThoroughfare, townOf } from './rows.ts';
import type { KeywordQuery } from './searches.ts';
import {
  buildKeywordCondition,
  defaultLimit,
  refuse,
  searchCondition,
  searchFreeText,
  searchThoroughfares,
} from './searches.ts';
import type { PostcodeCentroid, Premise, SearchOutcome, Thoroughfare } from './types.ts';
import { splitWords } from './words.ts';

export interface WordSearchOptions {
  /** premise: organisation and building fields; street: thoroughfares; locality: localities and post town. */
  readonly in: 'premise' | 'street' | 'locality' | 'all';
  readonly limit?: number | undefined;
  /** Whether all words must occur (the default) or any. */
  readonly operator?: 'and' | 'or' | undefined;
}

/**
 * The invented address file. Lists are in delivery order; limits default to 100. Nothing here throws because of what a user
 * typed: hostile text finds nothing or is refused (see SearchOutcome).
 */
export interface Gazetteer {
  readonly origin: 'built' | 'reused' | 'memory';
  /** Why the requested cache file is not used; '' if it is, or if none was requested. */
  readonly cacheProblem: string;
  count(): number;
  premiseById(id: string): Premise | null;
  /** All premises of a whole postcode in any case and spacing; [] if it is malformed or has none. */
  premisesAtPostcode(postcode: string): Premise[];
  /** Those of them with a number ("26" finds "26-28" too) and with all words of a flat or building name. */
  premisesAtPostcodeAndNumber(
    postcode: string,
    wanted: { number?: string | undefined; flatOrBuilding?: string | undefined },
  ): Premise[];
  searchWords(words: readonly string[], options: WordSearchOptions): SearchOutcome;
  searchFreeText(text: string, limit?: number): SearchOutcome;
  /** `town` may be '' for anywhere. A locality is accepted as a town, here and in the searches below. */
  searchPoBox(poBox: string, town: string, limit?: number): SearchOutcome;
  searchOrganisation(organisation: string, town: string, limit?: number): SearchOutcome;
  searchStreet(street: string, number: string, town: string, limit?: number): SearchOutcome;
  searchKeywords(query: KeywordQuery, operator: 'AND' | 'OR', limit?: number): SearchOutcome;
  searchField(field: SearchField, value: string, limit?: number): SearchOutcome;
  /** For expressions: field tests joined by all, any and not. */
  searchCondition(condition: Condition, limit?: number): SearchOutcome;
  /** Takes an outward code or a whole postcode. */
  thoroughfaresInDistrict(postcode: string): Thoroughfare[];
  thoroughfaresByStreet(street: string, number: string, town: string, limit?: number): SearchOutcome<Thoroughfare>;
  premisesOnThoroughfare(thoroughfareId: string): Premise[];
  /** The mean position of a postcode's premises with its areas; null if it has no premises. */
  postcodeCentroid(postcode: string): PostcodeCentroid | null;
  /** Up to n premises spread evenly over the file; the first is one of the showcase postcode. */
  sample(n: number): Premise[];
  /** Up to n postcodes spread evenly over the file; the first is the showcase postcode. */
  samplePostcodes(n: number): string[];
  close(): void;
}

const roundDegrees = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;

/** Numbers spread evenly from 0 up to but not including `count`. */
const spread = (wanted: number, count: number): number[] => {
  const amount = Math.max(0, Math.min(Math.floor(wanted) || 0, count));
  return Array.from({ length: amount }, (_, place) => Math.floor((place * count) / amount));
};

function hasNumber(premise: Premise, number: string): boolean {
  const [wanted, given] = [splitWords(number), splitWords(premise.buildingNumber)];
  const inName = /^\d/.test(premise.buildingName) ? splitWords(premise.buildingName) : [];
  return wanted.length > 0 && wanted.every((word) => given.includes(word) || inName.includes(word));
}

function hasBuilding(premise: Premise, name: string): boolean {
  const words = splitWords(`${premise.subBuilding} ${premise.buildingName} ${premise.organisation}`);
  const wanted = splitWords(name);
  return wanted.length > 0 && wanted.every((word) => words.includes(word));
}

/**
 * Opens the gazetteer of a seed. The same seed and number of premises give the same premises on every computer.
 * Throws RangeError for a seed that is no whole number or a count outside 100 to 2,000,000.
 */
export function openGazetteer(options: StoreOptions): Gazetteer {
  const { db, origin, cacheProblem } = openStore(options);
  const run = createRunner(db);
  const premiseWhere = (sql: string, ...values: string[]): Premise[] =>
    run.all(`${premiseSelect} WHERE ${sql} ORDER BY premise.n`, ...values).map(readPremise);
  const premisesAtPostcode = (postcode: string): Premise[] => {
    const row = run.one('SELECT first, last FROM postcode WHERE compact = ?', compactPostcode(postcode));
    if (!row) return [];
    const sql = `${premiseSelect} WHERE premise.n BETWEEN ? AND ? ORDER BY premise.n`;
    return run.all(sql, row.first ?? 0, row.last ?? -1).map(readPremise);
  };
  /** A search for one thing, limited to a town if one is given. Null without the thing itself: a town alone is not searched for. */
  const withinTown = (parts: readonly { field: SearchField; value: string }[], town: string): Condition | null =>
    splitWords(parts[0]?.value ?? '').length === 0 ? null : { all: [...parts, { field: 'place', value: town }] };
  const searchWithin = (parts: readonly { field: SearchField; value: string }[], town: string, limit: number) => {
    const condition = withinTown(parts, town);
    return condition ? searchCondition(run, condition, limit) : refuse('empty');
  };
  const streetParts = (street: string, number: string) =>
    [
      { field: 'street', value: street },
      { field: 'number', value: number },
    ] as const;

  return {
    origin,
    cacheProblem,
    count: () => Number(run.one('SELECT count(*) AS total FROM premise')?.total ?? 0),
    premiseById: (id) => premiseWhere('premise.id = ?', id)[0] ?? null,
    premisesAtPostcode,
    premisesAtPostcodeAndNumber: (postcode, { number = '', flatOrBuilding = '' }) =>
      premisesAtPostcode(postcode).filter(
        (premise) =>
          (number.trim() === '' || hasNumber(premise, number)) &&
          (flatOrBuilding.trim() === '' || hasBuilding(premise, flatOrBuilding)),
      ),
    searchWords: (words, { in: where, limit = defaultLimit, operator = 'and' }) =>
      searchCondition(
        run,
        { field: where === 'locality' ? 'place' : where, value: words.join(' '), words: operator },
        limit,
      ),
    searchFreeText: (text, limit = defaultLimit) => searchFreeText(run, text, limit),
    searchPoBox: (poBox, town, limit = defaultLimit) => searchWithin([{ field: 'poBox', value: poBox }], town, limit),
    searchOrganisation: (organisation, town, limit = defaultLimit) =>
      searchWithin([{ field: 'organisation', value: organisation }], town, limit),
    searchStreet: (street, number, town, limit = defaultLimit) =>
      searchWithin(streetParts(street, number), town, limit),
    searchKeywords: (query, operator, limit = defaultLimit) =>
      searchCondition(run, buildKeywordCondition(query, operator), limit),
    searchField: (field, value, limit = defaultLimit) => searchCondition(run, { field, value }, limit),
    searchCondition: (condition, limit = defaultLimit) => searchCondition(run, condition, limit),
    thoroughfaresInDistrict: (postcode) =>
      run
        .all("SELECT * FROM street WHERE outward = ? AND thoroughfare <> '' ORDER BY s", readOutward(postcode) ?? '')
        .map(readThoroughfare),
    thoroughfaresByStreet: (street, number, town, limit = defaultLimit) => {
      const condition = withinTown(streetParts(street, number), town);
      return condition ? searchThoroughfares(run, condition, limit) : refuse('empty');
    },
    premisesOnThoroughfare: (id) =>
      premiseWhere("premise.s IN (SELECT s FROM street WHERE id = ? AND thoroughfare <> '')", id),
    postcodeCentroid: (postcode) => {
      const row = run.one(
        `SELECT postcode.*, avg(latitude) AS latitude, avg(longitude) AS longitude, count(*) AS premises
         FROM postcode JOIN premise ON premise.n BETWEEN postcode.first AND postcode.last
         WHERE compact = ? GROUP BY postcode.p`,
        compactPostcode(postcode),
      );
      if (!row) return null;
      const town = townOf(row);
      const point = { latitude: roundDegrees(Number(row.latitude)), longitude: roundDegrees(Number(row.longitude)) };
      return {
        postcode: String(row.postcode),
        postTown: town.postTown,
        premises: Number(row.premises),
        ...describePlace(point, town.country !== 'Northern Ireland'),
        ...describeArea(town, Number(row.ward)),
      };
    },
    sample: (n) => {
      const count = Number(run.one('SELECT count(*) AS total FROM premise')?.total ?? 0);
      return premiseWhere('premise.n IN (SELECT value FROM json_each(?))', JSON.stringify(spread(n, count)));
    },
    samplePostcodes: (n) => {
      const count = Number(run.one('SELECT count(*) AS total FROM postcode')?.total ?? 0);
      const sql = 'SELECT postcode FROM postcode WHERE p IN (SELECT value FROM json_each(?)) ORDER BY p';
      return run.all(sql, JSON.stringify(spread(n, count))).map((row) => String(row.postcode));
    },
    close: () => db.close(),
  };
}
