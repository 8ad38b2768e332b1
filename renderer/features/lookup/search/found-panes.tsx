import { Button } from '@mantine/core';
import { IconMapPin, IconScissors } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Connection } from '../../../../shared/domain/connection.ts';
import { cacheModeAt, type ShownPrice } from '../../../../shared/domain/credits/credits.ts';
import { publishedPrice } from '../../../../shared/domain/credits/published-price.ts';
import type { SearchAnswer, SearchResult } from '../../../../shared/domain/lookup/lookup.ts';
import { Mono } from '../../../components/marks.tsx';
import { PriceButton } from '../../../components/money/price-button.tsx';
import { ReadNotice } from '../../../components/read-failure.tsx';
import { EmptyState, State } from '../../../components/state.tsx';
import { formatNumber, formatPrice } from '../../../lib/text/format.ts';
import { useShortcut } from '../../../lib/window/shortcuts.ts';
import { useNarrow } from '../../../lib/window/width.ts';
import { PremisePane } from '../premise/premise-pane.tsx';
import { useCachedPremises, usePremise } from '../premise/use-premise.ts';
import { openPrice, searchPrice } from '../prices.ts';
import { searchWaysQuery } from '../queries.ts';
import { describeSource } from '../source-messages.ts';
import { PaneDivider, usePaneWidth } from './pane-divider.tsx';
import { ResultsPane } from './results-pane.tsx';
import { useSearch } from './use-search.ts';

interface FoundPanesProps {
  connection: Connection;
  /** null: a saved premise is shown without a search. */
  answer: SearchAnswer | null;
  onText: (text: string) => void;
}

