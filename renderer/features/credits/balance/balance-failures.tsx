import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { ConnectionView } from '../../../../shared/contract/connections.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { Failure } from '../../../components/failure.tsx';
import { PriceButton } from '../../../components/money/price-button.tsx';
import type { ReadableSource } from '../../../lib/calls/ask-balance.ts';
import { isUnknownOutcome } from '../../../lib/calls/errors.ts';
import { isReadWith } from '../../../lib/connection/is-read-with.ts';
import { type At, dismissReadFailure, readBalance, useBalanceRead } from './read-balances.ts';
import { balanceError } from './sources.ts';
import { useSourcePrice } from './use-source-price.ts';

/** Each failed reading, above the last figures until it is dismissed or its key is replaced; a new one is scrolled into view. */
export const BalanceFailures = (props: Omit<BalanceFailureProps, 'source'>) => (
  <div className="credits-failures">
    {(['rest-key', 'soap-account', 'service-test'] as const).map((source) => (
      <BalanceFailure key={source} source={source} {...props} />
    ))}
  </div>
);

interface BalanceFailureProps {
  at: At;
  view: ConnectionView;
  source: ReadableSource;
  onEvidence: (callId: string) => void;
}

function BalanceFailure({ at, view, source, onEvidence }: BalanceFailureProps) {
  const { running, failure } = useBalanceRead(at.connectionId, source);
  const priceOf = useSourcePrice(at.connectionId);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (failure) box.current?.scrollIntoView({ block: 'nearest' });
  }, [failure]);
  if (!failure) return null;
  const { sentWith } = failure.error;
  // A refused key that has been replaced says nothing of the one in its place.
  if (sentWith && !isReadWith({ keyLastFour: sentWith.lastFour }, view.secrets)) return null;
  return (
    <div ref={box}>
      <Failure
        error={balanceError(source, failure.error)}
        actions={
          <>
            <Evidence error={failure.error} onEvidence={onEvidence} />
            <PriceButton
              price={priceOf(source)}
              disabled={running !== null}
              onClick={() => void readBalance(at, source)}
            >
              Read again
            </PriceButton>
            <Button variant="subtle" color="gray" onClick={() => dismissReadFailure(at.connectionId, source)}>
              Close
            </Button>
          </>
        }
      />
    </div>
  );
}

/** If the call may have been charged, its evidence is offered before asking again. */
function Evidence({ error, onEvidence }: { error: AppError; onEvidence: (callId: string) => void }) {
  const { callId } = error;
  if (callId === undefined || !isUnknownOutcome(error)) return null;
  return <Button onClick={() => onEvidence(callId)}>Show the evidence</Button>;
}
