import { NumberInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { priceOf } from '../../../../shared/catalogue/price.ts';
import { soapOperationNames } from '../../../../shared/catalogue/soap-operations.ts';
import type { ChannelOutput } from '../../../../shared/contract.ts';
import { ReadFailure } from '../../../components/read-failure.tsx';
import { call } from '../../../lib/calls/bridge.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { countOf, formatCredits, formatNumber } from '../../../lib/text/format.ts';
import { announce } from '../../../lib/window/announce.ts';
import { pricesQuery, setPricesQuery } from '../queries.ts';
import { authorText, type CappedBy } from './caps.ts';

type SetPrice = ChannelOutput<'credits.set-prices'>['prices'][number];
type Measured = ChannelOutput<'credits.prices'>['measured'][number];

/** Operations without a published price, by the name under which they are sent. */
const unpriced = soapOperationNames.filter((name) => priceOf(name).kind === 'not-published');

/**
 * Figures that a person sets for operations without a published price, by which caps count their calls. `capped`: whose cap stops such a
 * call as long as it has no figure.
 */
export function UnpricedOperations({ connectionId, capped }: { connectionId: string; capped: CappedBy }) {
  const set = useQuery(setPricesQuery(connectionId));
  const measured = useQuery(pricesQuery(connectionId));
  const [all, setAll] = useState(false);
  const figures = new Map(set.data?.prices.map((one) => [one.operation, one]));
  const seen = new Map(measured.data?.measured.map((one) => [one.operation, one]));
  const first = unpriced.filter((name) => figures.has(name) || seen.has(name));
  const shown = all ? [...first, ...unpriced.filter((name) => !first.includes(name))] : first;
  const rest = unpriced.length - first.length;
  return (
    <section className="credits-unpriced" aria-labelledby="credits-unpriced-title">
      <h2 className="h" id="credits-unpriced-title">
        Operations without a published price
      </h2>
      <p className="sm t2">{cappedText[capped]} A figure that was measured is shown, and counts once you enter it.</p>
      <ReadFailure of={[set, measured]} subject="Figures not read" />
      {set.data && shown.length > 0 && (
        <table className="tbl tight" aria-label="Operations without a published price">
          <colgroup>
            <col />
            <col style={{ width: 92 }} />
            <col style={{ width: 104 }} />
            <col style={{ width: 132 }} />
          </colgroup>
          <thead>
            <tr>
              <th scope="col">Operation</th>
              <th scope="col">Counts as</th>
              <th scope="col">Seen here</th>
              <th scope="col">State</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((operation) => (
              <tr key={operation}>
                <td className="wraps">{operation}</td>
                <td>
                  <FigureField
                    connectionId={connectionId}
                    operation={operation}
                    credits={figures.get(operation)?.credits ?? null}
                  />
                </td>
                <td className="t2">{measured.data && seenText(seen.get(operation))}</td>
                <td className={figures.has(operation) || capped === 'nowhere' ? 't2 wraps' : 'warn wraps'}>
                  {stateText(figures.get(operation), capped)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {set.data && rest > 0 && (
        <button type="button" className="link sm" aria-expanded={all} onClick={() => setAll(!all)}>
          {all
            ? 'Show fewer'
            : first.length > 0
              ? `Show the other ${formatNumber(rest)} without a price`
              : `Show all ${formatNumber(rest)} without a price`}
        </button>
      )}
    </section>
  );
}

const withoutFigure: Record<CappedBy, string> = {
  here: 'not sent: no figure set',
  elsewhere: 'not sent with that key: no figure set',
  nowhere: 'no figure',
};

function stateText(figure: SetPrice | undefined, capped: CappedBy): string {
  if (figure === undefined) return withoutFigure[capped];
  return figure.setBy === null ? 'set' : authorText(figure.setBy);
}

const cappedText: Record<CappedBy, string> = {
  here: 'A cap or a minimum balance is on, so these are sent only at a figure that you set; an empty field stops the operation.',
  elsewhere:
    'Another connection has a cap or a minimum balance for a key of this one, so calls with that key are sent only at a figure that you set.',
  nowhere:
    'While a cap or a minimum balance is on, these are sent only at a figure that you set. None is on now, so they are sent.',
};

const seenText = (seen: Measured | undefined): string =>
  seen === undefined ? 'not measured' : `${countOf(seen.times, 'fall')} of ${formatNumber(seen.credits)}`;

interface FigureFieldProps {
  connectionId: string;
  operation: string;
  credits: number | null;
}

const figureOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));

/** Saved when the field is left or with Enter; empty removes the figure. Escape restores what was set. */
function FigureField({ connectionId, operation, credits }: FigureFieldProps) {
  const client = useQueryClient();
  const was = credits === null ? '' : String(credits);
  /** null: nothing is typed, so what is set is shown, also once it changes. The field stays, and with it the focus. */
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? was;
  const save = useMutation({
    // One after the other: what was typed while another figure is being saved is the one that stays.
    scope: { id: `figure ${operation} ${connectionId}` },
    mutationFn: (sent: string) => call('credits.set-price', { connectionId, operation, credits: figureOf(sent) }),
    meta: { subject: `Setting what ${operation} counts as`, connectionId },
    onSuccess: (now, sent) => {
      client.setQueryData(setPricesQuery(connectionId).queryKey, now);
      setTyped((since) => (since === sent ? null : since));
      const figure = figureOf(sent);
      announce(
        figure === null ? `${operation} no longer has a figure.` : `${operation} counts as ${formatCredits(figure)}.`,
      );
    },
  });
  const figure = figureOf(text);
  const wrong = figure !== null && !(figure >= 0 && figure <= 10_000);
  const take = () => {
    if (text !== (save.isPending ? save.variables : was) && !wrong) save.mutate(text);
  };
  return (
    <NumberInput
      aria-label={`Credits that ${operation} counts as`}
      placeholder="not set"
      allowNegative={false}
      clampBehavior="none"
      error={wrong ? '0 to 10,000' : save.error ? errorOf(save.error).message : undefined}
      value={text}
      onChange={(value) => setTyped(String(value))}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take();
        if (event.key !== 'Escape' || text === was) return;
        event.preventDefault();
        setTyped(null);
      }}
    />
  );
}
