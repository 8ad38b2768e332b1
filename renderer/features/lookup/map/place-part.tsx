import { IconMap2 } from '@tabler/icons-react';
import { useState } from 'react';
import type { Connection } from '../../../../shared/domain/connection.ts';
import type { PremiseView } from '../../../../shared/domain/lookup.ts';
import { Fact } from '../../../components/fields.tsx';
import { formatDegrees } from '../../../lib/text/format.ts';
import { shortSource } from '../source-words.ts';
import { GbMap } from './gb-map.tsx';
import { PlaceDialog } from './place-dialog.tsx';

type Sourced = { value: string; source: string } | null;

const degrees = (text: string): string => {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? formatDegrees(value) : text;
};

/** Two values that belong together, one above the other; the source is said once where it is the same. */
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

/** Where the premise is: the map with its grid square, and the coordinates with how each came about. */
export function PlacePart({ view, connection }: { view: PremiseView; connection: Connection }) {
  const [large, setLarge] = useState(false);
  const { latitude, longitude, easting, northing, gridReference, onMap, gridNote } = view;
  if (!latitude && !longitude && !easting && !northing && !gridReference) {
    return <p className="sm t2">No saved answer of this premise gives coordinates.</p>;
  }
  return (
    <div className="lookup-place">
      {onMap && (
        <div className="fixed col g4">
          <GbMap {...onMap} width={134} {...(gridReference ? { label: gridReference.value } : {})} />
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
