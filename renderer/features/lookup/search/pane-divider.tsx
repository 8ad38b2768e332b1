import { type KeyboardEvent, type PointerEvent, useState } from 'react';

interface PaneDividerProps {
  width: number;
  onWidth: (width: number) => void;
}

/** The line between list and premise: dragged, or moved with the arrow keys. */
export function PaneDivider({ width, onWidth }: PaneDividerProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const target = { ArrowLeft: width - 16, ArrowRight: width + 16, Home: narrowest, End: widest }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    onWidth(target);
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const handle = event.currentTarget;
    const from = event.clientX - width;
    const onMove = (move: globalThis.PointerEvent) => onWidth(move.clientX - from);
    handle.setPointerCapture(event.pointerId);
    handle.addEventListener('pointermove', onMove);
    handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', onMove), {
      once: true,
    });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved; a focusable separator with a value is the pattern for this
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the list"
      aria-valuenow={width}
      aria-valuemin={narrowest}
      aria-valuemax={widest}
      aria-valuetext={`${width} pixels`}
      tabIndex={0}
      className="lookup-divider"
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
    />
  );
}

const narrowest = 260;
const widest = 720;
const standard = 352;
const keptUnder = 'lookup-list-width';

const clamp = (width: number) => Math.min(widest, Math.max(narrowest, Math.round(width)));

function readWidth(): number {
  try {
    const kept = Number(localStorage.getItem(keptUnder) ?? Number.NaN);
    return Number.isFinite(kept) && kept > 0 ? clamp(kept) : standard;
  } catch {
    return standard;
  }
}

/** The width of the list in pixels, stored if the window's storage allows. */
export function usePaneWidth(): [number, (width: number) => void] {
  const [width, setWidth] = useState(readWidth);
  return [
    width,
    (next) => {
      const kept = clamp(next);
      setWidth(kept);
      try {
        localStorage.setItem(keptUnder, String(kept));
      } catch {
        // Storage refused or full: the width lasts until the window closes.
      }
    },
  ];
}
