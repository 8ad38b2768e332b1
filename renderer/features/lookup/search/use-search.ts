import { useQueryClient } from '@tanstack/react-query';
import type { CacheMode } from '../../../../shared/domain/call.ts';
import type { Connection } from '../../../../shared/domain/connection.ts';
import { cacheModeAt } from '../../../../shared/domain/credits/credits.ts';
import type { SearchWay } from '../../../../shared/domain/lookup/lookup.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { refreshLocal } from '../../../lib/calls/queries.ts';
import { countOf } from '../../../lib/text/format.ts';
import { announce } from '../../../lib/window/announce.ts';
import { showFailure } from '../../../lib/window/failure-notices.ts';
import { askSearch, openSavedSearch, searches, searchKey } from '../asks.ts';
import { type Question, readLookupState, useLookupState } from '../lookup-state.ts';
import { searchWaysKey } from '../queries.ts';

/** Sends searches: shows a question's answer, asking the service only if it is not shown already. */
export function useSearch(connection: Connection) {
  const client = useQueryClient();
  const connectionId = connection.id;
  const [state, patch] = useLookupState(connectionId);

  /** Whether a question is the one on the screen. */
  const isShown = (one: Question) => {
    const { question } = readLookupState(connectionId);
    return question !== null && searchKey(connection, question) === searchKey(connection, one);
  };

  /** Puts a question's answer on the screen, with no premise over it, and remembers the previous one to go back to. */
  const show = (next: Question) => {
    if (isShown(next)) return patch({ premise: null, pane: 'first' });
    const { question, previous } = readLookupState(connectionId);
    const shown = question && searches.read(searchKey(connection, question)).answer ? question : previous;
    patch({ question: next, previous: shown, filter: '', activeId: null, premise: null, pane: 'first' });
  };

  const ask = async (next: Question, cache: CacheMode = 'default') => {
    if (!isShown(next)) show(next);
    const found = await askSearch(connection, next, cache);
    // A free search is no spend, so nothing else reports that its answer is now saved, or no longer.
    refreshLocal(client, searchWaysKey(connectionId));
    if (found?.ok) announce(`${found.value.text}: ${countOf(found.value.results.length, 'result')}`);
    // A premise would cover what may have been paid for: that nothing was found, or that no answer came.
    const hasResults = found?.ok && found.value.results.length > 0;
    if (found && !hasResults && cache !== 'only-if-cached' && isShown(next)) patch({ premise: null, pane: 'first' });
  };

  /** What Enter and the button do. */
  const submit = async (text: string, { price, expiresAt, interface: protocol }: SearchWay) => {
    const next: Question = { text, maxResults: null, interface: protocol, of: { kind: 'text' } };
    const key = searchKey(connection, next);
    show(next);
    // The saved answer is in the window already: no need to fetch it again. A later attempt that failed would hide it.
    const there = searches.read(key).answer?.provenance;
    if (price.kind === 'cached' && there && there.expiresAt === expiresAt) return searches.dismiss(key);
    await ask(next, cacheModeAt(price));
  };

  /** Shows a saved search for nothing, unless something else was chosen meanwhile; if it is no longer saved, says so. */
  const openSaved = async (answerId: string) => {
    try {
      const question = await openSavedSearch(connection, answerId);
      if (question) show(question);
    } catch (thrown) {
      showFailure(errorOf(thrown));
      void client.invalidateQueries({ queryKey: searchWaysKey(connectionId) });
    }
  };

  return { state, patch, show, ask, submit, openSaved };
}
