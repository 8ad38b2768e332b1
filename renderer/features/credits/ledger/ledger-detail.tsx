import { IconCopy } from '@tabler/icons-react';
import type { LedgerEntry } from '../../../../shared/domain/credits.ts';
import { CopiedNote } from '../../../components/copied-note.tsx';
import { formatMoment } from '../../../lib/text/format.ts';
import type { Copied } from '../../../lib/window/use-copy.ts';
import { sentencesOf } from './entry-text.ts';

export interface LedgerDetailProps {
  entry: LedgerEntry;
  /** What was just copied from this entry; null: nothing. */
  copied: Copied | null;
  onCopy: (entry: LedgerEntry) => void;
  onEvidence: (callId: string) => void;
  onNote: (entry: LedgerEntry) => void;
}

/** The line under an entry: all that may be said of it, and what can be done. */
export function LedgerDetail({ entry, copied, onCopy, onEvidence, onNote }: LedgerDetailProps) {
  const { callId, kind, note, at } = entry;
  return (
    <div className="credits-why">
      <p className="sm t2">{sentencesOf(entry)}</p>
      <div className="row wrap sm t3 g12">
        {callId !== null && (
          <button type="button" className="link" onClick={() => onEvidence(callId)}>
            Show the evidence
          </button>
        )}
        {kind === 'movement' && (
          <button type="button" className="link" onClick={() => onNote(entry)}>
            {note === '' ? 'Say what it was' : 'Change your note'}
          </button>
        )}
        <button type="button" className="link" onClick={() => onCopy(entry)}>
          <IconCopy size={14} className="ti" aria-hidden="true" />
          Copy row
        </button>
        <span>
          {formatMoment(at)}
          {callId !== null && `, call ${callId}`}
        </span>
        {copied && <CopiedNote copied={copied} />}
      </div>
    </div>
  );
}
