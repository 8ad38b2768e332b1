import type { BatchPlan } from '../../../../shared/domain/batch.ts';
import { Mono } from '../../../components/marks.tsx';
import { formatNumber } from '../../../lib/text/format.ts';
import { legible } from '../../../lib/text/legible.ts';
import { formatBounds } from '../messages.ts';

const notPublished = <span className="t3">not published</span>;

/** Each stage with its calls and credits at least and at most, and their sum. */
export function PlanStages({ plan }: { plan: BatchPlan }) {
  const numbers = new Map(
    plan.stages.filter(({ operation }) => operation !== null).map(({ stage }, index) => [stage, index + 1]),
  );
  return (
    <section>
      <h3 className="h">What will be sent</h3>
      <table className="tbl batch-stages" aria-label="What will be sent">
        <colgroup>
          <col className="number" />
          <col />
          <col className="operation" />
          <col className="calls" />
          <col className="least" />
          <col className="most" />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">
              <span className="spoken">Number</span>
            </th>
            <th scope="col">Stage</th>
            <th scope="col">Operation</th>
            <th scope="col" className="num">
              Calls
            </th>
            <th scope="col" className="num">
              At least
            </th>
            <th scope="col" className="num">
              At most
            </th>
          </tr>
        </thead>
        <tbody>
          {plan.stages.map(({ stage, title, operation, calls, credits, note }) => (
            <tr key={stage}>
              <td className="t3">{numbers.get(stage)}</td>
              <td className={operation === null ? 't2 wraps' : 'wraps'}>
                {legible(title)}
                {note !== '' && <span className="xs t3 block">{legible(note)}</span>}
              </td>
              <td className="wraps">
                {operation === null ? <span className="t3">none</span> : <Mono>{operation}</Mono>}
              </td>
              <td className={operation === null ? 'num t3' : 'num'}>{formatBounds(calls)}</td>
              <td className={operation === null ? 'num t3' : 'num'}>
                {credits === null ? notPublished : formatNumber(credits.least)}
              </td>
              <td className={operation === null ? 'num t3' : 'num'}>
                {credits === null ? notPublished : formatNumber(credits.most)}
              </td>
            </tr>
          ))}
          <tr className="batch-total">
            <td />
            <td className="b">Credits</td>
            <td />
            <td className="num b">{formatBounds(plan.calls)}</td>
            <td className="num b">{plan.credits === null ? notPublished : formatNumber(plan.credits.least)}</td>
            <td className="num b">{plan.credits === null ? notPublished : formatNumber(plan.credits.most)}</td>
          </tr>
        </tbody>
      </table>
      {plan.notes.map((note) => (
        <p key={note} className="sm t3 batch-under">
          {legible(note)}
        </p>
      ))}
    </section>
  );
}
