import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { CacheMode } from '../../../../shared/domain/call.ts';
import { cacheModeAt } from '../../../../shared/domain/credits/credits.ts';
import type { SearchWay } from '../../../../shared/domain/lookup/lookup.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { refreshLocal } from '../../../lib/calls/queries.ts';
import { countOf } from '../../../lib/text/format.ts';
import { announce } from '../../../lib/window/announce.ts';
import { askSearch, openSavedSearch, searches, searchKey } from '../asks.ts';
import { type Question, useLookupState } from '../lookup-state.ts';
import { searchWaysKey } from '../queries.ts';

/** Sends searches: shows a question's answer, asking the service only if it is not shown already. */
export function useSearch(connectionId: string) {
  const client = useQueryClient();
  const [state, patch] = useLookupState(connectionId);
  const { question, previous } = state;

  /** Puts a question's answer on the screen and remembers the previous one to go back to. */
  const show = useCallback(
    (next: Question) => {
      if (question && searchKey({ connectionId, ...question }) === searchKey({ connectionId, ...next })) return;
      const shown = question && searches.read(searchKey({ connectionId, ...question })).answer ? question : previous;
      patch({ question: next, previous: shown, filter: '', activeId: null, premise: null, pane: 'first' });
    },
    [connectionId, question, previous, patch],
  );

  const ask = useCallback(
    async (next: Question, cache: CacheMode = 'default') => {
      show(next);
      const found = await askSearch({ connectionId, ...next, cache });
      // A free search is no spend, so nothing else reports that its answer is now saved, or no longer.
      refreshLocal(client, searchWaysKey(connectionId));
      if (found?.ok) announce(`${found.value.text}: ${countOf(found.value.results.length, 'result')}`);
    },
    [connectionId, client, show],
  );

  /** What Enter and the button do. */
  const submit = useCallback(
    async (text: string, { price, expiresAt, interface: protocol }: SearchWay) => {
      const next: Question = { text, maxResults: null, interface: protocol, of: { kind: 'text' } };
      // The saved answer is on the screen already: no need to fetch it again.
      const there = searches.read(searchKey({ connectionId, ...next })).answer?.provenance;
      if (price.kind === 'cached' && there && there.expiresAt === expiresAt) return show(next);
      await ask(next, cacheModeAt(price));
    },
    [connectionId, show, ask],
  );

  /** Shows a saved search for nothing; if it is no longer saved, says so. */
  const openSaved = useCallback(
    async (answerId: string) => {
      try {
        show(await openSavedSearch(connectionId, answerId));
      } catch (thrown) {
        announce(errorOf(thrown).message, true);
        void client.invalidateQueries({ queryKey: searchWaysKey(connectionId) });
      }
    },
    [connectionId, client, show],
  );

  return { state, patch, show, ask, submit, openSaved };
}
