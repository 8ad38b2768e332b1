import { memo, useMemo, useRef, useState } from 'react';
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
import type { CreditHistory, Forecast, RunOut } from '../../../shared/domain/credits-history.ts';
import { countOf, formatDate, formatNumber, formatWhen } from '../../lib/format.ts';
import { BrushHandles, type Ends } from './brush-handles.tsx';
import {
  balanceChart,
  dayTicks,
  levelLines,
  lineName,
  pointsOf,
  sortLines,
  tickAsGiven,
  ticksUpTo,
} from './chart-data.ts';
import { ChartFrame, Legend } from './chart-frame.tsx';
import { ChartTip } from './chart-tip.tsx';
import type { Range } from './queries.ts';

export interface BalanceChartProps {
  history: CreditHistory;
  forecast: Forecast | undefined;
  thresholds: readonly { credits: number; name: string; tone: 'warn' | 'danger' }[];
  onBrush: (range: Range) => void;
}

const colours = ['var(--series-1)', 'var(--held-mark)', 'var(--series-3)', 'var(--series-0)', 'var(--series-2)'];
const dayMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const axis = {
  tickLine: false,
  axisLine: false,
  tickMargin: 4,
  tick: { fontSize: 11, fill: 'var(--text-3)' },
  ...tickAsGiven,
};

/** The whole account's rate tells when credits end; where it is not known, this console's does. */
const coneOf = (forecast: Forecast | undefined): RunOut | null =>
  forecast?.account?.kind === 'range' ? forecast.account : (forecast?.console ?? null);

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
  const table = () => ({
    head: ['Time', 'Source', 'Credits left', 'No reading since'],
    rows: points.map(({ at, credits, gapSince, ...stream }) => [
      formatWhen(at),
      lineName(stream, streams),
      formatNumber(credits),
      gapSince === null ? 'no gap' : formatWhen(gapSince),
    ]),
  });
  return (
    <ChartFrame
      title="Balance"
      summary={summarise(history, data.gaps.length, cone)}
      table={table}
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
              {...axis}
            />
            <YAxis
              width={44}
              domain={[0, ticks.at(-1) ?? 1]}
              ticks={ticks}
              tickFormatter={(value: number) => formatNumber(value)}
              {...axis}
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

function summarise(history: CreditHistory, gaps: number, cone: RunOut | null): string {
  const main = sortLines(history.lines)[0];
  const first = main?.points[0];
  const last = main?.points.at(-1);
  if (!first || !last) return 'Balance over time: no readings in this range.';
  const ahead =
    cone?.kind === 'range' && cone.likely !== null ? ` Likely to run out on ${formatDate(cone.likely)}.` : '';
  return `Balance over time: ${formatNumber(first.credits)} credits ${formatWhen(first.at)}, ${formatNumber(last.credits)} ${formatWhen(last.at)}; ${countOf(gaps, 'gap')} without readings.${ahead}`;
}

/** Dragging over the chart chooses a range. Keys have the handles, and the two date fields above. */
function useBrush(domain: [number, number], onBrush: (range: Range) => void) {
  const box = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ start: number; now: number } | null>(null);
  const timeAt = (clientX: number): number => {
    const plot = box.current?.querySelector('.recharts-cartesian-grid')?.getBoundingClientRect();
    if (!plot || plot.width === 0) return domain[0];
    const part = Math.min(1, Math.max(0, (clientX - plot.left) / plot.width));
    return domain[0] + part * (domain[1] - domain[0]);
  };
  const drawn: [number, number] | null =
    drag && drag.start !== drag.now ? [Math.min(drag.start, drag.now), Math.max(drag.start, drag.now)] : null;
  return {
    box,
    drawn,
    handlers: {
      onPointerDown: (event: React.PointerEvent<HTMLDivElement>) => {
        if (event.button !== 0) return;
        const t = timeAt(event.clientX);
        setDrag({ start: t, now: t });
      },
      onPointerMove: (event: React.PointerEvent<HTMLDivElement>) => {
        if (drag) setDrag({ ...drag, now: timeAt(event.clientX) });
      },
      onPointerUp: () => {
        // Less than a hundredth of the width is a click.
        if (drawn && drawn[1] - drawn[0] > (domain[1] - domain[0]) / 100)
          onBrush({ from: new Date(drawn[0]).toISOString(), to: new Date(drawn[1]).toISOString() });
        setDrag(null);
      },
      onPointerLeave: () => setDrag(null),
    },
  };
}
