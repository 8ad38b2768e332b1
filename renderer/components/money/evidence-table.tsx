import { toSecond } from '../../../shared/claims/moment.ts';
import type { Evidence } from '../../../shared/contract/credits.ts';
import { formatClock, formatDate, formatNumber, formatPublished, zonesOf } from '../../lib/text/format.ts';
import { ClaimSentences, toneOfClaims } from './money-claims.tsx';

/** What was sent, read and not answered, in order of time, and below it the claims about the call. */
export function EvidenceTable({ evidence }: { evidence: Evidence }) {
  const { at, claims, expected, operation, subject } = evidence;
  const tone = toneOfClaims(claims);
  return (
    <>
      <p className="sm t2">
        {`${operation} ${subject}`.trim()}, {formatPublished(expected)}, {formatDate(at)}
      </p>
      <EvidenceRows evidence={evidence} />
      {claims.length > 0 && (
        <div className={tone === undefined ? 'notice' : `notice ${tone}`}>
          <div className="col g4">
            <ClaimSentences claims={claims} />
          </div>
        </div>
      )}
    </>
  );
}

type EvidenceRow = Evidence['rows'][number];

/**
 * Readings that decide nothing: taken while a charge could still come, or saying no more than the two that count. Those are, of each key,
 * the first one that ended after the span of a sentence begins, and the last one that ended within it. None if no sentence names a span.
 */
function quietSamples({ rows, claims }: Pick<Evidence, 'rows' | 'claims'>): ReadonlySet<EvidenceRow> {
  const samples = rows.filter(({ credits }) => credits !== null);
  const byKey = [...Map.groupBy(samples, ({ text }) => text).values()];
  const counting = claims.flatMap((claim) =>
    'from' in claim
      ? byKey.flatMap((ofKey) => [
          ofKey.find(({ at }) => toSecond(at) >= claim.from),
          ofKey.findLast(({ at }) => toSecond(at) <= claim.to),
        ])
      : [],
  );
  return new Set(counting.length === 0 ? [] : samples.filter((one) => !counting.includes(one)));
}

/** The facts without the claims about them, for places that show the claims elsewhere. */
export function EvidenceRows({ evidence: { rows, claims } }: { evidence: Evidence }) {
  const isOfDays = new Set(rows.map(({ at }) => formatDate(at))).size > 1;
  const day = (at: string) => (isOfDays ? `${formatDate(at).replace(/ \d{4}$/, '')} ` : '');
  const quiet = quietSamples({ rows, claims });
  // The text of a reading names its key if there are several: only figures of one key are compared.
  const changed = ({ text, credits }: EvidenceRow, index: number) => {
    const before = rows.slice(0, index).findLast((earlier) => earlier.credits !== null && earlier.text === text);
    return credits !== null && before !== undefined && credits !== before.credits;
  };
  return (
    <table className="tbl tight evidence" aria-label="Evidence">
      <colgroup>
        <col style={{ width: 88 }} />
        <col />
        <col style={{ width: 76 }} />
      </colgroup>
      <thead>
        <tr>
          <th scope="col" className="wraps">
            Time, {zonesOf(rows.map(({ at }) => at))}
          </th>
          <th scope="col">What</th>
          <th scope="col" className="num">
            Balance
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={`${row.at} ${row.text}`} className={quiet.has(row) ? 'quiet' : undefined}>
            <td className="t2 tn wraps">{day(row.at) + formatClock(row.at)}</td>
            <td className="wraps">{row.text}</td>
            <td className={changed(row, index) ? 'num b' : 'num'}>
              {row.credits === null ? '' : formatNumber(row.credits)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