/** The list and the premise beside it; under 900 px one of the two. */
export function FoundPanes({ connection, answer, onText }: FoundPanesProps) {
  const { state, patch, show, ask } = useSearch(connection);
  const { open } = usePremise(connection);
  const cached = useCachedPremises(connection);
  const [width, setWidth] = usePaneWidth();
  const panes = useRef<HTMLDivElement>(null);
  const filterBox = useRef<HTMLInputElement>(null);
  const price = openPrice(connection.preferredInterface);

  const limit = answer?.limitForAll ?? null;
  const { question } = state;
  const all = question && { ...question, maxResults: limit };
  const allPrice = useQuery({
    ...searchWaysQuery(connection.id, all ?? { text: '' }),
    enabled: limit !== null && all !== null,
  }).data?.ways.find((way) => way.interface === all?.interface)?.price;

  const narrow = useNarrow();
  // With one pane at a time the new pane takes the focus, which would be lost with the old one.
  const lastPane = useRef(state.pane);
  useEffect(() => {
    if (lastPane.current === state.pane) return;
    lastPane.current = state.pane;
    if (!narrow) return;
    const target = state.pane === 'second' ? '.lookup-head h2' : '[role="listbox"]';
    panes.current?.querySelector<HTMLElement>(target)?.focus();
  }, [state.pane, narrow]);

  const onBack = () => {
    // Escape belongs to a dialog over this pane, which is still in the document while its own handler runs.
    if (document.querySelector('[role="dialog"]')) return;
    patch(answer ? { pane: 'first' } : { pane: 'first', premise: null });
  };
  const onLeave = () => patch({ pane: 'first', premise: null });
  useShortcut('back', onBack, state.pane === 'second' && narrow);

  const onOpen = (result: SearchResult) => {
    // A group is not a premise: its text goes into the box, and searching for it is the user's decision.
    if (result.kind === 'group') onText(result.line);
    else if (result.kind === 'street') {
      const text = result.line || `Street ${result.premiseId}`;
      void ask({ text, maxResults: null, interface: 'soap', of: { kind: 'on-street', id: result.premiseId } });
    } else {
      const line = [result.organisation, result.line].filter(Boolean).join(', ');
      void open(result.premiseId, line, { cachedShown: cached.freeIds.has(result.premiseId) });
    }
  };
  const askForAll = (main: boolean) =>
    limit !== null &&
    all && (
      <PriceButton
        main={main}
        {...(main ? {} : { size: 'small' as const })}
        price={allPrice ?? searchPrice(all)}
        onClick={() => void ask(all, cacheModeAt(allPrice ?? searchPrice(all)))}
      >
        Ask for {limit === answer?.total ? `all ${formatNumber(limit)}` : formatNumber(limit)}
      </PriceButton>
    );

  return (
    <div className="split" data-pane={state.pane} ref={panes}>
      {answer && (
        <>
          <ResultsPane
            answer={answer}
            cachedIds={cached.freeIds}
            price={price}
            state={state}
            onChange={patch}
            onOpen={onOpen}
            filterBox={filterBox}
            width={width}
            onAskAgain={() => question && void ask(question, 'reload')}
            back={
              state.previous?.of.kind === 'streets' && question?.of.kind === 'on-street' ? (
                <button type="button" className="link" onClick={() => state.previous && show(state.previous)}>
                  Back to the streets · free
                </button>
              ) : null
            }
            notice={
              <>
                {cached.error && (
                  <div className="pad pane-b">
                    <ReadNotice of={cached}>
                      Which of these are saved could not be read, so a price may be shown for one that is.
                    </ReadNotice>
                  </div>
                )}
                {answer.leftOut > 0 && (
                  <div className="subbar">
                    <span className="grow trunc t2">
                      {formatNumber(answer.leftOut)} of {formatNumber(answer.results.length + answer.leftOut)} cannot be
                      opened: the service gave no usable number.
                    </span>
                  </div>
                )}
                {answer.truncated && (
                  <div className="subbar">
                    <span className="grow trunc t2">
                      {limit === null ? truncatedTitle(answer) : 'The list is cut off'}
                    </span>
                    {(state.premise || narrow) && askForAll(false)}
                  </div>
                )}
              </>
            }
          />
          <PaneDivider width={width} onWidth={setWidth} />
        </>
      )}
      <div className={answer ? 'pane-main lookup-detail pane-l' : 'pane-main lookup-detail'}>
        {state.premise ? (
          <PremisePane
            key={state.premise.id}
            connection={connection}
            premise={state.premise}
            price={cached.freeIds.has(state.premise.id) ? { kind: 'cached' } : price}
            onBack={onBack}
            onLeave={onLeave}
          />
        ) : answer?.truncated ? (
          <State
            kind="partial"
            icon={<IconScissors size={24} stroke={1.5} />}
            title={truncatedTitle(answer)}
            actions={
              <>
                {askForAll(true)}
                <Button onClick={() => filterBox.current?.focus()}>
                  Filter these {formatNumber(answer.results.length)} · free
                </Button>
              </>
            }
            foot={<TruncatedFoot answer={answer} />}
          >
            {limit === null
              ? 'The service returned no more than this.'
              : 'The service returns no more than this unless asked.'}{' '}
            Anything counted here counts only these.
          </State>
        ) : (
          <ChooseRow streets={question?.of.kind === 'streets'} price={price} isMarked={cached.error === null} />
        )}
      </div>
    </div>
  );
}

/** `isMarked`: rows that are saved say so. */
function ChooseRow({ streets, price, isMarked }: { streets: boolean; price: ShownPrice; isMarked: boolean }) {
  return (
    <EmptyState icon={<IconMapPin size={24} stroke={1.5} />} title={streets ? 'Choose a street' : 'Choose a premise'}>
      The arrows move through the list and Enter opens.{' '}
      {streets
        ? `Listing the premises on a street: ${formatPrice(publishedPrice('SearchPremise_ByThouroughfareID'))}.`
        : isMarked
          ? `What is marked saved is free; the others cost ${formatPrice(price)} each.`
          : `Each costs ${formatPrice(price)} unless it is saved.`}
    </EmptyState>
  );
}

const truncatedTitle = (answer: SearchAnswer): string =>
  answer.total === null
    ? `The first ${formatNumber(answer.results.length)}; how many there are was not said`
    : `The first ${formatNumber(answer.results.length)} of ${formatNumber(answer.total)}`;

function TruncatedFoot({ answer }: { answer: SearchAnswer }) {
  return (
    <>
      {describeSource(answer.provenance, '')}
      {answer.provenance.interface === 'rest' && (
        <>
          , <Mono>maxresults</Mono>{' '}
          {answer.maxResults === null ? 'left at its default' : formatNumber(answer.maxResults)}
        </>
      )}
    </>
  );
}
