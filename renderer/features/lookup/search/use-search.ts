import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useDeferredValue } from 'react';
import type { ShownPrice } from '../../../../shared/domain/credits.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { countOf, isFree } from '../../../lib/text/format.ts';
import { announce } from '../../../lib/window/announce.ts';
import { askSearch, searches, searchKey } from '../asks.ts';
import { type Question, useLookupState } from '../lookup-state.ts';
import { searchPriceQuery } from '../queries.ts';

export interface SearchPrice {
  /** null: not known yet, or the main process could not say. */
  price: ShownPrice | null;
  /** Whether that is about exactly what is typed now. */
  exact: boolean;
  error: ReturnType<typeof errorOf> | null;
}

/** The price of searching for a text. While the text's own is on its way, the price of a search that is not held. */
export function useSearchPrice(connectionId: string, typed: string): SearchPrice {
  const text = useDeferredValue(typed.trim());
  const base = useQuery(searchPriceQuery(connectionId, ''));
  const own = useQuery({ ...searchPriceQuery(connectionId, text), enabled: text !== '' });
  const exact = text === typed.trim() && own.data !== undefined;
  const failed = own.error ?? base.error;
  return {
    price: (exact ? own.data?.price : base.data?.price) ?? null,
    exact,
    error: failed ? errorOf(failed) : null,
  };
}

/** Sends searches: shows a question's answer, asking the service only where it is not shown already. */
export function useSearch(connectionId: string) {
  const client = useQueryClient();
  const [state, patch] = useLookupState(connectionId);
  const { question, previous } = state;

  const ask = useCallback(
    async (next: Question, askAgain = false) => {
      const changed = question?.text !== next.text || question.maxResults !== next.maxResults;
      if (changed) {
        const shown = question && searches.read(searchKey({ connectionId, ...question })).answer ? question : previous;
        patch({ question: next, previous: shown, filter: '', activeId: null, premise: null, pane: 'first' });
      }
      const request = { connectionId, ...next, askAgain };
      const found = await askSearch(request);
      if (found?.ok) announce(`${found.value.text}: ${countOf(found.value.results.length, 'result')}`);
    },
    [connectionId, question, previous, patch],
  );

  /**
   * What Enter and the button do. A price of nothing is looked at once more first: a saved answer may have run out since it was shown, and
   * then the new price comes on the button instead of a spend nobody was told of.
   */
  const submit = useCallback(
    async (text: string, shown: ShownPrice) => {
      if (isFree(shown)) {
        // A look that fails stands in the query, and the screen shows it.
        const now = await client
          .fetchQuery({ ...searchPriceQuery(connectionId, text), staleTime: 0 })
          .catch(() => null);
        if (!now || !isFree(now.price)) return;
      }
      await ask({ text, maxResults: null });
    },
    [connectionId, client, ask],
  );

  return { state, patch, ask, submit };
}
