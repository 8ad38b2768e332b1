import { useEffect, useMemo, useRef } from 'react';
import type { Bulk, BulkRow, BulkRowState } from '../../../shared/domain/licences/licence-bulk.ts';
import { Notice } from '../../components/notice.tsx';
import { DataTable } from '../../components/table/data-table.tsx';
import { countOf, formatNumber } from '../../lib/text/format.ts';
import { legible } from '../../lib/text/legible.ts';
import { useGo } from '../../lib/window/routes.tsx';
import { bulkColumns, stateText } from './bulk-columns.tsx';
import { BulkFoot } from './bulk-foot.tsx';
import { changeBulk, changeChoices, chosenRows, useBulkFlow, useChoices } from './bulk-store.ts';
import { OwnTicks } from './own-ticks.tsx';

/** The plan row by row, each of which can be left out or included, then the result of each. */
export function BulkRows({ bulk }: { bulk: Bulk }) {
  const { connectionId } = bulk;
  const flow = useBulkFlow(connectionId);
  const running = bulk.state === 'running';
  const { chosen: decided } = useChoices(bulk.id);
  const chosen = useMemo(() => chosenRows(bulk, decided), [bulk, decided]);
  const free = !running && flow.busy === null;
  const toggle = (row: BulkRow) => {
    if (!free || row.state !== 'planned') return;
    changeChoices(bulk.id, { chosen: new Map(decided).set(row.row, !chosen.has(row.row)) });
  };
  /** Chooses all rows that can be run, or none if all are chosen. */
  const toggleAll = () => {
    // A row that needs a tick of its own is chosen individually.
    const isTaken = ({ tick }: BulkRow) => tick === undefined && take;
    const open = bulk.rows.filter(({ state }) => state === 'planned');
    const take = open.some(({ row, tick }) => tick === undefined && !chosen.has(row));
    changeChoices(bulk.id, { chosen: new Map(open.map((row) => [row.row, isTaken(row)])) });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the columns are stable while nothing is chosen or freed
  const columns = useMemo(
    () => bulkColumns(bulk.rows, chosen, free ? { toggle, toggleAll } : undefined),
    [bulk.rows, chosen, free],
  );
  const place = useRef<HTMLDivElement>(null);
  const fresh = flow.fresh === bulk.id;
  useEffect(() => {
    if (!fresh) return;
    changeBulk(connectionId, { fresh: null });
    place.current?.querySelector<HTMLElement>('[role="grid"]')?.focus();
  }, [fresh, connectionId]);
  return (
    <div className="bulk-rows" ref={place}>
      <RowStates rows={bulk.rows} />
      {bulk.pause && (
        <div className="pad pane-b">
          <Notice tone="danger" announce>
            {bulk.state === 'paused' && <span className="m">Paused. </span>}
            {bulk.pause}
            {chosen.size > 0 && ` ${countOf(chosen.size, 'chosen row')} not sent yet.`}
          </Notice>
        </div>
      )}
      <DataTable
        label="Rows of the bulk change"
        widthsKey="licence-bulk"
        columns={columns}
        rows={bulk.rows}
        keyOf={keyOf}
        onSelect={toggle}
        ofActive={(row) => <WholeRow row={row} />}
        rowClass={({ state }) =>
          ['not-seen', 'half-done', 'on-its-way', 'unknown'].includes(state) ? 'warn-row' : undefined
        }
      />
      {!running && (
        <OwnTicks rows={bulk.rows} chosen={chosen} bulkId={bulk.id} disabled={!free} name={({ row }) => `Row ${row}`} />
      )}
      {!running && <UnknownRows rows={bulk.rows.filter(({ state }) => state === 'unknown')} />}
      <BulkFoot bulk={bulk} chosen={chosen} free={free} />
    </div>
  );
}

const keyOf = ({ row }: BulkRow): string => String(row);

/** What the columns cut of a row: machines with long names, and the plan or what was found. */
function WholeRow({
  row: { row, kind, licenceReference, licenceNumber, from, to, text, serviceText },
}: {
  row: BulkRow;
}) {
  const change = [
    kind && `${kind} ${licenceReference || licenceNumber}`,
    from !== null && `from ${from}`,
    to !== null && `to ${to}`,
  ].filter((part) => part);
  return (
    <>
      <span className="m">{legible(`Row ${row}${change.length > 0 ? `, ${change.join(' ')}` : ''}:`)}</span>{' '}
      <span className="t2">{legible(serviceText === '' ? text : `${text} The service said: ${serviceText}`)}</span>
    </>
  );
}

function UnknownRows({ rows }: { rows: readonly BulkRow[] }) {
  const go = useGo();
  const [first] = rows;
  if (!first) return null;
  return (
    <div className="pad">
      <Notice
        tone="warn"
        action={
          <button type="button" className="link" onClick={() => go('licences', { show: 'unfinished' })}>
            Check it
          </button>
        }
      >
        <span className="m">
          {rows.length === 1
            ? `Row ${first.row} may have happened.`
            : `${formatNumber(rows.length)} rows may have happened.`}
        </span>{' '}
        {first.text} It is not sent again automatically; reading the machine will tell.
      </Notice>
    </div>
  );
}

const barClass: Readonly<Record<BulkRowState, string>> = {
  seen: 'done',
  'on-its-way': 'unknown',
  'half-done': 'unknown',
  'not-seen': 'not-done',
  confirmed: 'done',
  contradicted: 'not-done',
  unknown: 'unknown',
  sent: 'sent',
  planned: 'waiting',
  failed: 'failed',
  skipped: 'left',
};
const barOrder: readonly BulkRowState[] = [
  'seen',
  'confirmed',
  'not-seen',
  'contradicted',
  'half-done',
  'failed',
  'on-its-way',
  'unknown',
  'sent',
  'planned',
  'skipped',
];

/** How many rows are in which state, as a bar and in words. */
function RowStates({ rows }: { rows: readonly BulkRow[] }) {
  const counts = barOrder
    .map((state) => ({ state, count: rows.filter((row) => row.state === state).length }))
    .filter(({ count }) => count > 0);
  return (
    <section className="bulk-bar" aria-label="States of the rows">
      <span className="h nowrap">{countOf(rows.length, 'row')}</span>
      <span className="states" aria-hidden="true">
        {counts.map(({ state, count }) => (
          <i key={state} className={barClass[state]} style={{ flex: count }} />
        ))}
      </span>
      <span className="row wrap g12 sm">
        {counts.map(({ state, count }) => (
          <span key={state} className={`word ${barClass[state]}`}>
            {formatNumber(count)} {stateText[state]}
          </span>
        ))}
      </span>
    </section>
  );
}
