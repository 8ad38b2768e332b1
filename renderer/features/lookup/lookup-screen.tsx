import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Connection } from '../../../shared/domain/connection.ts';
import { readLookupText } from '../../../shared/domain/lookup/lookup-text.ts';
import { Failure } from '../../components/failure.tsx';
import { Notice } from '../../components/notice.tsx';
import { provenanceKey } from '../../lib/answers/use-provenance.ts';
import { call, listen, stopAll } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { refreshLocal } from '../../lib/calls/queries.ts';
import { useDraft } from '../../lib/session/drafts.ts';
import { formatWhen } from '../../lib/text/format.ts';
import { useKeptFocus } from '../../lib/window/kept-focus.ts';
import { useGo, useRouteParams } from '../../lib/window/routes.tsx';
import { searches, searchKey } from './asks.ts';
import { useCachedPremises, usePremise } from './premise/use-premise.ts';
import { distancePriceKey, searchWaysKey, searchWaysQuery, shapeKey, shapeQuery } from './queries.ts';
import type { BoxAction } from './search/box-actions.ts';
import { SearchBar } from './search/search-bar.tsx';
import { SearchBody } from './search/search-body.tsx';
import { useComeAgain } from './search/use-come-again.ts';
import { useSearch } from './search/use-search.ts';
import './lookup.css';

/** Lookup: search for an address, open it, see where it is and what it cost. */
export function LookupScreen({ connection }: { connection: Connection }) {
  const connectionId = connection.id;
  const [text, setText] = useDraft(`lookup/search/${connectionId}`);
  const searchBox = useRef<HTMLInputElement>(null);
  const screen = useRef<HTMLDivElement>(null);
  const { state, submit, ask, openSaved } = useSearch(connection);
  const shown = searches.use(state.question ? searchKey(connection, state.question) : '');
  const { open, openOver } = usePremise(connection);
  const cached = useCachedPremises(connection);
  const go = useGo();
  const base = useQuery(searchWaysQuery(connectionId, { text: '' }));
  useLocalNews(connectionId);
  const phase = shown.running ? 'running' : shown.failure ? 'failure' : shown.answer ? 'answer' : 'none';
  useKeptFocus(phase, () => searchBox.current);

  useComeAgain(connection, ask);

  useEffect(() => {
    // Keys that choose among its tabs go on from there. A tab of the screen that was left may still have the focus.
    if (!document.activeElement?.matches('[data-screen="lookup"] [role="tab"]:focus-visible'))
      searchBox.current?.focus();
  }, []);
  const fill = (next: string) => {
    setText(next);
    searchBox.current?.focus();
  };
  useRouteParams('lookup', 'search', ({ premise, text: asked, focus, again }) => {
    if (asked !== undefined) setText(asked);
    if (premise !== undefined) {
      // A searched text whose results do not list the premise is cleared, since another answer is shown. A text not yet searched for stays.
      const isListed = shown.answer?.results.some(({ premiseId }) => premiseId === premise) ?? false;
      if (!isListed && state.question !== null && text.trim() === state.question.text.trim()) setText('');
      const line = cached.premises.find((one) => one.premiseId === premise)?.line ?? `Premise ${premise}`;
      void open(premise, line, {
        cachedShown: true,
        again: again === 'rest' || again === 'soap' ? again : undefined,
      });
    }
    if (focus !== 'search') return;
    // After the frame has put the focus on the heading of a newly shown screen.
    queueMicrotask(() => {
      searchBox.current?.focus();
      searchBox.current?.select();
    });
  });

  const act = (action: BoxAction) => {
    const asked = readLookupText(text).text;
    switch (action.kind) {
      case 'search':
        return void submit(asked, action.way);
      case 'streets':
        return void ask({ text: asked, maxResults: null, interface: 'soap', of: { kind: 'streets' } });
      case 'open':
        return void openOver(action.premiseId, `Premise ${action.premiseId}`, action.protocol);
      case 'saved-search':
        return void openSaved(action.answerId);
      case 'saved-premise':
        return void open(action.premiseId, action.label, { cachedShown: true });
      case 'batch':
        return go('lookup', { tab: 'batch', do: 'paste-table', table: action.table });
    }
  };

  return (
    <div className="screen" ref={screen}>
      <SearchBar
        connectionId={connectionId}
        text={text}
        onText={setText}
        busy={shown.running !== null}
        onDo={act}
        onDown={() => screen.current?.querySelector<HTMLElement>('[role="listbox"]')?.focus()}
        box={searchBox}
      />
      <ShapeNotice connectionId={connectionId} />
      <SearchBody connection={connection} ways={base.data?.ways ?? null} searchBox={searchBox} onText={fill} />
    </div>
  );
}

/**
 * Keeps prices and claims up to date: what is saved changes with each spend, with the settings, and while the user is elsewhere; claims
 * about a call change with each reading of its balance.
 */
function useLocalNews(connectionId: string): void {
  const client = useQueryClient();
  useEffect(() => {
    const refresh = () =>
      refreshLocal(
        client,
        searchWaysKey(connectionId),
        distancePriceKey(connectionId),
        provenanceKey,
        shapeKey(connectionId),
      );
    refresh();
    return stopAll(
      listen('credits.spent', (spent) => spent.connectionId === connectionId && refresh()),
      listen('credits.sample', (read) => read.connectionId === connectionId && refresh()),
      listen('settings.changed', refresh),
      listen('connections.changed', refresh),
    );
  }, [client, connectionId]);
}

/** Says that the service has begun to answer in the other of the two published shapes, until it is dismissed. */
function ShapeNotice({ connectionId }: { connectionId: string }) {
  const client = useQueryClient();
  const { data } = useQuery(shapeQuery(connectionId));
  const dismiss = useMutation({
    mutationFn: () => call('lookup.dismiss-shape-change', { connectionId }),
    onSuccess: () => client.invalidateQueries({ queryKey: shapeKey(connectionId) }),
  });
  if (!data?.change) return null;
  const { from, to, at } = data.change;
  return (
    <div className="pad pane-b">
      <Notice
        tone="warn"
        announce
        action={
          <button type="button" className="link" disabled={dismiss.isPending} onClick={() => dismiss.mutate()}>
            Dismiss
          </button>
        }
      >
        <span className="m">This service now answers in shape {to}.</span> It answered in shape {from} until{' '}
        {formatWhen(at)}. Integrations that read shape {from} may break; both are read here. The way to the UPRN is
        planned again: {to === 'A' ? 'in shape A geo data includes it.' : 'in shape B geo data does not.'}
      </Notice>
      {dismiss.error && <Failure error={errorOf(dismiss.error)} />}
    </div>
  );
}
