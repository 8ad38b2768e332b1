import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { levelTexts } from './chart-axis.ts';

/** A plot's place in its drawing, between the scale at the left and the days below; CSS pixels. */
export interface Space {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Room around a plot: the figures of the scale at the left, the days below. */
export interface Margins {
  left: number;
  right: number;
}

const above = 6;
const below = 30;

/** As wide as its container and drawn again when that changes; on a hidden screen it keeps its last width. */
export function Plot({
  height,
  margins,
  children,
}: {
  height: number;
  margins: Margins;
  children: (space: Space) => ReactNode;
}) {
  const [width, setWidth] = useState(0);
  const watch = useCallback((box: HTMLDivElement | null) => {
    if (!box) return;
    const measure = () => setWidth((last) => box.clientWidth || last);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  const { left, right } = margins;
  const space = useMemo(
    () => ({ width, height, left, right: Math.max(left + 1, width - right), top: above, bottom: height - below }),
    [width, height, left, right],
  );
  return (
    <div ref={watch} className="credits-canvas" style={{ height }}>
      {width > 0 && children(space)}
    </div>
  );
}

/** The middle of a pixel, at which a line of one pixel is sharp. */
const sharp = (place: number): number => Math.round(place) + 0.5;

interface AxesProps {
  space: Space;
  levels: readonly number[];
  y: (level: number) => number;
  feet: readonly { key: string | number; x: number; text: string }[];
}

/** Horizontal lines with their figures, and the labels below. */
export function Axes({ space, levels, y, feet }: AxesProps) {
  const texts = levelTexts(levels);
  return (
    <g className="credits-axes">
      {levels.map((level, index) => (
        <g key={level}>
          <line x1={space.left} x2={space.right} y1={sharp(y(level))} y2={sharp(y(level))} />
          <text x={space.left - 10} y={y(level)} dy="0.355em" textAnchor="end">
            {texts[index]}
          </text>
        </g>
      ))}
      {feet.map(({ key, x, text }) => (
        <text key={key} x={x} y={space.bottom + 10} dy="0.71em" textAnchor="middle">
          {text}
        </text>
      ))}
    </g>
  );
}

/** A level of the balance with its name above it, at the left. */
export function LevelMark({ space, y, name, colour }: { space: Space; y: number; name: string; colour: string }) {
  return (
    <g className="credits-marked">
      <line x1={space.left} x2={space.right} y1={sharp(y)} y2={sharp(y)} stroke={colour} strokeDasharray="4 3" />
      <text x={space.left + 4} y={y - 4}>
        {name}
      </text>
    </g>
  );
}

/** A moment with its name beside it, at the top. */
export function MomentMark({ space, x, name, colour }: { space: Space; x: number; name: string; colour: string }) {
  return (
    <g className="credits-marked">
      <line x1={sharp(x)} x2={sharp(x)} y1={space.top} y2={space.bottom} stroke={colour} />
      <text x={x - 5} y={space.top + 5} dy="0.71em" textAnchor="end">
        {name}
      </text>
    </g>
  );
}
