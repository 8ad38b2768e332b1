import { Button, Loader, Modal } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Evidence } from '../../../shared/contract/credits.ts';
import { announce } from '../../app/announce.tsx';
import { Failure } from '../../components/failure.tsx';
import { PriceButton } from '../../components/price-button.tsx';
import { Elapsed } from '../../components/state.tsx';
import { call, cancelCall, newRequestId } from '../../lib/bridge.ts';
import { formatClock, formatCredits, formatDate, formatNumber, zoneName } from '../../lib/format.ts';
import { errorOf } from './error-of.ts';
import { evidenceKey, evidenceQuery, refreshCredits } from './queries.ts';
import { verdictText } from './verdicts.tsx';

export interface EvidenceDialogProps {
  connectionId: string;
  callId: string;
  onClose: () => void;
}

/** What is known of one call whose outcome is or was unknown, and the free reading that may settle it. */
export function EvidenceDialog({ connectionId, callId, onClose }: EvidenceDialogProps) {
  const client = useQueryClient();
  const evidence = useQuery(evidenceQuery(callId));
  const [reading, setReading] = useState<{ requestId: string; since: string } | null>(null);
  const settle = useMutation({
    mutationFn: () => {
      const requestId = newRequestId();
      setReading({ requestId, since: new Date().toISOString() });
      return call('credits.settle', { callId }, { requestId });
    },
    onSuccess: (settled) => {
      client.setQueryData(evidenceKey(callId), settled);
      announce(settled.conclusion);
    },
    onSettled: () => {
      setReading(null);
      refreshCredits(client, connectionId);
    },
  });
  const { data } = evidence;
  const open = data?.verdict === 'unsettled';
  return (
    <Modal.Root opened onClose={onClose} size={560}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body className="col g12 credits-evidence">
          {/* Not Modal.Header: outside the main landmark a header would be a second banner. */}
          <div className="row between">
            <Modal.Title className="title">
              {data ? `${data.operation} ${data.subject}`.trim() : `Call ${callId}`}
            </Modal.Title>
            <Modal.CloseButton />
          </div>
          {evidence.error && !data && (
            <Failure
              error={errorOf(evidence.error)}
              actions={
                <Button loading={evidence.isFetching} onClick={() => void evidence.refetch()}>
                  Read what is known again
                </Button>
              }
            />
          )}
          {!data && !evidence.error && (
            <p className="sm t3" aria-busy="true">
              Reading what is known …
            </p>
          )}
          {data && <EvidenceRows evidence={data} />}
          {settle.error && <Failure error={errorOf(settle.error)} />}
          <div className="row wrap">
            {open && (
              <PriceButton
                main
                price={{ kind: 'credits', credits: 0 }}
                disabled={reading !== null}
                onClick={() => settle.mutate()}
              >
                Read the balance
              </PriceButton>
            )}
            {reading ? (
              <span className="row g6 sm" aria-busy="true">
                <Loader size={12} aria-hidden="true" />
                <Elapsed since={reading.since} />
                <button type="button" className="link" onClick={() => cancelCall(reading.requestId)}>
                  Stop waiting
                </button>
              </span>
            ) : (
              <Button onClick={onClose}>{open ? 'Leave it open' : 'Close'}</Button>
            )}
          </div>
          {open && (
            <p className="sm t3">
              One more reading may settle it. Left open, it stays in the ledger until a later reading does.
            </p>
          )}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function EvidenceRows({ evidence }: { evidence: Evidence }) {
  const { rows, verdict, expected, conclusion } = evidence;
  const first = rows[0];
  const sure = verdict !== 'unsettled' && verdict !== 'unexplained';
  return (
    <>
      <p className="sm t2">
        Expected: {formatCredits(expected, 'price not published')}.{first && ` On ${formatDate(first.at)}.`}
      </p>
      <table className="tbl tight evidence" aria-label="Evidence">
        <colgroup>
          <col style={{ width: 92 }} />
          <col />
          <col style={{ width: 96 }} />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">Time, {zoneName(first ? new Date(first.at) : new Date())}</th>
            <th scope="col">What</th>
            <th scope="col" className="num">
              Balance
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.at} ${row.text}`}>
              <td className="t2 tn">{formatClock(row.at)}</td>
              <td className="credits-wraps">{row.text}</td>
              <td className="num">{row.credits === null ? '' : formatNumber(row.credits)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className={sure ? 'notice held' : 'notice warn'}>
        <div className="grow">
          <span className="m">Verdict: {verdictText({ verdict, observed: null })}.</span> {conclusion}
        </div>
      </div>
    </>
  );
}
