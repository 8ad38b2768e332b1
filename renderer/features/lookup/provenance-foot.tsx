import type { Provenance } from '../../../shared/domain/lookup.ts';
import { formatDuration } from '../../lib/format.ts';
import { describeSource, describeSpend, formatMomentNear } from './spend-words.ts';

export interface ProvenanceFootProps {
  answer: Provenance;
  now: Date;
  onShowRaw: () => void;
}

/** The foot of an answer: cost, interface and shape, time with zone, duration, the key's last four. */
export function ProvenanceFoot({ answer, now, onShowRaw }: ProvenanceFootProps) {
  const spend = describeSpend(answer);
  return (
    <div className="footbar lookup-foot">
      <span className="nowrap">
        <span className={spend.warn ? 'warn m' : 'accent m'}>{spend.amount}</span>{' '}
        <span className={spend.warn ? 'warn' : 't2'}>{spend.judgement}</span>
      </span>
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
