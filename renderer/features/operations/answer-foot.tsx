import type { OperationAnswer } from '../../../shared/contract/operations.ts';
import type { SpendVerdict } from '../../../shared/domain/credits.ts';
import { formatCredits, formatTime, formatWhen } from '../../lib/format.ts';

const judged: Partial<Record<SpendVerdict, string>> = {
  matches: 'as expected',
  more: 'more than expected',
  less: 'less than expected',
  measured: 'measured',
  'not-read': 'as published',
  'not-charged': 'not charged, by the balance',
  'charged-answer-lost': 'charged, and the answer was lost',
  unsettled: 'unsettled',
  unexplained: 'unexplained',
};

const unsure: ReadonlySet<SpendVerdict> = new Set<SpendVerdict>(['more', 'unsettled', 'unexplained']);

/** "today 09:41:07 GMT". */
export function momentOf(iso: string): string {
  const day = formatWhen(iso).replace(/ \d{2}:\d{2}$/, '');
  return day === iso ? iso : `${day} ${formatTime(iso)}`;
}

/** Where the answer came from, when, and what it cost. */
export function AnswerFoot({ answer }: { answer: OperationAnswer }) {
  const { provenance } = answer;
  const warn = unsure.has(provenance.verdict);
  const shape =
    provenance.shape === null
      ? ''
      : `, ${provenance.shape.length === 1 ? `shape ${provenance.shape}` : provenance.shape}`;
  return (
    <div className="footbar ops-foot">
      <span className="nowrap">
        <span className={warn ? 'warn m' : 'accent m'}>
          {formatCredits(provenance.observedCredits ?? provenance.expectedCredits, 'price not published')}
        </span>{' '}
        <span className={warn ? 'warn' : 't2'}>
          {provenance.verdict === 'not-read' && provenance.expectedCredits === null
            ? ''
            : (judged[provenance.verdict] ?? '')}
        </span>
      </span>
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
