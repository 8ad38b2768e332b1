import type { ReactNode } from 'react';
import type { LedgerSums } from '../../../../shared/domain/credits/credits.ts';
import type { EndingGroup } from '../../../../shared/domain/row-filter.ts';
import { CountingLine } from '../../../components/filter/counting-line.tsx';
import { ColumnsButton } from '../../../components/table/columns-button.tsx';
import { countOf, formatNumber } from '../../../lib/text/format.ts';
import { figureWidths, hiddenAtFirst, ledgerColumns } from './ledger-columns.tsx';

export const endingChoices: readonly { value: EndingGroup; label: string }[] = [
  { value: 'answered', label: 'answered' },
  { value: 'refused', label: 'refused' },
  { value: 'no-answer', label: 'no usable answer' },
  { value: 'not-sent', label: 'not sent' },
  { value: 'under-way', label: 'under way' },
];

/** Which columns the ledger shows. */
export const LedgerColumnsButton = () => (
  <ColumnsButton
    table="credits-ledger"
    columns={ledgerColumns('', new Date(0), (subject) => subject, figureWidths([])).map((column) =>
      column.id === 'at' ? { ...column, head: 'Time' } : column,
    )}
    hiddenAtFirst={hiddenAtFirst}
    small
  />
);

/**
 * The sums of the matching entries: prices as published, falls as the balance showed them, each kind by itself. Nothing is added up across
 * kinds, since a price is no fall and a fall shared by several calls belongs to none of them. Null: not counted, or not yet.
 */
export function LedgerSumsLine({
  sums,
  failed,
  children,
}: {
  sums: LedgerSums | null;
  failed: boolean;
  children: ReactNode;
}) {
  if (!sums) return <CountingLine failed={failed}>{children}</CountingLine>;
  const {
    entries,
    of,
    price,
    unpriced,
    alone,
    byPrice,
    shared,
    sharedBy,
    open,
    notExplained,
    added,
    balances,
    madeUp,
  } = sums;
  return (
    <div className="filter-sums">
      <div className="filter-figures" role="status">
        <span>
          <b>{formatNumber(entries)}</b> of {countOf(of, 'entry', 'entries')}
        </span>
        <span>
          published prices <b>{formatNumber(price)}</b>
          {unpriced > 0 && `, ${countOf(unpriced, 'call')} without one`}
        </span>
        <span title="Each is the fall that follows for one call alone">
          spend seen, one by one <b>{formatNumber(alone)}</b>
        </span>
        {byPrice > 0 && (
          <span title="What came to the published prices of several calls">
            in groups, by price <b>{formatNumber(byPrice)}</b>
          </span>
        )}
        {sharedBy > 0 && (
          <span title="What each of these calls cost is not known">
            shared <b>{formatNumber(shared)}</b> by {countOf(sharedBy, 'call')}
          </span>
        )}
        {open > 0 && (
          <span>
            <b>{formatNumber(open)}</b> open or not known
          </span>
        )}
        {added > 0 && (
          <span>
            rose by <b>{formatNumber(added)}</b>
          </span>
        )}
        {notExplained > 0 && (
          <span className="warn">
            not explained <b>{formatNumber(notExplained)}</b>
          </span>
        )}
        {balances > 1 && (
          <span title="Nobody has said that they are separate: the same credits may be in what rose and what is not explained more than once">
            from balances that may be the same one
          </span>
        )}
        {madeUp > 0 && (
          <span className="t3" title="The demo’s history is made up, and is in none of these sums">
            {formatNumber(madeUp)} made up, in no sum
          </span>
        )}
      </div>
      <span className="grow" />
      <div className="row g12">{children}</div>
    </div>
  );
}
