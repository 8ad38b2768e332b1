import { lazy } from '../../../shared/lazy.ts';
import type { AnswerCache } from '../answers/answer-cache.ts';
import { foldAccents } from '../storage/database/fold-case.ts';

/** The most premises that one word of a search may stand for, newest saved first; a city street has a few hundred. */
const mostPremises = 2000;

/**
 * Finds saved addresses by words: for a word, the ids of the premises whose address has a word beginning with it. Only what is still saved
 * is known: an address is not stored a second time in the log. A cache that cannot be read knows none.
 */
export function savedSubjects(
  answers: Pick<AnswerCache, 'cachedPremises'>,
  connectionIds: readonly string[],
): (word: string) => readonly string[] {
  // For a word alone: most pages and sums are of a table in which nothing is searched.
  const lines = lazy(() =>
    connectionIds.flatMap((connectionId) => {
      const premises = answers.cachedPremises(connectionId);
      return premises.ok
        ? premises.value
            .sort((one, other) => (one.at < other.at ? 1 : -1))
            .map(({ subject, label }) => ({ subject, line: ` ${foldAccents(label).replace(/[^\p{L}\p{N}]+/gu, ' ')}` }))
        : [];
    }),
  );
  return (word) => {
    const wanted = ` ${foldAccents(word)}`;
    const found = lines().flatMap(({ subject, line }) => (line.includes(wanted) ? [subject] : []));
    return [...new Set(found)].slice(0, mostPremises);
  };
}
