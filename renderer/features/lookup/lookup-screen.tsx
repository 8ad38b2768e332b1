import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Connection } from '../../../shared/domain/connection.ts';
import { Failure } from '../../components/failure.tsx';
import { Notice } from '../../components/notice.tsx';
import { provenanceKey } from '../../lib/answers/use-provenance.ts';
import { call, listen } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { refreshLocal } from '../../lib/calls/queries.ts';
import { useDraft } from '../../lib/session/drafts.ts';
import { formatWhen } from '../../lib/text/format.ts';
import { useRouteParams } from '../../lib/window/routes.tsx';
import { searches, searchKey } from './asks.ts';
import { useCachedPremises, usePremise } from './premise/use-premise.ts';
import { distancePriceKey, searchPriceKey, shapeKey, shapeQuery } from './queries.ts';
import { SearchBar } from './search/search-bar.tsx';
import { SearchBody } from './search/search-body.tsx';
import { useComeAgain } from './search/use-come-again.ts';
import { useSearch, useSearchPrice } from './search/use-search.ts';
import { useKeptFocus } from './use-kept-focus.ts';
import './lookup.css';

interface LookupScreenProps {
  connectionId: string;
  connection: Connection;
}

/** Lookup: search for an address, open it, see where it is and what it cost. */
export function LookupScreen({ connectionId, connection }: LookupScreenProps) {
  const [text, setText] = useDraft(`lookup/search/${connectionId}`);
  const searchBox = useRef<HTMLInputElement>(null);
  const screen = useRef<HTMLDivElement>(null);
  const price = useSearchPrice(connectionId, text);
  const { state, submit } = useSearch(connectionId);
  const shown = searches.use(state.question ? searchKey({ connectionId, ...state.question }) : '');
  const { open } = usePremise(connection);
  const cached = useCachedPremises(connection);
  const uncachedPrice = useSearchPrice(connectionId, '').price;
  useLocalNews(connectionId);
  const phase = shown.running ? 'running' : shown.failure ? 'failure' : shown.answer ? 'answer' : 'none';
  useKeptFocus(phase, () => searchBox.current);

  useComeAgain(connection, submit);

  useEffect(() => searchBox.current?.focus(), []);
  const fill = (next: string) => {
    setText(next);
    searchBox.current?.focus();
  };
  useRouteParams('lookup', 'search', ({ premise, text: asked, focus }) => {
    if (asked !== undefined) setText(asked);
    if (premise !== undefined) {
      const line = cached.premises.find((one) => one.premiseId === premise)?.line ?? `Premise ${premise}`;
      void open(premise, line, { cachedShown: true });
    }
    if (focus !== 'search') return;
    // After the frame has put the focus on the heading of a screen that has just come.
    queueMicrotask(() => {
      searchBox.current?.focus();
      searchBox.current?.select();
    });
  });

  return (
    <div className="screen" ref={screen}>
      <SearchBar
        text={text}
        onText={setText}
        price={price}
        busy={shown.running !== null}
        onSubmit={() => price.price && void submit(text.trim(), price.price)}
        onDown={() => screen.current?.querySelector<HTMLElement>('[role="listbox"]')?.focus()}
        box={searchBox}
      />
      {price.error && (
        <div className="pad pane-b">
          <Failure error={price.error} />
        </div>
      )}
      <ShapeNotice connectionId={connectionId} />
      <SearchBody connection={connection} price={uncachedPrice} searchBox={searchBox} onText={fill} />
    </div>
  );
}

/**
 * Keeps prices and claims true: what is saved changes with each spend, with the settings, and while one is elsewhere; what may be said of
 * a call changes with each reading of its balance.
 */
function useLocalNews(connectionId: string): void {
  const client = useQueryClient();
  useEffect(() => {
    const refresh = () =>
      refreshLocal(
        client,
        searchPriceKey(connectionId),
        distancePriceKey(connectionId),
        provenanceKey,
        shapeKey(connectionId),
      );
    refresh();
    const stops = [
      listen('credits.spent', (spent) => spent.connectionId === connectionId && refresh()),
      listen('credits.sample', (read) => read.connectionId === connectionId && refresh()),
      listen('settings.changed', refresh),
      listen('connections.changed', refresh),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [client, connectionId]);
}

/** Says that the service has begun to answer in the other of the two published shapes, until it is put away. */
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
            Put away
          </button>
        }
      >
        <span className="m">This service now answers in shape {to}.</span> It answered in shape {from} until{' '}
        {formatWhen(at)}. Integrations that read shape {from} may break; both are read here. The way to the UPRN is
        planned anew: {to === 'A' ? 'geo data has it again.' : 'geo data no longer has it.'}
      </Notice>
      {dismiss.error && <Failure error={errorOf(dismiss.error)} />}
    </div>
  );
}
