import { ActionIcon } from '@mantine/core';
import { IconCurrentLocation, IconMaximize, IconMinus, IconPlus } from '@tabler/icons-react';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { gbOutline } from '../../components/gb-outline.ts';
import {
  around,
  aspect,
  type GridPoint,
  gridLines,
  type MapView,
  pan,
  squareLetters,
  toDrawing,
  wholeCountry,
  zoom,
} from './map-view.ts';

export interface MapMark extends GridPoint {
  label: string;
  kind: 'here' | 'place' | 'typed';
}

/** A distance from the first mark whose direction is not known. */
export interface MapRing {
  metres: number;
  label: string;
}

export interface PlaceMapProps {
  here: MapMark;
  marks: readonly MapMark[];
  rings: readonly MapRing[];
  /** Said to a screen reader. */
  label: string;
}

const keySteps: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** An outline map of Great Britain to move and zoom by mouse and keys. Drawn from what the program holds: nothing is fetched. */
export function PlaceMap({ here, marks, rings, label }: PlaceMapProps) {
  const furthest = Math.max(0, ...rings.map(({ metres }) => metres), ...marks.map((mark) => distance(here, mark)));
  const [view, setView] = useState<MapView>(() => around(here, Math.max(30_000, furthest)));
  const box = useRef<HTMLDivElement>(null);
  const drag = useRef<{ x: number; y: number } | null>(null);

  // What has just been measured or typed comes into sight.
  useEffect(() => setView(around(here, Math.max(furthest, furthest === 0 ? 30_000 : 1000))), [here, furthest]);

  const kmPerPixel = () => view.width / (box.current?.clientWidth || 500);
  const place = useRef<(event: { clientX: number; clientY: number }) => { x: number; y: number }>(() => view);
  useEffect(() => {
    place.current = ({ clientX, clientY }) => {
      const rect = box.current?.getBoundingClientRect();
      if (!rect) return view;
      const km = view.width / rect.width;
      return {
        x: view.x + (clientX - rect.left - rect.width / 2) * km,
        y: view.y + (clientY - rect.top - rect.height / 2) * km,
      };
    };
  });
  useEffect(() => {
    const element = box.current;
    // React's own wheel listeners are passive, and the dialog would scroll under the map.
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const at = place.current(event);
      setView((now) => zoom(now, event.deltaY > 0 ? 1.25 : 0.8, at));
    };
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = keySteps[event.key];
    const next = step
      ? pan(view, step[0] * view.width * 0.12, step[1] * view.width * 0.12)
      : event.key === '+' || event.key === '='
        ? zoom(view, 0.7)
        : event.key === '-'
          ? zoom(view, 1.4)
          : event.key === '0'
            ? wholeCountry
            : event.key === 'Home'
              ? around(here, 30_000)
              : null;
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
        <Drawing view={view} here={here} marks={marks} rings={rings} />
      </div>
      <div className="place-map-tools">
        <ActionIcon aria-label="Zoom in" onClick={() => setView(zoom(view, 0.7))}>
          <IconPlus size={15} className="ti" aria-hidden="true" />
        </ActionIcon>
        <ActionIcon aria-label="Zoom out" onClick={() => setView(zoom(view, 1.4))}>
          <IconMinus size={15} className="ti" aria-hidden="true" />
        </ActionIcon>
        <ActionIcon aria-label="Back to the premise" onClick={() => setView(around(here, 30_000))}>
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

type DrawingProps = Omit<PlaceMapProps, 'label'> & { view: MapView };

/** Pixels of the drawing; its text is sized in them, because letters of a fraction of a unit are set badly. */
const drawn = { width: 560, height: 560 * aspect };

function Drawing({ view, here, marks, rings }: DrawingProps) {
  const { step, across, down } = gridLines(view);
  const perKm = drawn.width / view.width;
  const left = view.x - view.width / 2;
  const top = view.y - (view.width * aspect) / 2;
  const toX = (x: number) => (x - left) * perKm;
  const toY = (y: number) => (y - top) * perKm;
  const place = (point: GridPoint) => {
    const { x, y } = toDrawing(point);
    return { x: toX(x), y: toY(y) };
  };
  const centre = place(here);
  return (
    <svg viewBox={`0 0 ${drawn.width} ${drawn.height}`} aria-hidden="true">
      <path
        d={gbOutline}
        transform={`scale(${perKm}) translate(${-left} ${-top})`}
        fill="var(--map-land)"
        stroke="var(--map-coast)"
        vectorEffect="non-scaling-stroke"
        strokeLinejoin="round"
      />
      <g stroke="var(--line-2)" strokeWidth="0.75">
        {across.map((at) => (
          <line key={`v${at}`} x1={toX(at)} x2={toX(at)} y1={0} y2={drawn.height} />
        ))}
        {down.map((at) => (
          <line key={`h${at}`} x1={0} x2={drawn.width} y1={toY(at)} y2={toY(at)} />
        ))}
      </g>
      <g fontSize="9.5" fill="var(--text-3)">
        {step === 100
          ? across.flatMap((x) =>
              down.map((y) => {
                const name = squareLetters(Math.round(x / 100), Math.round((originY - y) / 100));
                return name ? (
                  <text key={`${x}/${y}`} x={toX(x) + 4} y={toY(y) - 4}>
                    {name}
                  </text>
                ) : null;
              }),
            )
          : across.map((x) => (
              <text key={x} x={toX(x) + 3} y={12}>
                {squareLetters(Math.floor(x / 100), Math.floor((originY - view.y) / 100))}{' '}
                {String(Math.round(x) % 100).padStart(2, '0')}
              </text>
            ))}
      </g>
      {rings.map(({ metres, label }, index) => {
        const radius = (metres / 1000) * perKm;
        // Each at another place of its ring, so that rings close together keep their names apart.
        const angle = -Math.PI / 2 + (index % 9) * 0.7;
        return (
          <g key={label}>
            <circle cx={centre.x} cy={centre.y} r={radius} fill="none" stroke="var(--text-2)" strokeDasharray="4 4" />
            <text
              x={centre.x + radius * Math.cos(angle)}
              y={centre.y + radius * Math.sin(angle) - 4}
              fontSize="11"
              textAnchor="middle"
              fill="var(--text-2)"
              stroke="var(--surface)"
              strokeWidth="3"
              paintOrder="stroke"
            >
              {label}
            </text>
          </g>
        );
      })}
      {marks.map((mark) => {
        const at = place(mark);
        return (
          <g key={`${mark.kind}/${mark.label}`}>
            {mark.kind === 'place' && <line x1={centre.x} y1={centre.y} x2={at.x} y2={at.y} stroke="var(--text-2)" />}
            <Pin {...at} kind={mark.kind} label={mark.label} />
          </g>
        );
      })}
      <Pin {...centre} kind="here" label={here.label} />
    </svg>
  );
}

const originY = toDrawing({ easting: 0, northing: 0 }).y;
const pinFill = { here: 'var(--accent-fill)', place: 'var(--held-mark)', typed: 'var(--warn-mark)' } as const;

function Pin({ x, y, kind, label }: { x: number; y: number; kind: MapMark['kind']; label: string }) {
  return (
    <>
      <circle cx={x} cy={y} r="5.5" fill={pinFill[kind]} stroke="var(--surface)" strokeWidth="2" />
      <text
        x={x + 9}
        y={kind === 'typed' ? y + 18 : y + 4}
        fontSize="11.5"
        fontWeight="500"
        fill="var(--text)"
        stroke="var(--surface)"
        strokeWidth="3"
        paintOrder="stroke"
      >
        {label}
      </text>
    </>
  );
}
