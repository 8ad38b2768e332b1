import { memo, useMemo, useState } from 'react';
import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceArea,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import type { CreditHistory, Forecast } from '../../../shared/domain/credits-history.ts';
import { formatNumber } from '../../lib/format.ts';
import { balanceTable, summariseBalance } from './balance-words.ts';
import { BrushHandles, type Ends } from './brush-handles.tsx';
import { axisLook, dayMonth, dayTicks, levelLines, ticksUpTo } from './chart-axis.ts';
import { balanceChart, coneOf, lineName, pointsOf, sortLines } from './chart-data.ts';
import { ChartFrame, Legend } from './chart-frame.tsx';
import { ChartTip } from './chart-tip.tsx';
import type { Range } from './queries.ts';
import { useBrush } from './use-brush.ts';

export interface BalanceChartProps {
  history: CreditHistory;
  forecast: Forecast | undefined;
  thresholds: readonly { credits: number; name: string; tone: 'warn' | 'danger' }[];
  onBrush: (range: Range) => void;
}

const colours = ['var(--series-1)', 'var(--held-mark)', 'var(--series-3)', 'var(--series-0)', 'var(--series-2)'];

/**
 * What was left over time, times without a reading hatched, and where it goes from here. It shows the range that its history is of, so
 * that a change of range draws it once, when the answer is there.
 */
export const BalanceChart = memo(function BalanceChart({ history, forecast, thresholds, onBrush }: BalanceChartProps) {
  const from = Date.parse(history.from);
  const to = Date.parse(history.to);
  // The range ends now: only then does the future follow it.
  const upToNow = useMemo(() => to >= Date.now(), [to]);
  const cone = upToNow ? coneOf(forecast) : null;
  const data = useMemo(() => balanceChart(history, cone, from, to), [history, cone, from, to]);
  const since = history.since === null ? from : Math.max(from, Date.parse(history.since));
  const domain: [number, number] = [Math.min(since, to), data.end];
  const top = Math.max(
    data.top,
    ...thresholds.map(({ credits }) => credits).filter((credits) => credits < data.top * 2),
    1,
  );
  const ticks = ticksUpTo(top);
  const streams = sortLines(history.lines).filter(({ points }) => points.length > 0);
  const brush = useBrush(domain, onBrush);
  const [byKeys, setByKeys] = useState<Ends | null>(null);
  const chosen = brush.drawn ?? byKeys;
  const expires = forecast?.expires == null ? null : Date.parse(`${forecast.expires}T00:00:00`);
  const points = useMemo(() => pointsOf(history), [history]);
  return (
    <ChartFrame
      title="Balance"
      summary={summariseBalance(history, data.gaps.length, cone)}
      table={() => balanceTable(points, streams)}
      handles={<BrushHandles domain={domain} onDraw={setByKeys} onBrush={onBrush} />}
      legend={
        <>
          {streams.map((stream, index) => (
            <Legend
              key={`${stream.source} ${stream.label} ${stream.keyLastFour}`}
              mark={`line c${index % colours.length}`}
            >
              {streams.length === 1 ? 'read' : lineName(stream, streams)}
            </Legend>
          ))}
          {cone?.kind === 'range' && <Legend mark="cone">forecast, 80 % range</Legend>}
          {data.gaps.length > 0 && <Legend mark="gap">no readings</Legend>}
        </>
      }
    >
      <div className="credits-brush" ref={brush.box} {...brush.handlers}>
        <ResponsiveContainer width="100%" height={196}>
          <ComposedChart data={data.rows} margin={{ top: 6, right: 8, bottom: 0, left: 0 }} accessibilityLayer={false}>
            <defs>
              <pattern
                id="credits-gap"
                width="5"
                height="5"
                patternUnits="userSpaceOnUse"
                patternTransform="rotate(45)"
              >
                <line x1="0" y1="0" x2="0" y2="5" stroke="var(--line-2)" strokeWidth="2" />
              </pattern>
            </defs>
            <CartesianGrid {...levelLines} />
            <XAxis
              dataKey="t"
              type="number"
              domain={domain}
              allowDataOverflow
              ticks={dayTicks(domain[0], domain[1], 6)}
              tickFormatter={(value: number) => dayMonth.format(value)}
              {...axisLook}
            />
            <YAxis
              width={44}
              domain={[0, ticks.at(-1) ?? 1]}
              ticks={ticks}
              tickFormatter={(value: number) => formatNumber(value)}
              {...axisLook}
            />
            <Tooltip
              content={<ChartTip />}
              cursor={{ stroke: 'var(--mark-line)' }}
              isAnimationActive={false}
              filterNull
            />
            {data.gaps.map((gap) => (
              <ReferenceArea
                key={gap.from}
                x1={gap.from}
                x2={gap.to}
                fill="url(#credits-gap)"
                fillOpacity={1}
                stroke="none"
              />
            ))}
            {cone?.kind === 'range' && (
              <Area
                dataKey="cone"
                name="forecast, 80 % range"
                type="linear"
                stroke="none"
                fill="var(--series-2)"
                fillOpacity={0.24}
                connectNulls
                isAnimationActive={false}
                activeDot={false}
              />
            )}
            {data.lines.map(({ key, stream, index, points: count }) => (
              <Line
                key={key}
                dataKey={key}
                name={lineName(stream, streams)}
                type="linear"
                stroke={colours[index % colours.length] ?? 'var(--series-1)'}
                strokeWidth={index === 0 ? 1.75 : 1.25}
                dot={count === 1 ? { r: 2.5, fill: colours[index % colours.length] ?? '' } : false}
                connectNulls
                isAnimationActive={false}
              />
            ))}
            {cone?.kind === 'range' && (
              <Line
                dataKey="likely"
                name="likely"
                type="linear"
                stroke="var(--series-1)"
                strokeWidth={1.25}
                strokeDasharray="3 3"
                dot={false}
                connectNulls
                isAnimationActive={false}
              />
            )}
            {thresholds
              .filter(({ credits }) => credits <= (ticks.at(-1) ?? 0))
              .map(({ credits, name, tone }) => (
                <ReferenceLine
                  key={name}
                  y={credits}
                  stroke={`var(--${tone}-mark)`}
                  strokeDasharray="4 3"
                  label={{ value: name, position: 'insideBottomLeft', offset: 4, fontSize: 11, fill: 'var(--text-2)' }}
                />
              ))}
            {data.end > to && (
              <ReferenceLine
                x={to}
                stroke="var(--mark-line)"
                label={{ value: 'today', position: 'insideTopRight', offset: 5, fontSize: 11, fill: 'var(--text-2)' }}
              />
            )}
            {expires !== null && expires >= domain[0] && expires <= domain[1] && (
              <ReferenceLine
                x={expires}
                stroke="var(--warn-mark)"
                label={{ value: 'expire', position: 'insideTopRight', offset: 5, fontSize: 11, fill: 'var(--text-2)' }}
              />
            )}
            {chosen && (
              <ReferenceArea x1={chosen[0]} x2={chosen[1]} fill="var(--accent)" fillOpacity={0.12} stroke="none" />
            )}
          </ComposedChart>
        </ResponsiveContainer>
      </div>
    </ChartFrame>
  );
});
