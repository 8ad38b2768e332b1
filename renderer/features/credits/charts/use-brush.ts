import { type PointerEvent, useRef, useState } from 'react';
import type { Range } from '../queries.ts';
import type { Margins } from './plot.tsx';

/** Dragging over the chart chooses a range. Keys have the handles, and the two date fields above. */
export function useBrush(domain: [number, number], margins: Margins, onBrush: (range: Range) => void) {
  const box = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ start: number; now: number } | null>(null);
  const timeAt = (clientX: number): number => {
    const { left = 0, width = 0 } = box.current?.getBoundingClientRect() ?? {};
    const room = width - margins.left - margins.right;
    if (room <= 0) return domain[0];
    const part = Math.min(1, Math.max(0, (clientX - left - margins.left) / room));
    return domain[0] + part * (domain[1] - domain[0]);
  };
  const drawn: [number, number] | null =
    drag && drag.start !== drag.now ? [Math.min(drag.start, drag.now), Math.max(drag.start, drag.now)] : null;
  return {
    box,
    drawn,
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
        if (event.button !== 0) return;
        const t = timeAt(event.clientX);
        setDrag({ start: t, now: t });
      },
      onPointerMove: (event: PointerEvent<HTMLDivElement>) => {
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
