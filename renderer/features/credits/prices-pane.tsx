import { Button, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { findSoapOperation } from '../../../shared/catalogue/soap-operations.ts';
import { Failure } from '../../components/failure.tsx';
import { PriceButton } from '../../components/money/price-button.tsx';
import { ReadFailure } from '../../components/read-failure.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { call, newRequestId } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { countOf, formatCredits, formatDate, formatNumber } from '../../lib/text/format.ts';
import { announce } from '../../lib/window/announce.ts';
import { pricesQuery, refreshCredits } from './queries.ts';

/** What this account was measured to pay if no price is published, and the experiment that measures one. */
export function PricesPane({ connectionId }: { connectionId: string }) {
  const prices = useQuery(pricesQuery(connectionId));
  return (
    <section className="credits-prices" aria-labelledby="credits-prices-title">
      <h2 className="h" id="credits-prices-title">
        Measured prices
      </h2>
      <p className="sm t2">
        Where no price is published, this is by how much the balance fell: single calls with a balance read before and
        after. It is shown where a price would be; caps count it once you enter it under Caps and alerts.
      </p>
      <ReadFailure of={prices} />
      {prices.data && prices.data.measured.length === 0 && <p className="sm t3">None measured yet.</p>}
      {prices.data && prices.data.measured.length > 0 && (
        <table className="tbl tight" aria-label="Measured prices">
          <thead>
            <tr>
              <th scope="col">Operation</th>
              <th scope="col" className="num">
                Credits
              </th>
              <th scope="col">Measured</th>
            </tr>
          </thead>
          <tbody>
            {prices.data.measured.map(({ operation, credits, times, firstAt, lastAt, alsoSeen }) => (
              <tr key={operation}>
                <td className="wraps">{operation}</td>
                <td className="num m">{formatNumber(credits)}</td>
                <td className="t2 wraps">
                  n = {formatNumber(times)},{' '}
                  {formatDate(firstAt) === formatDate(lastAt)
                    ? formatDate(lastAt)
                    : `${formatDate(firstAt)} to ${formatDate(lastAt)}`}
                  {alsoSeen.length > 0 && (
                    <span className="warn">; before that also {alsoSeen.map(formatNumber).join(', ')}</span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {prices.data && <Experiment connectionId={connectionId} operations={prices.data.measurable} />}
    </section>
  );
}

function Experiment({ connectionId, operations }: { connectionId: string; operations: readonly string[] }) {
  const client = useQueryClient();
  const [operation, setOperation] = useState<string | null>(null);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [running, setRunning] = useState<{ requestId: string; since: string } | null>(null);
  const fields = (operation === null ? [] : (findSoapOperation(operation)?.operation.fields ?? [])).filter(
    ({ credential }) => credential === undefined,
  );
  const measure = useMutation({
    mutationFn: (wanted: string) => {
      const requestId = newRequestId();
      setRunning({ requestId, since: new Date().toISOString() });
      return call(
        'credits.measure',
        {
          connectionId,
          operation: wanted,
          fields: fields.map(({ name }) => ({ name, value: values[name] ?? '' })),
        },
        { requestId },
      );
    },
    meta: { subject: (wanted: string) => `Measuring the price of ${wanted}`, connectionId },
    onSuccess: ({ operation: name, credits }) =>
      announce(
        credits === null
          ? `${name}: the readings do not show it.`
          : `${name}: ${formatCredits(credits)} by these readings.`,
      ),
    onSettled: () => {
      setRunning(null);
      refreshCredits(client, connectionId);
    },
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (operation !== null && running === null) measure.mutate(operation);
  };
  return (
    <form className="col g6 credits-experiment" onSubmit={onSubmit} aria-label="Measure a price">
      <h3 className="h">Measure a price</h3>
      <p className="sm t2">
        {operation === 'GetAvailableCredits'
          ? 'Reads the SOAP balance twice: those two are the calls that are measured. Neither'
          : 'Reads the SOAP balance twice, makes the call once, and reads the balance again. None of these'}{' '}
        has a published price, so each may cost. Anything else that uses the balance at the same moment would spoil the
        result.
      </p>
      <Select
        label="Operation"
        placeholder="Choose one"
        searchable
        data={[...operations]}
        value={operation}
        onChange={(value) => {
          setOperation(value);
          setValues({});
        }}
      />
      {fields.map(({ name, label, help }) => (
        <TextInput
          key={name}
          label={label}
          description={help}
          value={values[name] ?? ''}
          maxLength={500}
          onChange={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
        />
      ))}
      <div className="row wrap">
        <PriceButton type="submit" price={{ kind: 'not-published' }} disabled={operation === null || running !== null}>
          Measure
        </PriceButton>
        {running && (
          <Waiting call={running}>
            <span className="t3">What was sent may still cost credits.</span>
          </Waiting>
        )}
      </div>
      {measure.error && (
        <Failure error={errorOf(measure.error)} actions={<Button onClick={() => measure.reset()}>Close</Button>} />
      )}
      {measure.data && (
        <p className="notice good">
          <span>
            {measure.data.operation}:{' '}
            {measure.data.credits === null
              ? 'the readings do not show it.'
              : `${formatCredits(measure.data.credits)}: ${measure.data.samples.length > 2 ? 'how much further the balance fell with the call than between two readings alone' : 'the fall between the two readings'}, if nothing else used it.`}{' '}
            Balances read:{' '}
            {measure.data.samples
              .map(({ credits }) => (credits === null ? 'no figure' : formatCredits(credits)))
              .join(', ')}{' '}
            ({countOf(measure.data.samples.length, 'reading')}).
          </span>
        </p>
      )}
    </form>
  );
}
