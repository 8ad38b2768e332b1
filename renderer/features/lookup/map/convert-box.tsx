import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect } from 'react';
import type { ConvertedPlace } from '../../../../shared/domain/lookup.ts';
import { Fields } from '../../../components/fields.tsx';
import { errorOf } from '../../../lib/calls/errors.ts';
import { useDraft } from '../../../lib/session/drafts.ts';
import { convertPlaceQuery } from '../queries.ts';

/** A place typed in any notation, shown in all of them; calculated on this computer. `onPlace` is told what was typed. */
export function ConvertBox({ onPlace }: { onPlace: (place: ConvertedPlace | null) => void }) {
  const [text, setText] = useDraft('lookup/convert-place');
  const wanted = useDeferredValue(text.trim());
  const { data, error } = useQuery({ ...convertPlaceQuery(wanted), enabled: wanted !== '' });
  const place = wanted !== '' && data ? data : null;
  useEffect(() => onPlace(place), [onPlace, place]);
  const wrong = wanted !== '' && error ? errorOf(error) : null;
  return (
    <section className="place-part" aria-label="Coordinates both ways">
      <h3 className="h">Coordinates both ways</h3>
      <TextInput
        label="Degrees, grid reference, or easting and northing"
        placeholder="52.05731, -2.71894 or SO 50803 40125"
        value={text}
        maxLength={100}
        onChange={(event) => setText(event.currentTarget.value)}
        error={wrong && `${wrong.message} ${wrong.next}`}
        spellCheck={false}
        autoComplete="off"
      />
      {place && (
        <div role="status">
          <Fields
            labelWidth={104}
            rows={[
              { label: 'Latitude', value: place.latitude, from: place.given === 'degrees' ? 'typed' : 'derived' },
              { label: 'Longitude', value: place.longitude, from: place.given === 'degrees' ? 'typed' : 'derived' },
              {
                label: 'Grid reference',
                value: place.gridReference,
                from: place.given === 'grid-reference' ? 'typed' : 'derived',
              },
              {
                label: 'Metres',
                value: `${place.easting}, ${place.northing}`,
                from: place.given === 'metres' ? 'typed' : 'derived',
              },
            ]}
          />
          <p className="xs t3">{place.method}</p>
        </div>
      )}
    </section>
  );
}
