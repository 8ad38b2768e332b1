import { bisector } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { area, line } from 'd3-shape';
import { memo, useMemo } from 'react';
import { formatNumber, formatWhen, formatWhole } from '../../../lib/text/format.ts';
import { ticksUpTo, timeTicks } from './chart-axis.ts';
import type { BalanceChartData, ChartLine, ChartRow } from './chart-data.ts';
import { type Tip, TipLayer } from './chart-tip.tsx';
import { Axes, LevelMark, MomentMark, type Space } from './plot.tsx';

export interface Threshold {
  credits: number;
  name: string;
  tone: 'warn' | 'danger';
}

interface BalanceDrawingProps {
  space: Space;
  data: BalanceChartData;
  /** `domain`: the time axis; `to`: the end of what is known; milliseconds since 1970. */
  domain: readonly [number, number];
  to: number;
  thresholds: readonly Threshold[];
  /** When credits expire; milliseconds since 1970. */
  expires: number | null;
}

export const lineColours = [
  'var(--series-1)',
  'var(--good-mark)',
  'var(--series-3)',
  'var(--series-0)',
  'var(--series-2)',
];
const colourOf = (index: number): string => lineColours[index % lineColours.length] ?? 'var(--series-1)';

const nearest = bisector((row: ChartRow) => row.t).center;

/** The balance and its forecast, over hatched areas for times without a reading. */
export const BalanceDrawing = memo(function BalanceDrawing(props: BalanceDrawingProps) {
  const { space, data, domain, to, thresholds, expires } = props;
  const [first, last] = domain;
  const drawn = useMemo(() => {
    const near = thresholds.map(({ credits }) => credits).filter((credits) => credits < data.top * 2);
    const levels = ticksUpTo(Math.max(data.top, ...near, 1), data.bottom);
    const x = scaleLinear([first, last], [space.left, space.right]);
    const y = scaleLinear([levels[0] ?? 0, levels.at(-1) ?? 1], [space.bottom, space.top]);
    const along = line<ChartLine['samples'][number]>(({ t }) => x(t)).y(({ credits }) => y(credits));
    const lines = data.lines.map((one) => ({ ...one, path: along(one.samples) ?? '' }));
    const ahead = data.rows.filter((row) => row.likely !== undefined);
    const cone = area<ChartRow>((row) => x(row.t))
      .y0((row) => y(row.cone?.[0] ?? 0))
      .y1((row) => y(row.cone?.[1] ?? 0))(ahead.filter((row) => row.cone !== undefined));
    const likely = line<ChartRow>((row) => x(row.t)).y((row) => y(row.likely ?? 0))(ahead);
    return { levels, x, y, lines, cone: cone ?? '', likely: likely ?? '' };
  }, [space, data, first, last, thresholds]);
  const { levels, x, y, lines } = drawn;
  const find = (at: number): Tip | null => {
    const row = data.rows[nearest(data.rows, x.invert(at))];
    if (!row) return null;
    return {
      x: x(row.t),
      width: 1,
      head: formatWhen(new Date(row.t).toISOString()),
      lines: [
        ...(row.cone === undefined
          ? []
          : [
              {
                name: 'forecast, 80 % range',
                value: row.cone.map(formatWhole).join(' to '),
              },
            ]),
        ...data.lines.flatMap(({ key, name }) => {
          const value = row[key];
          return typeof value === 'number' ? [{ name, value: formatNumber(value) }] : [];
        }),
        ...(row.likely === undefined ? [] : [{ name: 'likely', value: formatWhole(row.likely) }]),
      ],
    };
  };
  const within = (moment: number): boolean => moment >= first && moment <= last;
  return (
    <>
      <svg width={space.width} height={space.height} aria-hidden="true">
        <defs>
          <pattern id="credits-gap" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <line x1="0" y1="0" x2="0" y2="5" stroke="var(--line-2)" strokeWidth="2" />
          </pattern>
          <clipPath id="credits-plot">
            {/* Three pixels more at the left: the dot of a first reading. */}
            <rect x={space.left - 3} y={0} width={space.right - space.left + 3} height={space.bottom + 1} />
          </clipPath>
        </defs>
        <Axes
          space={space}
          levels={levels}
          y={y}
          feet={timeTicks(first, last).map(({ at, text }) => ({ key: at, x: x(at), text }))}
        />
        <g clipPath="url(#credits-plot)" fill="none">
          {data.gaps.map((gap) => (
            <rect
              key={gap.from}
              x={x(gap.from)}
              y={space.top}
              width={x(gap.to) - x(gap.from)}
              height={space.bottom - space.top}
              fill="url(#credits-gap)"
            />
          ))}
          <path d={drawn.cone} fill="var(--series-2)" fillOpacity={0.24} />
          {lines.map(({ key, index, samples, path }) => (
            <path
              key={key}
              className="credits-line"
              d={path}
              stroke={colourOf(index)}
              // A line of one reading has no length: its round cap draws a dot.
              strokeWidth={samples.length === 1 ? 5 : index === 0 ? 1.75 : 1.25}
              strokeLinecap={samples.length === 1 ? 'round' : 'butt'}
            />
          ))}
          <path d={drawn.likely} stroke="var(--series-1)" strokeWidth={1.25} strokeDasharray="3 3" />
        </g>
        {thresholds
          .filter(({ credits }) => credits <= (levels.at(-1) ?? 0))
          .map(({ credits, name, tone }) => (
            <LevelMark key={name} space={space} y={y(credits)} name={name} colour={`var(--${tone}-mark)`} />
          ))}
        {last > to && <MomentMark space={space} x={x(to)} name="today" colour="var(--mark-line)" />}
        {expires !== null && within(expires) && (
          <MomentMark space={space} x={x(expires)} name="expire" colour="var(--warn-mark)" />
        )}
      </svg>
      <TipLayer space={space} find={find} />
    </>
  );
});
