import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { ShownPrice } from '../../../../shared/domain/credits/credits.ts';
import type { SearchWay } from '../../../../shared/domain/lookup/lookup.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { refreshLocal } from '../../../lib/calls/queries.ts';
import { countOf, isFree } from '../../../lib/text/format.ts';
import { announce } from '../../../lib/window/announce.ts';
import { askSearch, openSavedSearch, searches, searchKey } from '../asks.ts';
import { type Question, useLookupState } from '../lookup-state.ts';
import { searchWaysKey, searchWaysQuery } from '../queries.ts';

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
    async (next: Question, askAgain = false) => {
      show(next);
      const request = { connectionId, ...next, askAgain };
      const found = await askSearch(request);
      // A free search is no spend, so nothing else reports that its answer is now saved.
      refreshLocal(client, searchWaysKey(connectionId));
      if (found?.ok) announce(`${found.value.text}: ${countOf(found.value.results.length, 'result')}`);
    },
    [connectionId, client, show],
  );

  /**
   * A question's way, read anew, if it still costs nothing; null if it does not: a saved answer may have expired since it was shown, and then
   * the new price appears on the button instead of a spend without notice. Rejects if it cannot be read.
   */
  const readFree = useCallback(
    async (next: Question) => {
      const now = await client.fetchQuery({ ...searchWaysQuery(connectionId, next), staleTime: 0 });
      return now.ways.find((way) => way.interface === next.interface && isFree(way.price)) ?? null;
    },
    [connectionId, client],
  );

  /** What Enter and the button do. */
  const submit = useCallback(
    async (text: string, shown: SearchWay) => {
      const question: Question = { text, maxResults: null, interface: shown.interface, of: { kind: 'text' } };
      if (isFree(shown.price)) {
        // A failing check is in the query, and the screen shows it.
        const way = await readFree(question).catch(() => null);
        if (!way) return;
        // The saved answer is on the screen already: no need to fetch it again.
        const there = searches.read(searchKey({ connectionId, ...question })).answer?.provenance;
        if (way.price.kind === 'cached' && there && there.expiresAt === way.expiresAt) return show(question);
      }
      await ask(question);
    },
    [connectionId, readFree, show, ask],
  );

  /** Asks at a price that was shown. */
  const askAt = useCallback(
    async (next: Question, shown: ShownPrice) => {
      if (shown.kind === 'cached') {
        const way = await readFree(next).catch((thrown: unknown) => {
          announce(errorOf(thrown).message, true);
          return null;
        });
        if (!way) return;
      }
      await ask(next);
    },
    [readFree, ask],
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

  return { state, patch, show, ask, askAt, submit, openSaved };
}
