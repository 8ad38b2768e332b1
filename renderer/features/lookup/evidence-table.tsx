import type { Evidence } from '../../../shared/contract/credits.ts';
import type { SpendVerdict } from '../../../shared/domain/credits.ts';
import { formatClock, formatCredits, formatNumber } from '../../lib/format.ts';

const unproved: ReadonlySet<SpendVerdict> = new Set<SpendVerdict>([
  'not-read',
  'more',
  'less',
  'unsettled',
  'unexplained',
]);

/** Whether a verdict leaves the question open. */
export const isOpen = (verdict: SpendVerdict): boolean => unproved.has(verdict);

/** "−1": from the first to the last reading; null where there are not two. */
function movement(evidence: Evidence): number | null {
  const readings = evidence.rows.flatMap((row) => (row.credits === null ? [] : [row.credits]));
  const first = readings[0];
  const last = readings.at(-1);
  return readings.length < 2 || first === undefined || last === undefined ? null : last - first;
}

/** What was sent, read and not answered, in order of time, with the verdict under it. */
export function EvidenceTable({ evidence }: { evidence: Evidence }) {
  const moved = movement(evidence);
  const lost = evidence.verdict === 'charged-answer-lost';
  const verdictRow = isOpen(evidence.verdict) ? 'warn-row' : lost ? 'lookup-lost' : 'lookup-sure';
  return (
    <>
      <p className="sm t3">
        {evidence.operation} {evidence.subject}, expected {formatCredits(evidence.expected, 'price not published')}
      </p>
      <table className="tbl tight evidence lookup-evidence" aria-label="Evidence">
        <colgroup>
          <col style={{ width: 92 }} />
          <col />
          <col style={{ width: 96 }} />
        </colgroup>
        <tbody>
          {evidence.rows.map((row, index) => {
            const before =
              evidence.rows.slice(0, index).findLast((earlier) => earlier.credits !== null)?.credits ?? null;
            const changed = row.credits !== null && before !== null && row.credits !== before;
            return (
              <tr key={`${row.at}/${row.text}`}>
                <td className="t2 tn">{formatClock(row.at)}</td>
                <td>{row.text}</td>
                <td className={changed ? 'num b' : 'num'}>{row.credits === null ? '' : formatNumber(row.credits)}</td>
              </tr>
            );
          })}
          <tr className={verdictRow}>
            <td className="t2">Verdict</td>
            <td className="m">{evidence.conclusion}</td>
            <td className="num b">{moved === null ? '' : formatNumber(moved)}</td>
          </tr>
        </tbody>
      </table>
    </>
  );
}
