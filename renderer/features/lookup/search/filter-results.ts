import type { SearchResult } from '../../../../shared/domain/lookup.ts';

/** The results that hold every word typed, in any order and case. Local: costs nothing. */
export function filterResults(results: readonly SearchResult[], filter: string): readonly SearchResult[] {
  const words = filter.toLocaleLowerCase('en-GB').split(/\s+/).filter(Boolean);
  if (words.length === 0) return results;
  return results.filter((result) => {
    const text = `${result.organisation} ${result.line} ${result.premiseId}`.toLocaleLowerCase('en-GB');
    return words.every((word) => text.includes(word));
  });
}
