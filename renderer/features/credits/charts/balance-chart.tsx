import { scaleLinear } from 'd3-scale';
import { memo, useMemo, useState } from 'react';
import type {
  BalancePoint,
  BalanceStream,
  CreditHistory,
  Forecast,
  RunOut,
} from '../../../../shared/domain/credits/credits-history.ts';
import { countOf, formatCredits, formatDate, formatNumber, formatWhen } from '../../../lib/text/format.ts';
import type { Range } from '../queries.ts';
import { BalanceDrawing, lineColours, type Threshold } from './balance-drawing.tsx';
import { BrushHandles, type Ends, useBrush } from './brush-handles.tsx';
import { balanceChart, coneOf, lineName, pointsOf, sortLines } from './chart-data.ts';
import { ChartFrame, Legend, type TableData } from './chart-frame.tsx';
import { Plot, type Space } from './plot.tsx';

interface BalanceChartProps {
  history: CreditHistory;
  forecast: Forecast | undefined;
  thresholds: readonly Threshold[];
  onBrush: (range: Range) => void;
}

const margins = { left: 44, right: 8 };

/**
 * The balance over time, with times without a reading hatched, and its forecast. It shows the range that its history covers, so
 * that a change of range draws it once, when the answer arrives.
 */
export const BalanceChart = memo(function BalanceChart({ history, forecast, thresholds, onBrush }: BalanceChartProps) {
  const from = Date.parse(history.from);
  const to = Date.parse(history.to);
  // The forecast is drawn only if the range ends now.
  const upToNow = useMemo(() => to >= Date.now(), [to]);
  const cone = upToNow ? coneOf(forecast) : null;
  const data = useMemo(() => balanceChart(history, cone, from, to), [history, cone, from, to]);
  const since = history.since === null ? from : Math.max(from, Date.parse(history.since));
  const start = Math.min(since, to);
  const domain = useMemo((): [number, number] => [start, data.end], [start, data.end]);
  const streams = sortLines(history.lines).filter(({ points }) => points.length > 0);
  const brush = useBrush(domain, margins, onBrush);
  const [byKeys, setByKeys] = useState<Ends | null>(null);
  const chosen = brush.drawn ?? byKeys;
  const expires = forecast?.expires == null ? null : endOfDay(forecast.expires);
  const points = useMemo(() => pointsOf(history), [history]);
  return (
    <ChartFrame
      title="Balance"
      summary={summariseBalance(history, data.gaps.length, cone)}
      table={() => balanceTable(points, streams)}
      handles={<BrushHandles domain={domain} moved={byKeys} onMove={setByKeys} onBrush={onBrush} />}
      legend={
        <>
          {streams.map((stream, index) => (
            <Legend
              key={`${stream.source} ${stream.label} ${stream.keyLastFour}`}
              mark={`line c${index % lineColours.length}`}
            >
              {streams.length === 1 ? 'read' : lineName(stream, streams)}
            </Legend>
          ))}
          {cone?.kind === 'runs-out' && (
            <Legend mark="cone">{cone.noRange === null ? 'forecast, 80 % range' : 'forecast'}</Legend>
          )}
          {data.gaps.length > 0 && <Legend mark="gap">no readings</Legend>}
        </>
      }
    >
      <div className="credits-brush" ref={brush.box} {...brush.handlers}>
        <Plot height={156} margins={margins}>
          {(space) => (
            <>
              <BalanceDrawing
                space={space}
                data={data}
                domain={domain}
                to={to}
                thresholds={thresholds}
                expires={expires}
              />
              {chosen && <ChosenRange space={space} domain={domain} ends={chosen} />}
            </>
          )}
        </Plot>
      </div>
    </ChartFrame>
  );
});

/** The moment after a day (YYYY-MM-DD) of this computer's zone. */
function endOfDay(day: string): number {
  const [year = 1970, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + 1).getTime();
}

/** The area of a range being drawn, in a layer above the chart, so that the chart is not drawn again. */
function ChosenRange({ space, domain, ends }: { space: Space; domain: Ends; ends: Ends }) {
  const x = scaleLinear(domain, [space.left, space.right]);
  const [left, right] = [x(ends[0]), x(ends[1])];
  return (
    <div
      className="credits-chosen"
      style={{ left, top: space.top, width: right - left, height: space.bottom - space.top }}
    />
  );
}

/** The balance chart in a sentence, for screen readers. Pure. */
function summariseBalance(history: CreditHistory, gaps: number, cone: RunOut | null): string {
  const main = sortLines(history.lines)[0];
  const first = main?.points[0];
  const last = main?.points.at(-1);
  if (!first || !last) return 'Balance over time: no readings in this range.';
  const ahead =
    cone?.kind === 'runs-out' && cone.likely !== null ? ` Likely to run out on ${formatDate(cone.likely)}.` : '';
  return `Balance over time: ${formatCredits(first.credits)} ${formatWhen(first.at)}, ${formatNumber(last.credits)} ${formatWhen(last.at)}; ${countOf(gaps, 'gap')} without readings.${ahead}`;
}

/** Its readings as a table. Pure. */
const balanceTable = (
  points: readonly (BalancePoint & BalanceStream)[],
  streams: readonly BalanceStream[],
): TableData => ({
  head: ['Time', 'Source', 'Credits left', 'No reading before it'],
  rows: points.map(({ at, credits, gap, ...stream }) => [
    formatWhen(at),
    lineName(stream, streams),
    formatNumber(credits),
    gap === null ? 'no gap' : `${formatWhen(gap.since)} to ${formatWhen(gap.until)}`,
  ]),
});
