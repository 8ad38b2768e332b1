import { scaleBand, scaleLinear } from 'd3-scale';
import { stack } from 'd3-shape';
import { memo, useMemo } from 'react';
import type { SpendBar } from '../../../../shared/domain/credits/credits-history.ts';
import { dayMonth, formatDate, formatNumber } from '../../../lib/text/format.ts';
import { everyFew, ticksUpTo } from './chart-axis.ts';
import { type Tip, TipLayer } from './chart-tip.tsx';
import { Axes, type Space } from './plot.tsx';

interface SpendDrawingProps {
  space: Space;
  bars: readonly SpendBar[];
  barDays: number;
  /** From the bottom to the top. */
  parts: readonly { name: string; colour: string; of: (bar: SpendBar) => number }[];
}

const widest = 16;

/** A part's boxes as one shape: a year has hundreds, and the page lays out and paints each shape separately. */
const boxes = (all: readonly { x: number; top: number; bottom: number }[], width: number): string =>
  all.map(({ x, top, bottom }) => `M${x},${top}h${width}V${bottom}h${-width}Z`).join('');

/** Bars of days or weeks with their parts stacked. */
export const SpendDrawing = memo(function SpendDrawing({ space, bars, barDays, parts }: SpendDrawingProps) {
  const { x, y, ticks, drawn, width } = useMemo(() => {
    const stacked = stack<SpendBar, number>()
      .keys(parts.keys())
      .value((bar, part) => parts[part]?.of(bar) ?? 0)(bars);
    const ticks = ticksUpTo(Math.max(0, ...(stacked.at(-1) ?? []).map(([, top]) => top)));
    const x = scaleBand(
      bars.map(({ day }) => day),
      [space.left, space.right],
    );
    const y = scaleLinear([0, ticks.at(-1) ?? 1], [space.bottom, space.top]);
    const width = Math.min(widest, x.bandwidth() * 0.8);
    const drawn = stacked.map((layer) =>
      boxes(
        layer.flatMap((box) => {
          const [from, to] = box;
          const left = (x(box.data.day) ?? 0) + (x.bandwidth() - width) / 2;
          return to > from ? [{ x: left, top: y(to), bottom: y(from) }] : [];
        }),
        width,
      ),
    );
    return { x, y, ticks, drawn, width };
  }, [space, bars, parts]);
  const middle = (day: string): number => (x(day) ?? 0) + x.bandwidth() / 2;
  const find = (at: number): Tip | null => {
    const bar = bars[Math.floor((at - space.left) / x.step())];
    if (!bar) return null;
    return {
      x: middle(bar.day),
      width: x.bandwidth(),
      head: `${barDays === 7 ? 'Week from ' : ''}${formatDate(bar.day)}`,
      lines: parts.filter(({ of }) => of(bar) !== 0).map(({ name, of }) => ({ name, value: formatNumber(of(bar)) })),
    };
  };
  return (
    <>
      <svg width={space.width} height={space.height} aria-hidden="true">
        <Axes
          space={space}
          levels={ticks}
          y={y}
          feet={everyFew(bars, 6).map(({ day }) => ({
            key: day,
            x: middle(day),
            text: dayMonth.format(new Date(`${day}T00:00:00`)),
          }))}
        />
        {parts.map(({ name, colour }, index) => (
          <path key={name} d={drawn[index]} fill={colour} stroke="var(--surface)" strokeWidth={width < 4 ? 0 : 1} />
        ))}
      </svg>
      <TipLayer space={space} find={find} />
    </>
  );
});
