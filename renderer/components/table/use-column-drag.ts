import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';

/** Pixels: a press that moves less is a click, which sorts. */
const leastMove = 6;

interface Drag {
  id: string;
  /** Index of the shown column before which it would be dropped; their count: after the last. */
  place: number;
}

/** The place that a pointer names: before the first head whose middle lies to its right. */
const placeAt = (heads: readonly Element[], x: number): number => {
  const at = heads.findIndex((head) => {
    const { left, width } = head.getBoundingClientRect();
    return x < left + width / 2;
  });
  return at < 0 ? heads.length : at;
};

/** Moving a column by dragging its head: left button or touch; Escape cancels; a drag does not sort as well. */
export function useColumnDrag(
  table: RefObject<HTMLTableElement | null>,
  onDrop: (id: string, place: number) => void,
): { drag: Drag | null; startDrag: (event: PointerEvent<HTMLElement>, id: string) => void } {
  const [drag, setDrag] = useState<Drag | null>(null);
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);

  const startDrag = (event: PointerEvent<HTMLElement>, id: string) => {
    if (event.button !== 0 || !event.isPrimary) return;
    stop.current?.();
    const listening = new AbortController();
    const { signal } = listening;
    const from = event.clientX;
    let place: number | null = null;
    const end = () => {
      listening.abort();
      stop.current = null;
      setDrag(null);
    };
    stop.current = end;
    window.addEventListener(
      'pointermove',
      ({ clientX }) => {
        if (place === null && Math.abs(clientX - from) < leastMove) return;
        place = placeAt([...(table.current?.querySelectorAll('thead th') ?? [])], clientX);
        setDrag({ id, place });
      },
      { signal },
    );
    window.addEventListener(
      'pointerup',
      () => {
        end();
        if (place === null) return;
        // The browser may fire a click in this same turn, which would sort; a click after that is the user's.
        const swallow = (click: MouseEvent) => click.stopPropagation();
        window.addEventListener('click', swallow, { capture: true, once: true });
        setTimeout(() => window.removeEventListener('click', swallow, { capture: true }));
        onDrop(id, place);
      },
      { signal },
    );
    window.addEventListener('pointercancel', end, { signal });
    window.addEventListener(
      'keydown',
      (key) => {
        if (key.key !== 'Escape' || place === null) return;
        key.preventDefault();
        key.stopPropagation();
        end();
      },
      { signal, capture: true },
    );
  };
  return { drag, startDrag };
}
