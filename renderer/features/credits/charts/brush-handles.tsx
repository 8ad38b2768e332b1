import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { formatDate } from '../../../lib/text/format.ts';
import { announce } from '../../../lib/window/announce.ts';
import type { Range } from '../queries.ts';
import type { Margins } from './plot.tsx';

const dayMs = 86_400_000;
/** So many days of this computer's zone later: a day in which the clocks change has 23 or 25 hours. */
function daysLater(at: number, days: number): number {
  const day = new Date(at);
  return day.setDate(day.getDate() + days);
}

/** The number of a time's day in this computer's zone. */
const dayNumber = (at: number): number => Math.floor((at - new Date(at).getTimezoneOffset() * 60_000) / dayMs);

/** The two ends that keys can move; milliseconds. */
export type Ends = readonly [number, number];

/**
 * Where a key moves an end: by a day, by a week with Page Up and Page Down, as far as possible with Home and End; null: not one of its
 * keys. Pure.
 */
export function moveEnd([first, last]: Ends, which: 0 | 1, key: string, [from, to]: Ends): Ends | null {
  const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -7, PageUp: 7 }[key];
  const now = which === 0 ? first : last;
  // The ends stay a day apart, so that there is always something between them.
  const [least, most] = which === 0 ? [from, daysLater(last, -1)] : [daysLater(first, 1), to];
  const moved = key === 'Home' ? least : key === 'End' ? most : step === undefined ? null : daysLater(now, step);
  if (moved === null) return null;
  const end = Math.max(least, Math.min(most, moved));
  return which === 0 ? [end, last] : [first, end];
}

interface BrushHandlesProps {
  domain: Ends;
  /** The range between the handles while they are moved; null: nothing is chosen. */
  moved: Ends | null;
  onMove: (ends: Ends | null) => void;
  onBrush: (range: Range) => void;
}

/** Chooses the chart’s range by keys: arrows move two handles, Enter shows the range between them, Escape cancels. */
export function BrushHandles({ domain, moved, onMove, onBrush }: BrushHandlesProps) {
  const ends = moved ?? domain;
  const onKeyDown = (event: KeyboardEvent, which: 0 | 1) => {
    const next = moveEnd(ends, which, event.key, domain);
    if (next) onMove(next);
    else if (event.key === 'Enter' && moved) {
      onBrush({ from: new Date(moved[0]).toISOString(), to: new Date(moved[1]).toISOString() });
      announce(`Shown: ${dayOf(moved[0])} to ${dayOf(moved[1])}`);
      onMove(null);
    } else if (event.key === 'Escape' && moved) onMove(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <fieldset className="credits-handles" aria-label="Range in the chart: arrows move an end, Enter shows it">
      {(['First day', 'Last day'] as const).map((name, index) => {
        const which = index === 0 ? 0 : 1;
        return (
          <div
            key={name}
            role="slider"
            tabIndex={0}
            aria-label={name}
            aria-valuemin={dayNumber(domain[0])}
            aria-valuemax={dayNumber(domain[1])}
            aria-valuenow={dayNumber(ends[which])}
            aria-valuetext={dayOf(ends[which])}
            style={{ left: `${((ends[which] - domain[0]) / (domain[1] - domain[0])) * 100}%` }}
            onKeyDown={(event) => onKeyDown(event, which)}
          />
        );
      })}
    </fieldset>
  );
}

const dayOf = (at: number): string => formatDate(new Date(at).toISOString());

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
