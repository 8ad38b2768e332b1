import type { BalancePoint, BalanceStream, CreditHistory, RunOut } from '../../../../shared/domain/credits-history.ts';
import { countOf, formatCredits, formatDate, formatNumber, formatWhen } from '../../../lib/text/format.ts';
import { lineName, sortLines } from './chart-data.ts';
import type { TableData } from './chart-frame.tsx';

/** The balance chart in a sentence, for who does not see it. Pure. */
export function summariseBalance(history: CreditHistory, gaps: number, cone: RunOut | null): string {
  const main = sortLines(history.lines)[0];
  const first = main?.points[0];
  const last = main?.points.at(-1);
  if (!first || !last) return 'Balance over time: no readings in this range.';
  const ahead =
    cone?.kind === 'runs-out' && cone.likely !== null ? ` Likely to run out on ${formatDate(cone.likely)}.` : '';
  return `Balance over time: ${formatCredits(first.credits)} ${formatWhen(first.at)}, ${formatNumber(last.credits)} ${formatWhen(last.at)}; ${countOf(gaps, 'gap')} without readings.${ahead}`;
}

/** Its readings as a table. Pure. */
export const balanceTable = (
  points: readonly (BalancePoint & BalanceStream)[],
  streams: readonly BalanceStream[],
): TableData => ({
  head: ['Time', 'Source', 'Credits left', 'No reading since'],
  rows: points.map(({ at, credits, gapSince, ...stream }) => [
    formatWhen(at),
    lineName(stream, streams),
    formatNumber(credits),
    gapSince === null ? 'no gap' : formatWhen(gapSince),
  ]),
});
