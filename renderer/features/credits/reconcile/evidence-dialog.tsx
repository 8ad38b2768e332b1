import { Button, Modal } from '@mantine/core';
import { Failure } from '../../../components/failure.tsx';
import { EvidenceTable } from '../../../components/money/evidence-table.tsx';
import { Waiting } from '../../../components/waiting.tsx';
import { errorOf } from '../../../lib/calls/errors.ts';
import { EvidenceState, ReadBalance, useCreditsEvidence } from '../evidence-parts.tsx';

interface EvidenceDialogProps {
  connectionId: string;
  callId: string;
  onClose: () => void;
}

/** What is known of one call, and the reading that may show more. */
export function EvidenceDialog({ connectionId, callId, onClose }: EvidenceDialogProps) {
  const known = useCreditsEvidence(connectionId, callId);
  const { evidence, isOpen, read, underWay } = known;
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
          <EvidenceState evidence={evidence} />
          {evidence.data && <EvidenceTable evidence={evidence.data} />}
          {read.error && <Failure error={errorOf(read.error)} />}
          <div className="row wrap">
            <ReadBalance {...known} />
            {underWay ? (
              <Waiting call={underWay} />
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
