import { Textarea } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import { checkPostcode } from '../../../../shared/domain/address/postcode.ts';
import type { CacheMode } from '../../../../shared/domain/call.ts';
import type { Connection } from '../../../../shared/domain/connection.ts';
import { cacheModeAt } from '../../../../shared/domain/credits/credits.ts';
import { publishedPrice } from '../../../../shared/domain/credits/published-price.ts';
import type { DistanceAnswer, DistanceRow } from '../../../../shared/domain/lookup/lookup.ts';
import { Elapsed } from '../../../components/elapsed.tsx';
import { Failure } from '../../../components/failure.tsx';
import { SpendNote } from '../../../components/money/money-claims.tsx';
import { PriceButton } from '../../../components/money/price-button.tsx';
import { TableActions } from '../../../components/table/table-actions.tsx';
import { StopWaiting } from '../../../components/waiting.tsx';
import { useLatestProvenance } from '../../../lib/answers/use-provenance.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { refreshLocal } from '../../../lib/calls/queries.ts';
import { useDraft } from '../../../lib/session/drafts.ts';
import { countOf } from '../../../lib/text/format.ts';
import { announce } from '../../../lib/window/announce.ts';
import { AnswerNotice } from '../answer/answer-notice.tsx';
import { askDistances, distances, distancesKey } from '../asks.ts';
import { distancePriceKey, distancePriceQuery } from '../queries.ts';
import { describeSource } from '../source-messages.ts';

const most = 100;
const unitHeads: Record<string, string> = { m: 'm', km: 'km', miles: 'miles', 'nautical miles': 'nautical' };

/** The metres of the ring that is drawn for a row; null: none is, since its place is known or it has no distance. */
export const ringOf = ({ place, metres }: DistanceRow): number | null => (place ? null : metres || null);

/** The postcodes in a text: one a line, or between commas or semicolons. */
const readPostcodes = (text: string): string[] =>
  [...new Set(text.split(/[\n,;]+/).map((part) => part.trim().toUpperCase()))].filter(Boolean);

/** Distances from this premise's postcode to others, read from the service over SOAP and sorted. */
export function DistancePanel({ connection, from }: { connection: Connection; from: string }) {
  const client = useQueryClient();
  const connectionId = connection.id;
  const [text, setText] = useDraft(`lookup/distances/${connectionId}`);
  const to = useMemo(() => readPostcodes(text), [text]);
  const wanted = useDeferredValue(to);
  const key = distancesKey(connection, from);
  const { running, answer, failure } = distances.use(key);
  const possible = connection.soapUrl !== '' && from !== '';
  const ofWanted = useQuery({
    ...distancePriceQuery(connectionId, from, wanted),
    enabled: possible && wanted.length > 0 && wanted.length <= most,
  });
  // The price of the postcodes typed now: that of earlier ones would allow a press, and be undone under it.
  const price = wanted === to ? ofWanted.data : undefined;
  const odd = to.filter((one) => ['malformed', 'not-a-postcode'].includes(checkPostcode(one).state));

  const measure = async (cache: CacheMode) => {
    const measured = await askDistances(connection, { connectionId, from, to, cache });
    if (measured?.ok === false && measured.error.code === 'not-cached')
      refreshLocal(client, distancePriceKey(connectionId));
    if (!measured?.ok) return;
    const { rows } = measured.value;
    // A row without a distance is last, and may yet be the nearest.
    const nearest = rows.every(({ metres }) => metres !== null) && rows[0]?.postcode;
    announce(`${countOf(rows.length, 'postcode')}${nearest ? `, nearest ${nearest}` : ''}`);
  };
  return (
    <section className="place-part" aria-label="Distance from here">
      <h3 className="h">Distance from here</h3>
      {!possible ? (
        <p className="sm t2">
          {from === ''
            ? 'This premise has no postcode to measure from.'
            : 'Distances come over SOAP, and this connection has no SOAP address.'}
        </p>
      ) : (
        <>
          <Textarea
            label={`From ${from} to these postcodes`}
            placeholder="One a line, or with commas"
            autosize
            minRows={2}
            maxRows={5}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            spellCheck={false}
          />
          {odd.length > 0 && <p className="xs warn">Not well formed: {odd.slice(0, 4).join(', ')}</p>}
          {to.length > most && (
            <p className="xs warn" role="status">
              {countOf(to.length, 'postcode')}; one call takes {most} at most.
            </p>
          )}
          <div className="row">
            <PriceButton
              price={price?.price ?? { kind: 'not-published' }}
              disabled={to.length === 0 || to.length > most || running !== null || !price}
              onClick={() => price && void measure(cacheModeAt(price.price))}
            >
              {to.length > 1 ? `Rank ${to.length} postcodes` : 'Measure'}
            </PriceButton>
            {price?.price.kind === 'cached' && (
              <PriceButton
                price={publishedPrice(price.operation)}
                disabled={running !== null}
                onClick={() => void measure('reload')}
              >
                Ask again
              </PriceButton>
            )}
            {price && <span className="xs t3 trunc">SOAP {price.operation}</span>}
          </div>
          {ofWanted.error && wanted.length > 0 && <p className="xs danger">{errorOf(ofWanted.error).message}</p>}
        </>
      )}
      {running && (
        <p className="row sm" role="status">
          Measuring <Elapsed since={running.since} />
          <StopWaiting onStop={() => distances.stop(key)} />
        </p>
      )}
      {failure && (
        <Failure
          error={failure.error}
          actions={
            <button type="button" className="link" onClick={() => distances.dismiss(key)}>
              Close
            </button>
          }
        />
      )}
      {answer && <DistanceTable answer={answer} />}
    </section>
  );
}

function DistanceTable({ answer }: { answer: DistanceAnswer }) {
  const { cached, cachedFor, expectedCredits, claims } = useLatestProvenance(answer.provenance);
  const columns = [
    { id: 'postcode', head: 'Postcode', value: (row: DistanceAnswer['rows'][number]) => row.postcode },
    ...(answer.rows[0]?.distances ?? []).map(({ unit }, at) => ({
      id: unit,
      head: unit,
      value: (row: DistanceAnswer['rows'][number]) => row.distances[at]?.value ?? '',
      kind: 'number' as const,
    })),
  ];
  return (
    <>
      <AnswerNotice answer={answer.provenance} />
      <table className="tbl tight place-distances" aria-label={`Distances from ${answer.from}`}>
        <thead>
          <tr>
            <th scope="col">Postcode</th>
            {answer.rows[0]?.distances.map(({ unit }) => (
              <th key={unit} scope="col" className="num" title={unit}>
                {unitHeads[unit] ?? unit}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {answer.rows.map(({ postcode, distances: values }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an answer may name one postcode twice
            <tr key={`${postcode}/${index}`}>
              <td>{postcode === '' ? <span className="t3">not given</span> : postcode}</td>
              {values.map(({ unit, value }) => (
                <td key={unit} className="num">
                  {value === '' ? <span className="t3">not given</span> : value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="xs">
        <TableActions label={`Distances from ${answer.from}`} columns={columns} rows={answer.rows} link />
      </p>
      <p className="xs t3">
        {describeSource(answer.provenance)};{' '}
        {cached && cachedFor !== 'no' ? 'saved, free' : <SpendNote expected={expectedCredits} claims={claims} />}.{' '}
        {answer.rows.some(ringOf) &&
          'Drawn as a ring: the answer gives no direction, and no saved answer says where that postcode is.'}
      </p>
    </>
  );
}
