import { ActionIcon } from '@mantine/core';
import { IconCurrentLocation, IconMaximize, IconMinus, IconPlus } from '@tabler/icons-react';
import { type KeyboardEvent, type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { around, closeBy, type GridPoint, type MapView, moveByKey, pan, wholeCountry, zoom } from './map-view.ts';
import { type MarkedPlaces, PlaceDrawing } from './place-drawing.tsx';

interface PlaceMapProps extends MarkedPlaces {
  /** The accessible name. */
  label: string;
}

/** An outline map of Great Britain to move and zoom by mouse and keys. Drawn from the program's own data: nothing is fetched. */
export function PlaceMap({ here, marks, rings, label }: PlaceMapProps) {
  const furthest = Math.max(0, ...rings.map(({ metres }) => metres), ...marks.map((mark) => distance(here, mark)));
  const [view, setView] = useState<MapView>(() => around(here, Math.max(closeBy, furthest)));
  const box = useRef<HTMLDivElement>(null);
  const drag = useRef<{ x: number; y: number } | null>(null);

  // Brings what has just been measured or typed into view.
  useEffect(() => setView(around(here, Math.max(furthest, furthest === 0 ? closeBy : 1000))), [here, furthest]);

  const kmPerPixel = () => view.width / (box.current?.clientWidth || 500);
  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault();
    const rect = box.current?.getBoundingClientRect();
    if (!rect) return;
    const km = view.width / rect.width;
    const at = {
      x: view.x + (event.clientX - rect.left - rect.width / 2) * km,
      y: view.y + (event.clientY - rect.top - rect.height / 2) * km,
    };
    setView((now) => zoom(now, event.deltaY > 0 ? 1.25 : 0.8, at));
  });
  useEffect(() => {
    const element = box.current;
    // React's own wheel listeners are passive, and the dialog would scroll under the map.
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const next = moveByKey(event.key, view, here);
    if (!next) return;
    event.preventDefault();
    setView(next);
  };
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    drag.current = { x: event.clientX, y: event.clientY };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent) => {
    const from = drag.current;
    if (!from) return;
    const km = kmPerPixel();
    drag.current = { x: event.clientX, y: event.clientY };
    setView((now) => pan(now, (from.x - event.clientX) * km, (from.y - event.clientY) * km));
  };
  const onPointerUp = () => {
    drag.current = null;
  };

  return (
    <div className="place-map">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields of a form, and this is none */}
      <div
        ref={box}
        className="place-map-box"
        role="group"
        aria-label={`${label}. Arrows move, plus and minus zoom, 0 shows the whole country, Home comes back.`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a map to move by keys
        tabIndex={0}
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={onPointerUp}
      >
        <PlaceDrawing view={view} here={here} marks={marks} rings={rings} />
      </div>
      <div className="place-map-tools">
        <ActionIcon aria-label="Zoom in" onClick={() => setView(zoom(view, 0.7))}>
          <IconPlus size={15} className="ti" aria-hidden="true" />
        </ActionIcon>
        <ActionIcon aria-label="Zoom out" onClick={() => setView(zoom(view, 1.4))}>
          <IconMinus size={15} className="ti" aria-hidden="true" />
        </ActionIcon>
        <ActionIcon aria-label="Back to the premise" onClick={() => setView(around(here, closeBy))}>
          <IconCurrentLocation size={15} className="ti" aria-hidden="true" />
        </ActionIcon>
        <ActionIcon aria-label="The whole country" onClick={() => setView(wholeCountry)}>
          <IconMaximize size={15} className="ti" aria-hidden="true" />
        </ActionIcon>
      </div>
    </div>
  );
}

const distance = (a: GridPoint, b: GridPoint): number => Math.hypot(a.easting - b.easting, a.northing - b.northing);
