import { gbOutline } from './gb-outline.ts';
import { aspect, type GridPoint, gridLines, type MapView, squareLetters, toDrawing } from './map-view.ts';

export interface MapMark extends GridPoint {
  label: string;
  kind: 'here' | 'place' | 'typed';
}

/** A distance from the first mark whose direction is not known. */
export interface MapRing {
  metres: number;
  label: string;
}

export interface MarkedPlaces {
  here: MapMark;
  marks: readonly MapMark[];
  rings: readonly MapRing[];
}

/** Pixels of the drawing; its text is sized in them, because letters smaller than a unit are drawn badly. */
const drawn = { width: 560, height: 560 * aspect };

/** The part of the country that `view` shows, with its markers. Hidden from screen readers: the map around it has a label. */
export function PlaceDrawing({ view, here, marks, rings }: MarkedPlaces & { view: MapView }) {
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
        // Each name at another angle, so that names of rings close together do not overlap.
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
const pinFill = { here: 'var(--accent-fill)', place: 'var(--good-mark)', typed: 'var(--warn-mark)' } as const;

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
