import { IconMap2 } from '@tabler/icons-react';
import { useState } from 'react';
import type { Connection } from '../../../../shared/domain/connection.ts';
import type { PremiseView } from '../../../../shared/domain/lookup/lookup.ts';
import { Fact } from '../../../components/fields.tsx';
import { formatDegrees } from '../../../lib/text/format.ts';
import { shortSource } from '../source-messages.ts';
import { gbOutline } from './gb-outline.ts';
import { PlaceDialog } from './place-dialog.tsx';

type Sourced = { value: string; source: string } | null;

const degrees = (text: string): string => {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? formatDegrees(value) : text;
};

/** Two values that belong together, one above the other; the source is named once if both have the same. */
function Pair({ label, first, second, show = (text) => text }: PairProps) {
  if (!first && !second) return null;
  const sources = new Set([first?.source, second?.source].filter((source) => source !== undefined));
  return (
    <Fact
      label={label}
      value={
        <>
          {first ? show(first.value) : 'not given'}
          <br />
          {second ? show(second.value) : 'not given'}
        </>
      }
      from={[...sources].map(shortSource).join('; ')}
    />
  );
}
interface PairProps {
  label: string;
  first: Sourced;
  second: Sourced;
  show?: (text: string) => string;
}

/** Where the premise is: the map with its grid square, and the coordinates, each with its source. */
export function PlacePart({ view, connection }: { view: PremiseView; connection: Connection }) {
  const [large, setLarge] = useState(false);
  const { latitude, longitude, easting, northing, gridReference, onMap, gridNote } = view;
  if (!latitude && !longitude && !easting && !northing && !gridReference) {
    return <p className="sm t2">No saved answer for this premise gives coordinates.</p>;
  }
  return (
    <div className="lookup-place">
      {onMap && (
        <div className="fixed col g4">
          <GbMap {...onMap} {...(gridReference ? { label: gridReference.value } : {})} />
          <button type="button" className="link lookup-map-link" aria-haspopup="dialog" onClick={() => setLarge(true)}>
            <IconMap2 size={14} className="ti" aria-hidden="true" /> Map, distances
          </button>
          <PlaceDialog opened={large} onClose={() => setLarge(false)} view={view} at={onMap} connection={connection} />
        </div>
      )}
      <div className="col grow lookup-facts">
        <Pair label="Latitude, longitude" first={latitude} second={longitude} show={degrees} />
        {gridReference && (
          <Fact label="Grid reference" value={gridReference.value} from={shortSource(gridReference.source)} />
        )}
        <Pair label="Easting, northing" first={easting} second={northing} />
        {!onMap && <p className="xs t3">{gridNote ?? 'Not drawn: no National Grid coordinates.'}</p>}
      </div>
    </div>
  );
}

const north = 1230;
const columns = Array.from({ length: 8 }, (_, i) => i * 100);
const rows = Array.from({ length: 13 }, (_, i) => i * 100);

interface GbMapProps {
  /** Metres on the National Grid. */
  easting: number;
  northing: number;
  /** The accessible name, for example the grid reference. */
  label?: string;
}

/** Great Britain on the National Grid with the 100 km square that holds the point filled. Outside the grid: no mark. */
function GbMap({ easting, northing, label }: GbMapProps) {
  const x = easting / 1000;
  const y = north - northing / 1000;
  const onGrid = x >= 0 && x <= 700 && y >= -70 && y <= north;
  const squareX = Math.floor(easting / 1e5) * 100;
  const squareY = north - (Math.floor(northing / 1e5) + 1) * 100;
  return (
    <svg
      width={134}
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
