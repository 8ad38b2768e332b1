import { useQuery } from '@tanstack/react-query';
import { protocolNames } from '../../../../shared/domain/connection.ts';
import { formatKey, protocolOfSource } from '../../../../shared/domain/credits/credits.ts';
import type { Reconciliation } from '../../../../shared/domain/credits/credits-history.ts';
import { NotRead, ReadNotice } from '../../../components/read-failure.tsx';
import { EmptyState } from '../../../components/state.tsx';
import { countOf, formatCredits, formatNumber, formatWhen } from '../../../lib/text/format.ts';
import { sourceNames } from '../balance/sources.ts';
import { MadeUpNote } from '../made-up-note.tsx';
import { type Range, reconcileQuery } from '../queries.ts';

/** The prices of this console's calls beside what its balances did. */
export function ReconcilePane({ connectionId, range }: { connectionId: string; range: Range }) {
  const query = useQuery(reconcileQuery(connectionId, range));
  if (!query.data || (query.error && query.data.balances.length === 0)) {
    return (
      <NotRead of={query} subject="Reconciliation not made">
        <p className="pad sm t3" aria-busy="true">
          Comparing calls with readings …
        </p>
      </NotRead>
    );
  }
  const { balances, madeUp } = query.data;
  if (balances.length === 0) {
    return (
      <EmptyState title="No balance was read in this range">
        Read the balance, or choose a longer range. Two readings are needed.
      </EmptyState>
    );
  }
  return (
    <div className="credits-reconcile">
      <ReadNotice of={query}>The reconciliation could not be made again and may be out of date.</ReadNotice>
      {balances.map((balance) => (
        <BalanceSheet
          key={`${balance.source} ${balance.keys.map(({ keyLastFour }) => keyLastFour).join()}`}
          balance={balance}
        />
      ))}
      {madeUp && <MadeUpNote until={madeUp.until} />}
    </div>
  );
}

function keysText({ keys }: Reconciliation): string {
  return new Intl.ListFormat('en-GB').format(keys.map(formatKey));
}

function BalanceSheet({ balance }: { balance: Reconciliation }) {
  const { opening, closing, source, keys } = balance;
  return (
    <section aria-label={`${sourceNames[source]}, ${keysText(balance)}`}>
      <h2 className="h">
        {sourceNames[source]}: {keysText(balance)}
      </h2>
      {keys[0] && keys.length > 1 && (
        <p className="sm t2">
          Nobody has said that these keys have separate balances, so the calls of all of them are set against what{' '}
          {formatKey(keys[0])} read.
        </p>
      )}
      {opening && closing ? (
        <Lines balance={balance} opening={opening} closing={closing} />
      ) : (
        <p className="sm t2">
          Fewer than two readings of this balance in a row in this range, so there is no movement to compare calls with.{' '}
          {outsideText(balance)} {otherCallsText(balance)}
        </p>
      )}
    </section>
  );
}

type Figure = NonNullable<Reconciliation['opening']>;

