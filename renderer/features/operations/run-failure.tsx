import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OperationForm } from '../../../shared/contract/operations.ts';
import type { AppError } from '../../../shared/errors.ts';
import { announce } from '../../app/announce.tsx';
import { describeError, Failure } from '../../components/failure.tsx';
import { Notice } from '../../components/notice.tsx';
import { PriceButton } from '../../components/price-button.tsx';
import { call } from '../../lib/bridge.ts';
import { formatClock, formatCredits } from '../../lib/format.ts';
import { errorOf } from './error-of.ts';
import { evidenceKey, evidenceQuery } from './queries.ts';
import { RawView } from './raw-view.tsx';
import { useCopy } from './use-copy.ts';

export interface RunFailureProps {
  error: AppError;
  price: OperationForm['price'];
  onAskAgain: () => void;
  onLeave: () => void;
}

const free = { kind: 'credits', credits: 0 } as const;

/** Why there is no answer, what it means for credits, and what went over the wire all the same. Nothing here asks again by itself. */
export function RunFailure({ error, price, onAskAgain, onLeave }: RunFailureProps) {
  const [raw, setRaw] = useState(false);
  const { copied, copy } = useCopy();
  const unsure = error.charge === 'may-have-been-charged' && error.callId !== undefined;
  return (
    <div className="col grow">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key even where nothing in it is */}
      <section className={raw ? 'ops-trouble short' : 'ops-trouble'} aria-label="What went wrong" tabIndex={0}>
        <Failure
          error={error}
          onCopyDetails={() => copy('the details', () => call('app.copy-text', { text: describeError(error) }))}
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
              {copied && <span className={`xs ${copied.failed ? 'danger' : 'held'}`}>{copied.text}</span>}
            </>
          }
        >
          {unsure && error.callId !== undefined && <Evidence callId={error.callId} />}
        </Failure>
      </section>
      {raw && error.callId !== undefined && <RawView answerId={error.callId} start="request" />}
    </div>
  );
}

/** What the balance says of a call whose outcome is unknown; one more reading may settle it. */
function Evidence({ callId }: { callId: string }) {
  const client = useQueryClient();
  const evidence = useQuery(evidenceQuery(callId));
  const settle = useMutation({
    mutationFn: () => call('credits.settle', { callId }),
    onSuccess: (settled) => {
      client.setQueryData(evidenceKey(callId), settled);
      announce(settled.conclusion);
    },
  });
  const failed = evidence.error ?? settle.error;
  return (
    <div className="col g6 ops-evidence">
      {failed && (
        <Notice tone="danger" announce>
          {errorOf(failed).message} {errorOf(failed).next}
        </Notice>
      )}
      {evidence.data && (
        <>
          <table className="tbl tight">
            <caption className="spoken">What is known of this call</caption>
            <colgroup>
              <col style={{ width: 88 }} />
              <col />
              <col style={{ width: 104 }} />
            </colgroup>
            <tbody>
              {evidence.data.rows.map((row) => (
                <tr key={`${row.at}/${row.text}`}>
                  <td className="t2 tn">{formatClock(row.at)}</td>
                  <td>{row.text}</td>
                  <td className="num">{row.credits === null ? '' : formatCredits(row.credits)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className="sm m">{evidence.data.conclusion}</p>
        </>
      )}
      <div className="row">
        <PriceButton main price={free} loading={settle.isPending} onClick={() => settle.mutate()}>
          Read the balance
        </PriceButton>
      </div>
    </div>
  );
}
