import { type ReactNode, useState } from 'react';
import type { CacheMode } from '../../../../shared/domain/call.ts';
import { type Connection, type Protocol, protocolNames } from '../../../../shared/domain/connection.ts';
import type { ShownPrice } from '../../../../shared/domain/credits/credits.ts';
import { Elapsed } from '../../../components/elapsed.tsx';
import { Tag } from '../../../components/marks.tsx';
import { PriceButton } from '../../../components/money/price-button.tsx';
import { Notice } from '../../../components/notice.tsx';
import { ReadFailure } from '../../../components/read-failure.tsx';
import { EmptyState, UnderWay } from '../../../components/state.tsx';
import { StopWaiting } from '../../../components/waiting.tsx';
import { isUnknownOutcome } from '../../../lib/calls/errors.ts';
import { formatStop } from '../../../lib/text/format.ts';
import { useKeptFocus } from '../../../lib/window/kept-focus.ts';
import { PlainFailure } from '../answer/plain-failure.tsx';
import { RawAnswer } from '../answer/raw-answer.tsx';
import { OutcomeTag, UnknownOutcome } from '../answer/unknown-outcome.tsx';
import { type PremiseRequest, premiseKey, premises } from '../asks.ts';
import { openPrice, premisePrice } from '../prices.ts';
import { differingPostcodes } from './differing-postcodes.ts';
import { PaneHead } from './pane-head.tsx';
import { PremiseDetails } from './premise-view.tsx';
import { useCachedPremises, usePremise } from './use-premise.ts';

interface PremisePaneProps {
  connection: Connection;
  premise: { id: string; line: string };
  /** The price of opening it now, as its row says. */
  price: ShownPrice;
  onBack: () => void;
  /** Closes the premise: nothing is shown beside the list. */
  onLeave: () => void;
}

