import { Button } from '@mantine/core';
import { IconMapPinOff, IconMapSearch } from '@tabler/icons-react';
import type { ReactNode, RefObject } from 'react';
import type { Connection } from '../../../../shared/domain/connection.ts';
import type { ShownPrice } from '../../../../shared/domain/credits.ts';
import type { SearchAnswer } from '../../../../shared/domain/lookup.ts';
import { checkPostcode } from '../../../../shared/domain/postcode.ts';
import { Failure } from '../../../components/failure.tsx';
import { Cached } from '../../../components/marks.tsx';
import { SpendNote } from '../../../components/money/money-claims.tsx';
import { EmptyState, State, UnderWay } from '../../../components/state.tsx';
import { useLatestProvenance } from '../../../lib/answers/use-provenance.ts';
import { errorOf, isUnknownOutcome } from '../../../lib/calls/errors.ts';
import { formatPrice, formatWhen } from '../../../lib/text/format.ts';
import { legible } from '../../../lib/text/legible.ts';
import { PlainFailure } from '../answer/plain-failure.tsx';
import { UnknownOutcome } from '../answer/unknown-outcome.tsx';
import { searches, searchKey } from '../asks.ts';
import type { Question } from '../lookup-state.ts';
import { useCachedPremises, usePremise } from '../premise/use-premise.ts';
import { FoundPanes } from './found-panes.tsx';
import { useSearch } from './use-search.ts';

interface SearchBodyProps {
  connection: Connection;
  /** What a search that is not held costs; null: not known yet. */
  price: ShownPrice | null;
  searchBox: RefObject<HTMLInputElement | null>;
  onText: (text: string) => void;
}

/** What stands under the search box: nothing yet, under way, failed, unknown, nothing found, or the results. */
export function SearchBody({ connection, price, searchBox, onText }: SearchBodyProps) {
  const { state, patch, ask } = useSearch(connection.id);
  const { question, previous } = state;
  const key = question ? searchKey({ connectionId: connection.id, ...question }) : '';
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
        foot="Once it is sent, stopping does not take the credit back."
      />
    );
  }
  // A premise opened from the saved ones needs no search; what the search brought waits behind it.
  if (state.premise && !answer?.results.length) {
    return <FoundPanes connection={connection} answer={null} searchPrice={price} onText={onText} />;
  }
  if (!question || (!answer && !failure)) return <StartPane connection={connection} price={price} />;
  if (failure) {
    const again: ShownPrice = price ?? { kind: 'not-published' };
    const leave = () => {
      searches.dismiss(key);
      // What was shown before comes back; where there was nothing, the start does.
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
        onAskAgain={() => void ask(question, true)}
        onLeave={leave}
      />
    ) : (
      <PlainFailure
        failure={failure}
        price={again}
        onAgain={() => void ask(question)}
        onLeave={leave}
        leaveLabel={previous && !answer ? `Back to ${previous.text} · free` : 'Close'}
      />
    );
  }
  if (answer && answer.results.length === 0) {
    return <NothingFound answer={answer} question={question} onEdit={edit} />;
  }
  return <FoundPanes connection={connection} answer={answer} searchPrice={price} onText={onText} />;
}

function NothingFound({ answer, question, onEdit }: { answer: SearchAnswer; question: Question; onEdit: () => void }) {
  const check = checkPostcode(question.text);
  const { cached, expectedCredits, claims } = useLatestProvenance(answer.provenance);
  const words: Record<typeof check.state, ReactNode> = {
    'well-formed': 'The postcode is well formed, and the service knows no premise in it. It may be new, or retired.',
    unusual: 'The postcode is unusual in form, and the service knows no premise in it. Check it against its source.',
    malformed: 'This looks like a postcode with a mistake in it. Correct it and search again.',
    'not-a-postcode':
      'No premise matches all of it. Fewer words find more: a street and a town, or a business without its suffix.',
  };
  return (
    <State
      kind="nothing"
      icon={<IconMapPinOff size={24} stroke={1.5} />}
      title={check.state === 'not-a-postcode' ? `Nothing found for “${answer.text}”` : `No premise in ${answer.text}`}
      actions={<Button onClick={onEdit}>Edit</Button>}
      foot={
        cached ? (
          'From a saved answer, free. The service had answered with an empty list.'
        ) : (
          <>
            <SpendNote expected={expectedCredits} claims={claims} />. The service answered with an empty list.
          </>
        )
      }
    >
      {words[check.state]}
    </State>
  );
}

const mostShown = 8;

/** Before the first search: what the box takes, what it costs, and what is held and free to open. */
function StartPane({ connection, price }: { connection: Connection; price: ShownPrice | null }) {
  const cached = useCachedPremises(connection);
  const { open } = usePremise(connection);
  const latest = [...cached.premises].sort((a, b) => b.at.localeCompare(a.at)).slice(0, mostShown);
  return (
    <div className="lookup-start">
      <EmptyState
        icon={<IconMapSearch size={24} stroke={1.5} />}
        title="Look up an address"
        foot={price ? `A search: ${formatPrice(price)}. Opening what is saved: free.` : undefined}
      >
        Type a postcode, a street, a business or a building, then press Enter. Nothing is sent while you type.
      </EmptyState>
      {cached.error ? (
        <div className="pad">
          <Failure error={errorOf(cached.error)} />
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
                    className="bare lookup-held-row"
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
