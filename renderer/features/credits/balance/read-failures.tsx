import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import { Failure } from '../../../components/failure.tsx';
import { PriceButton } from '../../../components/money/price-button.tsx';
import { about } from '../../../lib/calls/errors.ts';
import { type At, dismissReadFailure, type Reads, readBalance, useReads } from './read-balances.ts';
import { type AskedSource, sources } from './sources.ts';
import { useSourcePrice } from './use-source-price.ts';

const order: readonly AskedSource[] = ['rest-key', 'soap-account', 'service-test'];

const failuresOf = (reads: Reads) =>
  order.flatMap((source) => {
    const error = reads.failures[source];
    return error ? [{ source, error }] : [];
  });

/** Each reading that failed, above the last figures until it is put away; a new one comes into sight. */
export function ReadFailures({ at, onEvidence }: { at: At; onEvidence: (callId: string) => void }) {
  const reads = useReads(at.connectionId);
  const priceOf = useSourcePrice(at.connectionId);
  const failures = failuresOf(reads);
  const count = failures.length;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (count > 0) box.current?.scrollIntoView({ block: 'nearest' });
  }, [count]);
  if (count === 0) return null;
  return (
    <div className="credits-failures" ref={box}>
      {failures.map(({ source, error }) => (
        <div key={source}>
          <Failure
            error={about(`${sources[source].name} not read`, error)}
            actions={
              <>
                <Evidence error={error} onEvidence={onEvidence} />
                <PriceButton
                  price={priceOf(source)}
                  disabled={reads.underWay[source] !== undefined}
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
      ))}
    </div>
  );
}

/** Where it may have been charged, what is known of it comes before asking again. */
function Evidence({ error, onEvidence }: { error: AppError; onEvidence: (callId: string) => void }) {
  const { callId, charge } = error;
  if (callId === undefined || charge !== 'may-have-been-charged') return null;
  return <Button onClick={() => onEvidence(callId)}>Show the evidence</Button>;
}
