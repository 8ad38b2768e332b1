import { Select } from '@mantine/core';
import { memo, useMemo } from 'react';
import type { CreditHistory, SpendBar, SpendGrouping } from '../../../../shared/domain/credits/credits-history.ts';
import { countOf, formatCredits, formatDate, formatNumber } from '../../../lib/text/format.ts';
import { spendSums } from './chart-data.ts';
import { ChartFrame, Legend } from './chart-frame.tsx';
import { Plot } from './plot.tsx';
import { SpendDrawing } from './spend-drawing.tsx';

interface SpendChartProps {
  history: CreditHistory;
  by: SpendGrouping;
  /** What is drawn is the previous range or grouping; the chosen one is being read. */
  reading: boolean;
  onBy: (by: SpendGrouping) => void;
}

const colours = ['var(--series-1)', 'var(--series-2)', 'var(--series-3)', 'var(--good-mark)', 'var(--series-0)'];
/** A series is named by the service or by a person: “constructor” must not be found in every bar. */
const partOf = (bar: SpendBar, name: string): number => (Object.hasOwn(bar.parts, name) ? (bar.parts[name] ?? 0) : 0);
const margins = { left: 36, right: 14 };

/** What was spent on each day, or in each week of a long range, stacked; what no call explains is on top. */
export const SpendChart = memo(function SpendChart({ history, by, reading, onBy }: SpendChartProps) {
  const { bars, series, barDays, balances } = history;
  const unit = barDays === 1 ? 'day' : 'week';
  const some = bars.some((bar) => bar.unexplained > 0);
  const parts = useMemo(
    () => [
      ...series.map((name, index) => ({
        name,
        colour: colours[index % colours.length] ?? 'var(--series-0)',
        of: (bar: SpendBar) => partOf(bar, name),
      })),
      ...(some
        ? [{ name: 'unexplained', colour: 'var(--warn-mark)', of: (bar: SpendBar) => Math.max(0, bar.unexplained) }]
        : []),
    ],
    [series, some],
  );
  const sums = spendSums(bars);
  const ofUnknownCost = sums.unpriced > 0 ? `${countOf(sums.unpriced, 'call')} of unknown cost in no bar` : '';
  const ofSeveral = balances > 1 ? 'What no call explains is from balances that may be the same one' : '';
  const table = () => ({
    head: [barDays === 1 ? 'Day' : 'Week from', ...series, 'Unexplained', 'Calls of unknown cost', 'Came in'],
    rows: bars.map((bar) => [
      formatDate(bar.day),
      ...series.map((name) => formatNumber(partOf(bar, name))),
      formatNumber(bar.unexplained),
      formatNumber(bar.unpriced),
      formatNumber(bar.added),
    ]),
  });
  return (
    <ChartFrame
      title={`Spend a ${unit}`}
      summary={`Spend a ${unit}${reading ? '' : ` by ${by === 'source' ? 'interface' : by}`}: ${formatCredits(sums.all)} in all, ${formatNumber(sums.unexplained)} of them explained by no call of this console.${ofSeveral && ` ${ofSeveral}.`}${ofUnknownCost && ` ${ofUnknownCost}.`}`}
      table={table}
      legend={null}
      tools={
        <Select
          className="mini"
          aria-label="Spend by"
          w={116}
          value={by}
          onChange={(value) => onBy(value as SpendGrouping)}
          data={[
            { value: 'key', label: 'by key' },
            { value: 'operation', label: 'by operation' },
            { value: 'source', label: 'by interface' },
            { value: 'person', label: 'by person' },
          ]}
        />
      }
    >
      <Plot height={136} margins={margins}>
        {(space) => <SpendDrawing space={space} bars={bars} barDays={barDays} parts={parts} />}
      </Plot>
      <div className="row wrap xs t2 credits-legend">
        {series.map((name, index) => (
          <Legend key={name} mark={`b${index % colours.length}`}>
            {name}
          </Legend>
        ))}
        {some && <Legend mark="warn">unexplained</Legend>}
        {ofSeveral && <span className="t3">{ofSeveral}</span>}
        {ofUnknownCost && <span className="t3">{ofUnknownCost}</span>}
        {series.length === 0 && !some && !ofUnknownCost && (
          <span className="t3">{reading ? 'Reading the history…' : 'Nothing spent in this range.'}</span>
        )}
      </div>
    </ChartFrame>
  );
});
