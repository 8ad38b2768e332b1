import { Button } from '@mantine/core';
import { Dialog } from '../../../components/dialog.tsx';
import { CallEvidence, ReadBalance } from '../../../components/money/call-evidence.tsx';
import { Waiting } from '../../../components/waiting.tsx';
import { useCreditsEvidence } from '../use-credits-evidence.ts';

interface EvidenceDialogProps {
  connectionId: string;
  callId: string;
  onClose: () => void;
}

/** The evidence of one call, and the reading that may show more. */
export function EvidenceDialog({ connectionId, callId, onClose }: EvidenceDialogProps) {
  const known = useCreditsEvidence(connectionId, callId);
  const { isOpen, underWay } = known;
  return (
    <Dialog title="Evidence" size={560} onClose={onClose}>
      <CallEvidence {...known} />
      <div className="row wrap">
        {isOpen && <ReadBalance {...known} />}
        {underWay ? (
          <Waiting call={underWay} />
        ) : (
          <Button onClick={onClose}>{isOpen ? 'Leave it open' : 'Close'}</Button>
        )}
      </div>
      {isOpen && <p className="sm t3">A later balance may show more. Left open, it stays open in the ledger.</p>}
    </Dialog>
  );
}
