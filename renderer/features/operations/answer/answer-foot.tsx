import type { OperationAnswer } from '../../../../shared/contract/operations.ts';
import { SpendNote } from '../../../components/money/money-claims.tsx';
import { useLatestProvenance } from '../../../lib/answers/use-provenance.ts';
import { formatTime, formatWhen } from '../../../lib/text/format.ts';

/** "today 09:41:07 GMT". */
export function momentOf(iso: string): string {
  const day = formatWhen(iso).replace(/ \d{2}:\d{2}$/, '');
  return day === iso ? iso : `${day} ${formatTime(iso)}`;
}

/** Where the answer came from, when, its price and what the balance did. */
export function AnswerFoot({ answer }: { answer: OperationAnswer }) {
  const provenance = useLatestProvenance(answer.provenance);
  const shape =
    provenance.shape === null
      ? ''
      : `, ${provenance.shape.length === 1 ? `shape ${provenance.shape}` : provenance.shape}`;
  return (
    <div className="footbar ops-foot">
      <SpendNote expected={provenance.expectedCredits} claims={provenance.claims} />
      <span className="t2 tn nowrap">{momentOf(provenance.at)}</span>
      <span className="t2 nowrap" title={`Paid by ${provenance.paidBy}`}>
        {provenance.keyLastFour ? `key ••${provenance.keyLastFour}` : provenance.paidBy}
      </span>
      <span className="grow" />
      <span className="t2 nowrap">
        HTTP {answer.status}
        {shape}
      </span>
    </div>
  );
}
