import { useState } from 'react';

export const narrowest = 260;
export const widest = 720;
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

/** The width of the list in pixels, remembered where the window may keep anything. */
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
