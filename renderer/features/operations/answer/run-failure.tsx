import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OperationForm } from '../../../../shared/contract/operations.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { CopiedNote } from '../../../components/copied-note.tsx';
import { describeError, Failure } from '../../../components/failure.tsx';
import {
  CallEvidence,
  noFurtherReading,
  ReadBalance,
  useCallEvidence,
} from '../../../components/money/call-evidence.tsx';
import { PriceButton } from '../../../components/money/price-button.tsx';
import { RawView } from '../../../components/raw-text/raw-view.tsx';
import { evidenceQuery, isReadable } from '../../../lib/answers/use-evidence.ts';
import { isUnknownOutcome } from '../../../lib/calls/errors.ts';
import { useCopy } from '../../../lib/window/use-copy.ts';

interface RunFailureProps {
  error: AppError;
  price: OperationForm['price'];
  onAskAgain: () => void;
  onLeave: () => void;
}

/** Why there is no answer, what it means for credits, and what went over the wire all the same. Nothing here asks again by itself. */
export function RunFailure({ error, price, onAskAgain, onLeave }: RunFailureProps) {
  const [raw, setRaw] = useState(false);
  const { copied, copy } = useCopy();
  const unsureOf = isUnknownOutcome(error) ? error.callId : undefined;
  const evidence = useQuery({ ...evidenceQuery(unsureOf ?? ''), enabled: unsureOf !== undefined });
  // The advice to read the balance is given only as long as that may show more.
  const shown = evidence.data?.mayShowMore === false ? { ...error, next: '' } : error;
  return (
    <div className="col grow">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key even if nothing in it is */}
      <section className={raw ? 'ops-trouble short' : 'ops-trouble'} aria-label="What went wrong" tabIndex={0}>
        <Failure
          error={shown}
          onCopyDetails={() => copy(describeError(shown), 'the details')}
          actions={
            <>
              <PriceButton price={price} onClick={onAskAgain}>
                Ask again
              </PriceButton>
              {error.callId !== undefined && (
                <Button aria-expanded={raw} onClick={() => setRaw(!raw)}>
                  {raw ? 'Hide what was sent' : 'Show what was sent'}
                </Button>
              )}
              <Button variant="subtle" color="gray" onClick={onLeave}>
                Close
              </Button>
              {copied && <CopiedNote copied={copied} />}
            </>
          }
        >
          {unsureOf !== undefined && <Evidence callId={unsureOf} />}
        </Failure>
      </section>
      {raw && error.callId !== undefined && <RawView answerId={error.callId} start="request" />}
    </div>
  );
}

/** The evidence of a call without a usable answer, and whether another reading of the balance may show more. */
function Evidence({ callId }: { callId: string }) {
  const known = useCallEvidence(callId);
  return (
    <div className="col g6 ops-evidence">
      <CallEvidence {...known} />
      <div className="row wrap">
        <ReadBalance {...known} />
        {isReadable(known.evidence.data) && !known.isOpen && <span className="sm t2">{noFurtherReading}</span>}
      </div>
    </div>
  );
}
