import { setImmediate as turn } from 'node:timers/promises';
import { mostResults } from '../../../shared/contract/lookup.ts';
import type { Connection, Protocol } from '../../../shared/domain/connection.ts';
import type { SearchAnswer, SearchResult } from '../../../shared/domain/lookup/lookup.ts';
import { compareAlongStreet, sharedEnd, withKey } from '../../../shared/domain/lookup/order-results.ts';
import { provenanceOf } from '../answers/provenance.ts';
import type { AnswerContent, FoundPremise } from '../answers/stored-answer.ts';
import { mapInTurns } from '../concurrency/map-in-turns.ts';
import { sortInTurns } from '../concurrency/sort-in-turns.ts';
import { createLruCache } from '../decode/browse/lru-cache.ts';
import type { Ledger } from '../spend/ledger.ts';
import { restOfLine } from './found-premises.ts';

type SearchContent = Extract<AnswerContent, { kind: 'search' }>;

/** Searches whose ordered results stay in memory while the window requests one part after the other. */
const orderedAtHand = 4;

/** Results taken out of their order before yielding to everything else. */
const inOneTurn = 10_000;

const byName = new Intl.Collator('en-GB', { numeric: true });

/** Whether a search's answer says that there is more than it returned, or than can be opened. */
export const isTruncated = (content: AnswerContent): boolean =>
  content.kind === 'search' && content.total !== null && content.total > content.results.length;

/** Rows that the answer names and that cannot be opened. SOAP sends no count: what else may be missing is its `doubt`. */
const countLeftOut = (protocol: Protocol, { total, results, leftOut = 0 }: SearchContent): number =>
  protocol === 'soap' ? Math.max(0, (total ?? 0) - results.length) : leftOut;

/** Searches as the window shows them. `freePremises`: those that cost nothing to open. */
export function createSearchView(ledger: Ledger, freePremises: (connection: Connection) => ReadonlySet<string>) {
  const orderedLately = createLruCache<SearchResult[]>(orderedAtHand);

  /** Ordered here, over several turns: sorting is the long part of a search, and the window draws a list of any length at once. */
  async function order(
    connection: Connection,
    answerId: string,
    found: readonly FoundPremise[],
  ): Promise<SearchResult[]> {
    const free = freePremises(connection);
    const keyed = await mapInTurns(found, (row) =>
      withKey({
        premiseId: row.premiseId,
        kind: row.kind,
        organisation: row.organisation ?? '',
        line: restOfLine(row),
        // A street may have the number of a premise.
        cached: row.kind === 'premise' && free.has(row.premiseId),
      }),
    );
    // Streets are sorted by name: they have no numbers to sort by.
    const isStreets = found.some(({ kind }) => kind === 'street');
    const sorted = await sortInTurns(
      keyed,
      isStreets ? (one, other) => byName.compare(one.result.line, other.result.line) : compareAlongStreet,
    );
    const results = await mapInTurns(sorted, ({ result }) => result, inOneTurn);
    orderedLately.set(answerId, results);
    return results;
  }

  async function view(
    connection: Connection,
    known: Parameters<typeof provenanceOf>[1],
    content: SearchContent,
  ): Promise<SearchAnswer> {
    const results = await order(connection, known.answerId, content.results);
    // Beside copying the first part to the window it was 16 ms in one turn.
    await turn();
    const end = sharedEnd(results);
    await turn();
    const { text, total, maxResults, of = { kind: 'text' } } = content;
    const leftOut = countLeftOut(known.answer.interface, content);
    const truncated = total !== null && total > results.length + leftOut;
    const limit = Math.min(total ?? 0, mostResults);
    // Nothing else sends a limit, and the same limit again, or a smaller one, brings no more.
    const takesLimit =
      known.answer.interface === 'rest' && connection.searchForm === 'query' && limit > (maxResults ?? 0);
    return {
      text,
      of,
      results,
      sharedEnd: end,
      total,
      maxResults,
      truncated,
      leftOut,
      limitForAll: truncated && takesLimit ? limit : null,
      provenance: provenanceOf(ledger, known),
    };
  }

  return {
    view,
    order,
    lately: (answerId: string) => orderedLately.get(answerId),
    /** The window has all parts. */
    forget: orderedLately.remove,
  };
}
