import type { Suggestion } from '../../../shared/domain/lookup/lookup.ts';
import { readLookupText } from '../../../shared/domain/lookup/lookup-text.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { AnswerCache } from '../answers/answer-cache.ts';
import type { CachedSummary } from '../answers/cached-answers.ts';
import { createNearby } from './nearby.ts';

/** The most rows looked through for each text, newest first; more would be felt while typing. */
const mostRead = 400;
const mostShown = 6;

const compact = (text: string): string => text.toUpperCase().replaceAll(' ', '');
const words = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}’']+/u)
    .filter(Boolean);

/** Saved answers that match what is typed, best first: exact ones, then the newest. Makes no network call. */
export function createSuggest(answers: Pick<AnswerCache, 'list' | 'identified' | 'cachedPremises' | 'aboutSubject'>) {
  const nearby = createNearby(answers);

  return async function suggest(connectionId: string, typed: string): Promise<Result<Suggestion[]>> {
    const read = readLookupText(typed);
    if (read.kind === 'nothing') return ok([]);
    if (read.kind === 'place') return nearby(connectionId, read.text);
    if (read.kind === 'number') return byNumber(connectionId, read.digits);
    const meant = read.kind === 'no-postcode' ? read.correction : read.text;
    if (meant === null) return ok([]);
    if (read.kind === 'words' || read.kind === 'address' || read.kind === 'po-box' || read.kind === 'unknown-here')
      return byWords(connectionId, read.text, read.kind === 'address' ? read.postcode : null);
    return byPostcode(connectionId, read.kind === 'postcodes' ? read.postcodes : [meant], read.kind);
  };

  function byNumber(connectionId: string, digits: string): Result<Suggestion[]> {
    const found = answers.identified(connectionId, digits);
    if (!found.ok) return found;
    return ok(
      found.value
        .slice(0, mostShown)
        .map((row) => premiseOf(row, row.subject === digits ? 'Premise' : 'UPRN or UDPRN')),
    );
  }

  /** The searches for these postcodes, then the premises in them, then what is saved beside them. */
  function byPostcode(connectionId: string, postcodes: readonly string[], kind: string): Result<Suggestion[]> {
    const starts = postcodes.map(compact);
    const outward = /^[A-Z]+\d[A-Z\d]?/.exec(postcodes[0] ?? '')?.[0] ?? '';
    const rows = answers.list(connectionId, kind === 'postcodes' ? '' : outward, mostRead);
    if (!rows.ok) return rows;
    // Beside a whole postcode: the others of its sector. For part of one: all that begin with it.
    const beside = kind === 'postcode' ? starts.map((start) => start.slice(0, -2)) : starts;
    return ok(
      choose(rows.value, (row) => {
        const own = compact(postcodeOf(row));
        if (starts.includes(own)) return row.topic === 'search' ? 3 : 2;
        return row.topic === 'search' && kind !== 'postcodes' && beside.some((start) => own.startsWith(start)) ? 1 : 0;
      }),
    );
  }

  /** Those that contain every word, the last one possibly not typed to its end. */
  function byWords(connectionId: string, text: string, postcode: string | null): Result<Suggestion[]> {
    const typed = words(text);
    const longest = typed.toSorted((one, other) => other.length - one.length)[0] ?? '';
    if (longest.length < 2) return ok([]);
    const rows = answers.list(connectionId, postcode ?? longest, mostRead);
    if (!rows.ok) return rows;
    return ok(
      choose(rows.value, (row) => {
        if (row.subject.toLowerCase() === text.toLowerCase()) return 3;
        const own = words(`${row.label} ${row.subject}`);
        const hasAll = typed.every((word, index) =>
          own.some((one) => (index === typed.length - 1 ? one.startsWith(word) : one === word)),
        );
        if (hasAll) return row.topic === 'premise' ? 2 : 1;
        return postcode !== null && row.topic === 'search' && compact(row.subject) === compact(postcode) ? 1 : 0;
      }),
    );
  }
}

/** The postcode that a saved search was for, or that a premise's name ends with; empty: none. */
const postcodeOf = ({ topic, subject, label }: CachedSummary): string =>
  topic === 'search' ? subject : (label.split(', ').at(-1) ?? '');

/** The rows with the highest rank, newest first among equals, each subject once. 0: no match. */
function choose(rows: readonly CachedSummary[], rank: (row: CachedSummary) => number): Suggestion[] {
  const seen = new Set<string>();
  return rows
    .filter(({ topic }) => topic === 'search' || topic === 'premise')
    .map((row) => ({ row, rank: rank(row) }))
    .filter((one) => one.rank > 0)
    .sort((one, other) => other.rank - one.rank)
    .filter(({ row }) => {
      const key = `${row.topic} ${row.subject.toLowerCase()} ${row.operation === 'Search' || row.topic === 'premise' ? '' : row.operation}`;
      return !seen.has(key) && seen.add(key);
    })
    .slice(0, mostShown)
    .map(({ row }) => (row.topic === 'premise' ? premiseOf(row, '') : searchOf(row)));
}

const premiseOf = ({ subject, label, at }: CachedSummary, found: '' | 'Premise' | 'UPRN or UDPRN'): Suggestion => ({
  kind: 'premise',
  premiseId: subject,
  label,
  at,
  found,
});
const searchOf = ({ id, label, at, interface: protocol }: CachedSummary): Suggestion => ({
  kind: 'search',
  answerId: id,
  label,
  at,
  interface: protocol,
});
