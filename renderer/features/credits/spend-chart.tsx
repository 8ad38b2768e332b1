import { SegmentedControl } from '@mantine/core';
import { memo, useMemo } from 'react';
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import type { CreditHistory, SpendGrouping } from '../../../shared/domain/credits-history.ts';
import { formatCredits, formatDate, formatNumber } from '../../lib/format.ts';
import { axisLook, dayMonth, everyFew, levelLines, ticksUpTo } from './chart-axis.ts';
import { ChartFrame, Legend } from './chart-frame.tsx';
import { ChartTip } from './chart-tip.tsx';

export interface SpendChartProps {
  history: CreditHistory;
  by: SpendGrouping;
  onBy: (by: SpendGrouping) => void;
}

const colours = ['var(--series-1)', 'var(--series-2)', 'var(--series-3)', 'var(--held-mark)', 'var(--series-0)'];
const dayText = (day: string): string => dayMonth.format(new Date(`${day}T00:00:00`));
const unexplained = 'unexplained';

/** What was spent on each day, or in each week of a long range, stacked; what no call explains stands on top. */
export const SpendChart = memo(function SpendChart({ history, by, onBy }: SpendChartProps) {
  const { bars, series, barDays } = history;
  const unit = barDays === 1 ? 'day' : 'week';
  const some = bars.some((bar) => bar.unexplained > 0);
  const rows = useMemo(
    () =>
      bars.map((bar) => ({
        day: bar.day,
        ...Object.fromEntries(series.map((name, index) => [`p${index}`, bar.parts[name] ?? 0])),
        [unexplained]: bar.unexplained,
      })),
    [bars, series],
  );
  const totals = bars.map((bar) => Object.values(bar.parts).reduce((sum, part) => sum + part, 0) + bar.unexplained);
  const ticks = ticksUpTo(Math.max(0, ...totals));
  const table = () => ({
    head: [barDays === 1 ? 'Day' : 'Week from', ...series, 'Unexplained', 'Came in'],
    rows: bars.map((bar) => [
      formatDate(bar.day),
      ...series.map((name) => formatNumber(bar.parts[name] ?? 0)),
      formatNumber(bar.unexplained),
      formatNumber(bar.added),
    ]),
  });
  const sum = totals.reduce((all, one) => all + one, 0);
  return (
    <ChartFrame
      title={`Spend a ${unit}`}
      summary={`Spend a ${unit} by ${by}: ${formatCredits(sum)} in all, ${formatNumber(bars.reduce((all, bar) => all + bar.unexplained, 0))} of them explained by no call of this console.`}
      table={table}
      legend={null}
      tools={
        <SegmentedControl
          className="mini"
          aria-label="Spend by"
          value={by}
          onChange={(value) => onBy(value as SpendGrouping)}
          data={[
            { value: 'key', label: 'Key' },
            { value: 'operation', label: 'Operation' },
            { value: 'source', label: 'Source' },
          ]}
        />
      }
    >
      <ResponsiveContainer width="100%" height={176}>
        <BarChart data={rows} margin={{ top: 6, right: 14, bottom: 0, left: 0 }} accessibilityLayer={false}>
          <CartesianGrid {...levelLines} />
          <XAxis
            dataKey="day"
            tickFormatter={dayText}
            ticks={everyFew(
              bars.map(({ day }) => day),
              6,
            )}
            {...axisLook}
          />
          <YAxis
            width={36}
            ticks={ticks}
            domain={[0, ticks.at(-1) ?? 1]}
            tickFormatter={(value: number) => formatNumber(value)}
            {...axisLook}
          />
          <Tooltip
            content={
              <ChartTip labelText={(label) => `${barDays === 7 ? 'Week from ' : ''}${formatDate(String(label))}`} />
            }
            cursor={{ fill: 'var(--hover)' }}
            isAnimationActive={false}
          />
          {series.map((name, index) => (
            <Bar
              key={name}
              dataKey={`p${index}`}
              name={name}
              stackId="spend"
              fill={colours[index % colours.length] ?? 'var(--series-0)'}
              stroke="var(--surface)"
              maxBarSize={16}
              isAnimationActive={false}
            />
          ))}
          {some && (
            <Bar
              dataKey={unexplained}
              name="unexplained"
              stackId="spend"
              fill="var(--warn-mark)"
              stroke="var(--surface)"
              maxBarSize={16}
              isAnimationActive={false}
            />
          )}
        </BarChart>
      </ResponsiveContainer>
      <div className="row wrap xs t2 credits-legend">
        {series.map((name, index) => (
          <Legend key={name} mark={`b${index % colours.length}`}>
            {name}
          </Legend>
        ))}
        {some && <Legend mark="warn">unexplained</Legend>}
        {series.length === 0 && !some && <span className="t3">Nothing spent in this range.</span>}
      </div>
    </ChartFrame>
  );
});
