import { Button, TextInput } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import type { Connection } from '../../../../shared/domain/connection.ts';
import type { PremiseView } from '../../../../shared/domain/lookup/lookup.ts';
import { LargeDialog } from '../../../components/dialog.tsx';
import { Failure } from '../../../components/failure.tsx';
import { Fields } from '../../../components/fields.tsx';
import { call } from '../../../lib/calls/bridge.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { useDraft } from '../../../lib/session/drafts.ts';
import { distances, distancesKey } from '../asks.ts';
import { placeQuery } from '../queries.ts';
import { DistancePanel, ringOf } from './distance-panel.tsx';
import type { GridPoint } from './map-view.ts';
import type { MapMark, MapRing } from './place-drawing.tsx';
import { PlaceMap } from './place-map.tsx';

interface PlaceDialogProps {
  opened: boolean;
  onClose: () => void;
  view: PremiseView;
  /** Where the premise is on the British grid. */
  at: GridPoint;
  connection: Connection;
}

/** Where a premise is, large: the map, places typed in any notation, distances, and the way to an outside map. */
export function PlaceDialog({ opened, onClose, view, at, connection }: PlaceDialogProps) {
  return (
    <LargeDialog opened={opened} onClose={onClose} title={`Where ${view.title} is`} size={1040} className="place-body">
      <PlaceContent view={view} at={at} connection={connection} />
    </LargeDialog>
  );
}

function PlaceContent({ view, at, connection }: Pick<PlaceDialogProps, 'view' | 'at' | 'connection'>) {
  const typed = useTypedPlace();
  const from = view.fields.find(({ name }) => name === 'postcode')?.value ?? '';
  const { answer } = distances.use(distancesKey(connection, from));
  const { easting, northing } = at;
  const here = useMemo<MapMark>(
    () => ({ easting, northing, label: view.gridReference?.value ?? view.title, kind: 'here' }),
    [easting, northing, view.gridReference?.value, view.title],
  );
  const rows = answer?.rows ?? [];
  const marks: MapMark[] = [
    ...rows.flatMap(({ place, postcode }) => (place ? [{ ...place, label: postcode, kind: 'place' as const }] : [])),
    ...(typed.place
      ? [
          {
            easting: Number(typed.place.easting),
            northing: Number(typed.place.northing),
            label: typed.place.gridReference,
            kind: 'typed' as const,
          },
        ]
      : []),
  ];
  const rings: MapRing[] = rows.flatMap((row) => {
    const metres = ringOf(row);
    return metres === null ? [] : [{ metres, label: row.postcode }];
  });
  return (
    <div className="place-columns">
      <div className="col place-drawn">
        <PlaceMap here={here} marks={marks} rings={rings} label={`Map of Great Britain around ${here.label}`} />
        <OutsideMap view={view} />
      </div>
      <div className="place-side">
        <ConvertBox {...typed} />
        <DistancePanel connection={connection} from={from} />
      </div>
    </div>
  );
}

/** A link to a map with streets, which says beforehand what a click will send, and to whom. */
function OutsideMap({ view }: { view: PremiseView }) {
  const latitude = Number(view.latitude?.value || Number.NaN);
  const longitude = Number(view.longitude?.value || Number.NaN);
  const open = useMutation({ mutationFn: () => call('lookup.outside-map', { latitude, longitude }) });
  if (!Number.isFinite(latitude) || !Number.isFinite(longitude)) return null;
  return (
    <div className="col g4">
      <div className="row wrap">
        <Button
          leftSection={<IconExternalLink size={15} className="ti" aria-hidden="true" />}
          disabled={open.isPending}
          onClick={() => open.mutate()}
        >
          Open OpenStreetMap in the browser
        </Button>
        {open.isSuccess && (
          <span className="sm good" role="status">
            Opened in the browser
          </span>
        )}
      </div>
      <p className="xs t3">
        Tells www.openstreetmap.org the place {latitude.toFixed(5)}, {longitude.toFixed(5)} and, as any page, your
        network address. This map here fetches nothing.
      </p>
      {open.error && <Failure error={errorOf(open.error)} />}
    </div>
  );
}

/** A place typed in any notation; calculated on this computer. */
function useTypedPlace() {
  const [text, setText] = useDraft('lookup/convert-place');
  const wanted = useDeferredValue(text.trim());
  const { data, error } = useQuery({ ...placeQuery(wanted), enabled: wanted !== '' });
  return {
    text,
    setText,
    place: wanted !== '' && data ? data : null,
    wrong: wanted !== '' && error ? errorOf(error) : null,
  };
}

/** A typed place, shown in every notation. */
function ConvertBox({ text, setText, place, wrong }: ReturnType<typeof useTypedPlace>) {
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