function Lines({ balance, opening, closing }: { balance: Reconciliation; opening: Figure; closing: Figure }) {
  const { additions, spent, expected, observed, others, othersMadeUp, unexplained, open } = balance;
  const row = (what: string, credits: number, why: string, tone = '') => (
    <tr key={`${what} ${why}`} className={tone === 'warn' ? 'warn-row' : undefined}>
      <th scope="row">{what}</th>
      <td className="num m">{formatNumber(credits)}</td>
      <td className="t2 wraps">{why}</td>
    </tr>
  );
  return (
    <>
      <table className="tbl tight credits-sheet" aria-label="Prices against balance">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col" className="num">
              Credits
            </th>
            <th scope="col">How it is known</th>
          </tr>
        </thead>
        <tbody>
          {row('At the start', opening.credits, `read ${formatWhen(opening.at)}`)}
          {additions.map((one) =>
            row('Rose', one.credits, `between ${formatWhen(one.since)} and ${formatWhen(one.at)}`),
          )}
          {spent.map(({ paidBy, credits, calls }) =>
            row(
              `Calls paid by ${paidBy}`,
              -credits,
              `${countOf(calls, 'call')} of this console, by the fall seen or the published price`,
            ),
          )}
          {others > 0 &&
            row(
              'Without a call',
              -others,
              `fell while no call of this console that may draw on it was open, apart from those that are free by published prices${othersMadeUp > 0 ? `; ${formatNumber(othersMadeUp)} of them in the demo’s made-up history` : ''}`,
              'warn',
            )}
          {unexplained > 0 &&
            row(
              'Beyond the prices',
              -unexplained,
              'fell beside calls of this console, by more than their prices or their own balances show',
              'warn',
            )}
          {open !== 0 && row('Left open', -open, openText(balance), 'warn')}
          {row('At the end', closing.credits, `read ${formatWhen(closing.at)}`)}
        </tbody>
      </table>
      <p className="sm t2">
        Calls of this console that count against it: {formatCredits(expected)}. {movedText(observed)}{' '}
        {outsideText(balance)} {otherCallsText(balance)} {quietText(balance)}
      </p>
    </>
  );
}

/** What the balance did besides what came in and is listed. Figures that contradict each other, and readings beside a call, may show a rise that is not. */
export const movedText = (observed: number): string =>
  observed < 0
    ? `Apart from what is listed, the balance rose by ${formatCredits(-observed)}.`
    : `Fall of the balance: ${formatCredits(observed)}.`;

export function openText({ open, unpriced, undecided, mayHaveDrawn }: Reconciliation): string {
  const reasons = [
    unpriced > 0 ? `${countOf(unpriced, 'call')} without a published price` : '',
    undecided > 0 ? `${formatCredits(undecided)} of calls that are open` : '',
    open > 0 && mayHaveDrawn > 0 ? 'calls named below that may have drawn on it' : '',
  ].filter((reason) => reason !== '');
  if (reasons.length > 0) return reasons.join(', ');
  return open < 0 ? 'the lines above come to more than the balance fell by' : 'no reading shows which';
}

/** What else was spent in the range, so that the sheet and the chart of the same days can be added up. */
function outsideText({ outside, closing }: Reconciliation): string {
  if (outside === 0) return '';
  return closing === null
    ? `Calls of this console come to ${formatCredits(outside)}, by the falls seen or the published prices.`
    : `Calls before the first reading or after the last come to ${formatCredits(outside)} more, by the falls seen or the published prices.`;
}

/** Calls over the other interface that may have drawn on the balance and are in none of its figures. */
export function otherCallsText({ source, mayHaveDrawn }: Reconciliation): string {
  if (mayHaveDrawn === 0) return '';
  const other = protocolNames[protocolOfSource(source) === 'rest' ? 'soap' : 'rest'];
  return `${countOf(mayHaveDrawn, 'call')} over ${other} may have drawn on it too; no reading shows that.`;
}

export function quietText({ source, quiet: { windows, still, seconds } }: Reconciliation): string {
  // Counted so: by when a call was begun. One over the other interface, or of another connection with the same key, may lie in a quiet window.
  const protocol = protocolNames[protocolOfSource(source)];
  if (windows === 0)
    return `Between any two readings a call of this connection over ${protocol} was begun that is not free by its published price, sent or not.`;
  const hours = seconds / 3600;
  const time =
    seconds < 60
      ? 'less than a minute'
      : hours < 1
        ? countOf(Math.round(seconds / 60), 'minute')
        : countOf(Math.round(hours), 'hour');
  return `Of ${countOf(windows, 'quiet window')} over ${protocol} (${time}, with no call of this connection over it begun between the readings, apart from those that are free by published prices), the balance stood still in ${formatNumber(still)} and moved in ${formatNumber(windows - still)}.`;
}
