import { Button, Loader, Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Elapsed } from '../../../components/elapsed.tsx';
import { Failure } from '../../../components/failure.tsx';
import { EvidenceTable } from '../../../components/money/evidence-table.tsx';
import { moneyText } from '../../../components/money/money-claims.tsx';
import { PriceButton } from '../../../components/money/price-button.tsx';
import { balanceReadPrice, useEvidence } from '../../../lib/answers/use-evidence.ts';
import { cancelCall } from '../../../lib/calls/bridge.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { announce } from '../../../lib/window/announce.ts';
import { refreshCredits } from '../queries.ts';

interface EvidenceDialogProps {
  connectionId: string;
  callId: string;
  onClose: () => void;
}

/** What is known of one call, and the reading that may show more. */
export function EvidenceDialog({ connectionId, callId, onClose }: EvidenceDialogProps) {
  const client = useQueryClient();
  const { evidence, isOpen, read, underWay } = useEvidence(callId, ({ claims }) => {
    announce(moneyText(claims));
    refreshCredits(client, connectionId);
  });
  const { data } = evidence;
  return (
    <Modal.Root opened onClose={onClose} size={560}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body className="col g12 credits-evidence">
          {/* Not Modal.Header: outside the main landmark a header would be a second banner. */}
          <div className="row between">
            <Modal.Title className="title">Evidence</Modal.Title>
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
          {data && <EvidenceTable evidence={data} />}
          {read.error && <Failure error={errorOf(read.error)} />}
          <div className="row wrap">
            {data && isOpen && (
              <PriceButton
                main
                price={balanceReadPrice(data.operation)}
                disabled={underWay !== null}
                onClick={() => read.mutate()}
              >
                Read the balance
              </PriceButton>
            )}
            {underWay ? (
              <span className="row g6 sm" aria-busy="true">
                <Loader size={12} aria-hidden="true" />
                <Elapsed since={underWay.since} />
                <button type="button" className="link" onClick={() => cancelCall(underWay.requestId)}>
                  Stop waiting
                </button>
              </span>
            ) : (
              <Button onClick={onClose}>{isOpen ? 'Leave it open' : 'Close'}</Button>
            )}
          </div>
          {isOpen && <p className="sm t3">A later balance may show more. Left open, it stays open in the ledger.</p>}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
