import { Button } from '@mantine/core';
import { IconMapPinOff, IconMapSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { RefObject } from 'react';
import type { CacheMode } from '../../../../shared/domain/call.ts';
import { type Connection, protocolNames } from '../../../../shared/domain/connection.ts';
import { cacheModeAt } from '../../../../shared/domain/credits/credits.ts';
import type { SearchAnswer, SearchWay } from '../../../../shared/domain/lookup/lookup.ts';
import { readLookupText } from '../../../../shared/domain/lookup/lookup-text.ts';
import { Cached } from '../../../components/marks.tsx';
import { SpendNote } from '../../../components/money/money-claims.tsx';
import { PriceButton } from '../../../components/money/price-button.tsx';
import { ReadFailure } from '../../../components/read-failure.tsx';
import { EmptyState, State, UnderWay } from '../../../components/state.tsx';
import { useLatestProvenance } from '../../../lib/answers/use-provenance.ts';
import { isUnknownOutcome } from '../../../lib/calls/errors.ts';
import { formatNumber, formatPrice, formatStop, formatWhen } from '../../../lib/text/format.ts';
import { legible } from '../../../lib/text/legible.ts';
import { PlainFailure } from '../answer/plain-failure.tsx';
import { UnknownOutcome } from '../answer/unknown-outcome.tsx';
import { searches, searchKey } from '../asks.ts';
import type { Question } from '../lookup-state.ts';
import { useCachedPremises, usePremise } from '../premise/use-premise.ts';
import { searchPrice } from '../prices.ts';
import { searchWaysQuery } from '../queries.ts';
import { describeSource } from '../source-messages.ts';
import { FoundPanes } from './found-panes.tsx';
import { useSearch } from './use-search.ts';

interface SearchBodyProps {
  connection: Connection;
  /** The ways to a search that is not saved, the cheapest first; null: not known yet. */
  ways: readonly SearchWay[] | null;
  searchBox: RefObject<HTMLInputElement | null>;
  onText: (text: string) => void;
}

/** Below the search box: nothing yet, under way, failed, unknown, nothing found, or the results. */
export function SearchBody({ connection, ways, searchBox, onText }: SearchBodyProps) {
  const { state, patch, show, ask } = useSearch(connection);
  const { question, previous } = state;
  const key = question ? searchKey(connection, question) : '';
  const { running, answer, failure } = searches.use(key);
  const edit = () => {
    searchBox.current?.focus();
    searchBox.current?.select();
  };

  if (running && question) {
    return (
      <UnderWay
        doing={`Searching ${question.text}`}
        since={running.since}
        onStop={() => searches.stop(key)}
        foot={formatStop(searchPrice(question))}
      />
    );
  }
  // A premise opened from the saved ones needs no search; the search results wait behind it.
  if (state.premise && !answer?.results.length) {
    return <FoundPanes connection={connection} answer={null} onText={onText} />;
  }
  if (!question || (!answer && !failure)) return <StartPane connection={connection} ways={ways} />;
  if (failure) {
    const again = searchPrice(question);
    const leave = () => {
      searches.dismiss(key);
      // What was shown before comes back; if there was nothing, the start page does.
      if (!answer) patch({ question: previous, previous: null });
      edit();
    };
    return isUnknownOutcome(failure.error) && failure.error.callId ? (
      <UnknownOutcome
        error={failure.error}
        callId={failure.error.callId}
        at={failure.at}
        price={again}
        gain="Gets the results."
        onAskAgain={() => void ask(question, 'reload')}
        onLeave={leave}
      />
    ) : (
      <PlainFailure
        failure={failure}
        price={again}
        onAgain={() => void ask(question)}
        onLeave={leave}
        leaveLabel={previous && !answer ? `Back to ${previous.text} · free` : 'Close'}
      >
        <OtherWays connectionId={connection.id} question={question} onAsk={ask} />
      </PlainFailure>
    );
  }
  if (answer && answer.results.length === 0) {
    return (
      <NothingFound
        answer={answer}
        question={question}
        streets={question.of.kind === 'on-street' && previous?.of.kind === 'streets' ? previous : null}
        connectionId={connection.id}
        onShow={show}
        onEdit={edit}
        onAskAgain={() => void ask(question, 'reload')}
        onAsk={ask}
      />
    );
  }
  return <FoundPanes connection={connection} answer={answer} onText={onText} />;
}

interface NothingFoundProps {
  answer: SearchAnswer;
  question: Question;
  /** The list from which the street was chosen; null: it was not, or that is not known any more. */
  streets: Question | null;
  connectionId: string;
  /** Asks the service nothing. */
  onShow: (question: Question) => void;
  onEdit: () => void;
  onAskAgain: () => void;
  onAsk: OtherWaysProps['onAsk'];
}

function NothingFound({
  answer,
  question,
  streets,
  connectionId,
  onShow,
  onEdit,
  onAskAgain,
  onAsk,
}: NothingFoundProps) {
  const { kind } = readLookupText(question.text);
  const provenance = useLatestProvenance(answer.provenance);
  const { cached, expectedCredits, claims } = provenance;
  const isPostcode = question.of.kind === 'text' && kind === 'postcode';
  const unusable = answer.total !== null && answer.total > 0 ? answer.total : null;
  const list = unusable === null ? 'an empty list' : 'a list of which nothing can be opened';
  const words =
    unusable !== null
      ? `The service ${answer.leftOut > 0 ? 'named' : 'says there are'} ${formatNumber(unusable)}, and none of them can be opened from its answer.`
      : isPostcode
        ? 'The service named no premise in this postcode. It may be new, or retired.'
        : question.of.kind === 'streets'
          ? 'The service named no street for this.'
          : question.of.kind === 'on-street'
            ? 'The service named no premise on this street.'
            : kind === 'no-postcode'
              ? 'This is not in the published form of a postcode. Correct it and search again.'
              : 'The service named no premise for all of it. Fewer words may find more: a street and a town, or a business without its suffix.';
  return (
    <State
      kind="nothing"
      icon={<IconMapPinOff size={24} stroke={1.5} />}
      title={
        unusable !== null
          ? `Nothing that can be opened for “${answer.text}”`
          : isPostcode
            ? `No premise found in ${answer.text}`
            : `Nothing found for “${answer.text}”`
      }
      actions={
        <>
          {streets && <Button onClick={() => onShow(streets)}>Back to the streets · free</Button>}
          <Button onClick={onEdit}>Edit</Button>
          <PriceButton price={searchPrice(question)} onClick={onAskAgain}>
            Ask again
          </PriceButton>
          <OtherWays connectionId={connectionId} question={question} onAsk={onAsk} />
        </>
      }
      foot={
        <>
          {cached ? (
            `From a saved answer of ${formatWhen(provenance.at)}, free. The service had answered with ${list}.`
          ) : (
            <>
              {describeSource(provenance)} answered with {list}:{' '}
              <SpendNote expected={expectedCredits} claims={claims} />.
            </>
          )}{' '}
          {provenance.expiresAt && `Saved until ${formatWhen(provenance.expiresAt)}: an empty answer, a day at most.`}
        </>
      }
    >
      {words}
    </State>
  );
}

interface OtherWaysProps {
  connectionId: string;
  question: Question;
  /** At the price that the button names. */
  onAsk: (question: Question, cache: CacheMode) => void;
}

/** The same text over the other interface, at its price. */
function OtherWays({ connectionId, question, onAsk }: OtherWaysProps) {
  const { text, maxResults, of } = question;
  const { data } = useQuery({
    ...searchWaysQuery(connectionId, { text, maxResults, of }),
    enabled: of.kind === 'text',
  });
  const others = (data?.ways ?? []).filter((way) => of.kind === 'text' && way.interface !== question.interface);
  return others.map((way) => (
    <PriceButton
      key={way.interface}
      price={way.price}
      onClick={() => onAsk({ ...question, interface: way.interface }, cacheModeAt(way.price))}
    >
      {way.price.kind === 'cached' ? 'Show' : 'Ask'} over {protocolNames[way.interface]}
    </PriceButton>
  ));
}

const wayText = ({ price, interface: protocol }: SearchWay, _: number, all: readonly SearchWay[]): string =>
  all.length > 1 ? `${formatPrice(price)} over ${protocolNames[protocol]}` : formatPrice(price);

const mostShown = 8;

/** Before the first search: what the box takes, what it costs, and what is saved and free to open. */
function StartPane({ connection, ways }: { connection: Connection; ways: readonly SearchWay[] | null }) {
  const cached = useCachedPremises(connection);
  const { open } = usePremise(connection);
  const latest = cached.premises.toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, mostShown);
  return (
    <div className="lookup-start">
      <EmptyState
        icon={<IconMapSearch size={24} stroke={1.5} />}
        title="Look up an address"
        foot={ways && `A search: ${ways.map(wayText).join(', ')}. Opening what is saved: free.`}
      >
        Type a postcode, a street, a business or a building, then press Enter. Nothing is sent while you type.
      </EmptyState>
      {cached.error ? (
        <div className="pad">
          <ReadFailure of={cached} />
        </div>
      ) : (
        latest.length > 0 && (
          <section className="lookup-lately" aria-label="Recent, free to open again">
            <h2 className="h">Recent, free to open again</h2>
            <ul className="plain">
              {latest.map((premise) => (
                <li key={premise.premiseId}>
                  <button
                    type="button"
                    className="bare lookup-cached-row"
                    onClick={() => void open(premise.premiseId, premise.line, { cachedShown: true })}
                  >
                    <span className="trunc grow">{legible(premise.line)}</span>
                    <span className="xs t3 nowrap">{formatWhen(premise.at)}</span>
                    <Cached />
                  </button>
                </li>
              ))}
            </ul>
          </section>
        )
      )}
    </div>
  );
}
