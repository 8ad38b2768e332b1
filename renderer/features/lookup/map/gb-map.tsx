import { gbOutline } from './gb-outline.ts';

const north = 1230;
const columns = Array.from({ length: 8 }, (_, i) => i * 100);
const rows = Array.from({ length: 13 }, (_, i) => i * 100);

export interface GbMapProps {
  /** Metres on the National Grid. */
  easting: number;
  northing: number;
  /** Pixels. */
  width?: number;
  /** Said to a screen reader, for example the grid reference. */
  label?: string;
}

/** Great Britain on the National Grid with the 100 km square that holds the point filled. Outside the grid: no mark. */
export function GbMap({ easting, northing, width = 148, label }: GbMapProps) {
  const x = easting / 1000;
  const y = north - northing / 1000;
  const onGrid = x >= 0 && x <= 700 && y >= -70 && y <= north;
  const squareX = Math.floor(easting / 1e5) * 100;
  const squareY = north - (Math.floor(northing / 1e5) + 1) * 100;
  return (
    <svg
      width={width}
      viewBox="-10 -10 720 1250"
      role="img"
      aria-label={`Outline of Great Britain${onGrid ? ', the grid square marked' : ''}${label ? `: ${label}` : ''}`}
    >
      <g stroke="var(--map-grid)" strokeWidth="2.5">
        {columns.map((at) => (
          <line key={`v${at}`} x1={at} x2={at} y1={-10} y2={1240} />
        ))}
        {rows.map((at) => (
          <line key={`h${at}`} x1={-10} x2={710} y1={north - at} y2={north - at} />
        ))}
      </g>
      <path d={gbOutline} fill="var(--map-land)" stroke="var(--map-coast)" strokeWidth="3" strokeLinejoin="round" />
      {onGrid && (
        <>
          <rect
            x={squareX}
            y={squareY}
            width="100"
            height="100"
            fill="var(--accent-fill)"
            fillOpacity="0.14"
            stroke="var(--accent)"
            strokeWidth="4"
          />
          <circle cx={x} cy={y} r="17" fill="var(--accent-fill)" stroke="var(--surface)" strokeWidth="6" />
        </>
      )}
    </svg>
  );
}