/** Everything about one premise, in whichever state it is. */
export function PremisePane({ connection, premise, price, onBack, onLeave }: PremisePaneProps) {
  const key = premiseKey(connection, premise.id);
  const { running, answer, failure } = premises.use(key);
  const { ask, askUprn, open } = usePremise(connection);
  const cached = useCachedPremises(connection);
  const isSaved = cached.premises.some(({ premiseId, free }) => premiseId === premise.id && free.length > 0);
  const [raw, setRaw] = useState<string | null>(null);

  const phase = running ? 'running' : failure ? 'failure' : answer ? 'answer' : 'none';
  useKeptFocus(`${phase}/${answer !== null}`, () => document.querySelector<HTMLElement>('.lookup-head h2'));

  const askOver = (protocol: Protocol, cache: CacheMode) => void ask(premise.id, protocol, cache);
  /** Another call may bring the UPRN now than when it was asked for. */
  const asNow = (request: PremiseRequest): PremiseRequest =>
    request.kind === 'uprn' ? { ...request, operation: answer?.uprnPlan?.operation ?? request.operation } : request;
  const repeat = (request: PremiseRequest, cache: CacheMode) =>
    request.kind === 'uprn'
      ? void askUprn(premise.id, request.operation, request.cache ?? 'default')
      : askOver(request.interface, cache);
  const stop = () => premises.stop(key);
  /** The other interface, if it can be asked for the same premise. */
  const otherOf = (request: PremiseRequest): Protocol | null => {
    if (request.kind !== 'open') return null;
    const [other, address] =
      request.interface === 'rest'
        ? (['soap', connection.soapUrl] as const)
        : (['rest', connection.restBaseUrl] as const);
    return address === '' ? null : other;
  };

  if (failure) {
    const { error } = failure;
    const request = asNow(failure.request);
    const again = premisePrice(request);
    const leave = () => {
      premises.dismiss(key);
      if (!answer) onLeave();
    };
    const unknown = isUnknownOutcome(error);
    const other = otherOf(request);
    return (
      <>
        <PaneHead title={answer?.title ?? premise.line} onBack={onBack}>
          {unknown && (error.callId ? <OutcomeTag callId={error.callId} /> : <Tag tone="warn">not known</Tag>)}
        </PaneHead>
        {unknown && error.callId ? (
          <UnknownOutcome
            error={error}
            callId={error.callId}
            at={failure.at}
            price={again}
            gain={request.kind === 'uprn' ? 'Gets the UPRN.' : 'Gets the address.'}
            onAskAgain={() => repeat(request, 'reload')}
            onLeave={leave}
          />
        ) : (
          <PlainFailure
            failure={failure}
            price={again}
            onAgain={() => repeat(request, 'default')}
            onLeave={leave}
            leaveLabel={answer ? 'Back to the address · free' : 'Close'}
          >
            {other && (
              <PriceButton price={openPrice(other)} onClick={() => askOver(other, 'default')}>
                Open over {protocolNames[other]}
              </PriceButton>
            )}
          </PlainFailure>
        )}
      </>
    );
  }
  if (answer) {
    const postcodes = differingPostcodes(premise.line, answer);
    return (
      <>
        <PremiseDetails
          view={answer}
          connection={connection}
          busy={running !== null}
          notice={
            <>
              {running && (
                <UnderWayLine since={running.since} onStop={stop} foot={formatStop(premisePrice(running.request))}>
                  {formatRunning(running.request)}
                </UnderWayLine>
              )}
              {postcodes && (
                <div className="pad pane-b">
                  <Notice tone="warn" announce>
                    The list had this premise in {postcodes.listed}; this answer puts it in {postcodes.answered}. The
                    two interfaces may number premises differently. Check the address before you use it.
                  </Notice>
                </div>
              )}
            </>
          }
          onBack={onBack}
          onAsk={askOver}
          onGetUprn={(operation, cache) => void askUprn(premise.id, operation, cache)}
          onShowRaw={setRaw}
        />
        <RawAnswer answerId={raw} onClose={() => setRaw(null)} />
      </>
    );
  }
  return (
    <>
      <PaneHead title={premise.line} onBack={onBack} />
      {running ? (
        <UnderWay
          doing={`Opening ${premise.line}`}
          since={running.since}
          onStop={stop}
          foot={formatStop(premisePrice(running.request))}
        />
      ) : cached.error ? (
        <section className="pad" aria-label="What went wrong">
          <ReadFailure of={cached} />
        </section>
      ) : !cached.isRead ? (
        // Whether its answer is still saved is being read, and nothing is asked before that.
        <div className="grow" aria-busy="true" />
      ) : isSaved ? (
        <EmptyState
          title="Saved meanwhile"
          actions={
            <PriceButton
              main
              price={{ kind: 'cached' }}
              onClick={() => void open(premise.id, premise.line, { cachedShown: true })}
            >
              Open
            </PriceButton>
          }
        >
          An answer for {premise.line} is saved now.
        </EmptyState>
      ) : (
        // A window that was loaded again does not know whether the one before had asked.
        <EmptyState
          title="No answer is saved"
          actions={
            <PriceButton main price={price} onClick={() => askOver(connection.preferredInterface, 'default')}>
              Open
            </PriceButton>
          }
        >
          No answer for {premise.line} is saved. If one was asked for, Activity shows what came of it.
        </EmptyState>
      )}
    </>
  );
}

const formatRunning = (request: PremiseRequest): string =>
  request.kind === 'uprn' ? 'Asking for the UPRN' : `Asking ${protocolNames[request.interface]} for this address`;

interface UnderWayLineProps {
  since: string;
  onStop: () => void;
  foot: string;
  children: ReactNode;
}

function UnderWayLine({ since, onStop, foot, children }: UnderWayLineProps) {
  return (
    <div className="subbar" role="status">
      <span className="m">{children}</span>
      <Elapsed since={since} />
      <span className="grow t3 trunc" title={foot}>
        {foot}
      </span>
      <StopWaiting onStop={onStop} />
    </div>
  );
}
