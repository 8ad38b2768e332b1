import { type PointerEvent, useState } from 'react';
import type { Space } from './plot.tsx';

/** The values under the pointer; the chart's table has them all. */
export interface Tip {
  /** The middle of what it describes, and the width of that; CSS pixels. */
  x: number;
  width: number;
  head: string;
  lines: readonly { name: string; value: string }[];
}

/** Follows the pointer over a plot in a layer of its own, so that the chart is not drawn again. */
export function TipLayer({ space, find }: { space: Space; find: (x: number) => Tip | null }) {
  const [at, setAt] = useState<number | null>(null);
  const tip = at === null ? null : find(at);
  const follow = (event: PointerEvent<HTMLDivElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left + space.left;
    // Hidden while a button is pressed: it would cover the range being drawn.
    setAt(event.buttons === 0 ? x : null);
  };
  const left = space.left;
  return (
    <div
      className="credits-tips"
      style={{ left, top: space.top, width: space.right - left, height: space.bottom - space.top }}
      onPointerMove={follow}
      onPointerLeave={() => setAt(null)}
    >
      {tip && tip.lines.length > 0 && (
        <>
          <div
            className={tip.width > 1 ? 'credits-cursor wide' : 'credits-cursor'}
            style={{ left: tip.x - tip.width / 2 - left, width: tip.width }}
          />
          <div
            className="credits-tip"
            style={tip.x < (left + space.right) / 2 ? { left: tip.x - left + 10 } : { right: space.right - tip.x + 10 }}
          >
            <div className="xs t2">{tip.head}</div>
            {tip.lines.map(({ name, value }) => (
              <div key={name} className="row between g12 sm">
                <span>{name}</span>
                <span className="tn m">{value}</span>
              </div>
            ))}
          </div>
        </>
      )}
    </div>
  );
}
