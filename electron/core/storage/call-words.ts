import type { DatabaseSync } from 'node:sqlite';
import { spacedPostcode } from '../../../shared/domain/text/search-words.ts';
import { foldAccents } from './database/fold-case.ts';

/** What was typed into a search, for the index of words. */
export interface TypedWords {
  /** As an FTS5 query; none of its words is parsed as an operator. */
  match: string;
  /**
   * Null: the index walks from row to row. Otherwise it gathers every row of a prefix first, and it is quicker to scan the newest rows
   * directly.
   */
  passes: ((text: string) => boolean) | null;
  /** The same words apart; null where `passes` is. */
  wide: PrefixQuery | null;
}

/** A query some of whose prefixes stand for more words than the index is asked for one by one. */
export interface PrefixQuery {
  /** Those prefixes; `instead`, as an FTS5 query, what else a row may have. */
  beginnings: { beginning: string; instead: string | null }[];
  /** All other words, as an FTS5 query; null: there are none. */
  match: string | null;
}

/** Ids of premises whose saved address has a word. */
export type SubjectsOf = (word: string) => readonly string[];

/**
 * A row number as FTS5 takes it: node:sqlite passes numbers as reals, and a bound that is not an integer is compared with every row of a
 * word instead of delimiting the walk.
 */
export const rowNumber = (name: string): string => `CAST(${name} AS INTEGER)`;

/** Words that the index is asked for one by one. */
const mostTerms = 32;

/** Words as the index's tokenizer produces them: unicode61, diacritics removed. */
const tokensOf = (text: string): string[] => foldAccents(text).match(/[\p{L}\p{N}\p{Co}]+/gu) ?? [];
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/**
 * Parses what was typed: each word is a prefix. FTS5 collects all rows of a prefix before it returns the first one, a tenth of a second for
 * half a million; a whole word is walked from its newest row. So a prefix is replaced by the few words that have it, taken from the index's
 * own list of words. `subjectsOf`: premises whose saved address has the word; a call about one of them is found by it too.
 */
export function openWords(sql: DatabaseSync) {
  sql.exec('CREATE VIRTUAL TABLE IF NOT EXISTS temp.call_terms USING fts5vocab (main, call_words, instance)');
  const from = sql.prepare('SELECT term FROM temp.call_terms WHERE term >= ? LIMIT 1');

  /** The words of the index with that prefix; one more than requested if there are more. */
  function termsOf(beginning: string): string[] {
    const found: string[] = [];
    for (let at = beginning; found.length <= mostTerms; ) {
      const term = from.get(at)?.term;
      if (typeof term !== 'string' || !term.startsWith(beginning)) break;
      found.push(term);
      // Nothing lies in between: no word contains this character.
      at = `${term}\u0001`;
    }
    return found;
  }

  /** Undefined: nothing that a word could be. */
  return (search: string, subjectsOf: SubjectsOf = () => []): TypedWords | undefined => {
    const words = search.match(/[\p{L}\p{M}\p{N}]+/gu);
    if (!words) return undefined;
    const parts = words.map((word) => {
      const spaced = spacedPostcode(word);
      const phrases = [...(spaced === word ? [] : [spaced]), ...subjectsOf(spaced)];
      const beginning = foldAccents(word);
      const terms = termsOf(beginning);
      const isWide = terms.length > mostTerms;
      const own = isWide || terms.length === 0 ? [`${quoted(word)}*`] : terms.map(quoted);
      return {
        beginning,
        isWide,
        instead: phrases.length === 0 ? null : phrases.map(quoted).join(' OR '),
        phrases: phrases.map((one) => tokensOf(one).join(' ')),
        any: [...own, ...phrases.map(quoted)],
      };
    });
    const matchOf = (some: typeof parts): string =>
      some.map(({ any }) => (any.length === 1 ? any[0] : `(${any.join(' OR ')})`)).join(' AND ');
    const beginnings = parts.filter(({ isWide }) => isWide);
    const others = parts.filter(({ isWide }) => !isWide);
    return {
      match: matchOf(parts),
      wide: beginnings.length === 0 ? null : { beginnings, match: others.length === 0 ? null : matchOf(others) },
      passes:
        beginnings.length > 0
          ? (text) => {
              const tokens = tokensOf(text);
              const line = ` ${tokens.join(' ')} `;
              return parts.every(
                ({ beginning, phrases }) =>
                  tokens.some((token) => token.startsWith(beginning)) ||
                  phrases.some((one) => line.includes(` ${one} `)),
              );
            }
          : null,
    };
  };
}
