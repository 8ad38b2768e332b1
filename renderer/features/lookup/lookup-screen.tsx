import { useEffect, useRef } from 'react';
import type { Connection } from '../../../shared/domain/connection.ts';
import { Failure } from '../../components/failure.tsx';
import { useDraft } from '../../lib/session/drafts.ts';
import { useRouteParams } from '../../lib/window/routes.tsx';
import { searches, searchKey } from './asks.ts';
import { useHeldPremises, usePremise } from './premise/use-premise.ts';
import { SearchBar } from './search/search-bar.tsx';
import { SearchBody } from './search/search-body.tsx';
import { useComeAgain } from './search/use-come-again.ts';
import { useSearch, useSearchPrice } from './search/use-search.ts';
import { ShapeNotice } from './shape-notice.tsx';
import { useKeptFocus } from './use-kept-focus.ts';
import { useLocalNews } from './use-local-news.ts';
import './lookup.css';

export interface LookupScreenProps {
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
  const held = useHeldPremises(connection);
  const unheldPrice = useSearchPrice(connectionId, '').price;
  useLocalNews(connectionId);
  const phase = shown.running ? 'running' : shown.failure ? 'failure' : shown.answer ? 'answer' : 'none';
  useKeptFocus(phase, () => searchBox.current);

  useComeAgain(connection, submit);

  useEffect(() => searchBox.current?.focus(), []);
  const fill = (next: string) => {
    setText(next);
    searchBox.current?.focus();
  };
  useRouteParams('lookup', 'search', ({ premise, text: wished, focus }) => {
    if (wished !== undefined) setText(wished);
    if (premise !== undefined) {
      const line = held.premises.find((one) => one.premiseId === premise)?.line ?? `Premise ${premise}`;
      void open(premise, line, { heldShown: true });
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
      <SearchBody connection={connection} price={unheldPrice} searchBox={searchBox} onText={fill} />
    </div>
  );
}
