import type { Provenance } from '../../../../shared/domain/lookup.ts';
import { SpendNote } from '../../../components/money/money-claims.tsx';
import { formatDuration } from '../../../lib/text/format.ts';
import { describeSource, formatMomentNear } from '../source-words.ts';

export interface ProvenanceFootProps {
  answer: Provenance;
  now: Date;
  onShowRaw: () => void;
}

/** The foot of an answer: price and what the balance did, interface and shape, time with zone, duration, the key's last four. */
export function ProvenanceFoot({ answer, now, onShowRaw }: ProvenanceFootProps) {
  return (
    <div className="footbar lookup-foot">
      <SpendNote expected={answer.expectedCredits} claims={answer.claims} />
      <span className="t2">{describeSource(answer)}</span>
      <span className="t2 tn">{formatMomentNear(answer.at, now)}</span>
      <span className="t2 tn lookup-took">{formatDuration(answer.durationMs)}</span>
      <span className="t2" title={`Paid by ${answer.paidBy}`}>
        {answer.keyLastFour ? `key ••${answer.keyLastFour}` : answer.paidBy}
      </span>
      <span className="grow" />
      <button type="button" className="link" aria-haspopup="dialog" onClick={onShowRaw}>
        Raw answer
      </button>
    </div>
  );
}
