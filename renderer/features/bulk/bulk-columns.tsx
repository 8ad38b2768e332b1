import { Checkbox, Loader } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { BulkRow, BulkRowState } from '../../../shared/domain/licences/licence-bulk.ts';
import { Dot, Mono, Tag } from '../../components/marks.tsx';
import type { TableColumn } from '../../components/table/table-columns.ts';
import { describeCredits, describeExpiry, describeSeats, describeStatus } from './planned-licence.ts';

/** The states in words. */
export const stateText: Readonly<Record<BulkRowState, string>> = {
  planned: 'planned',
  sent: 'under way',
  seen: 'seen as planned',
  'on-its-way': 'on its way',
  'half-done': 'half done',
  'not-seen': 'not seen',
  unknown: 'not read back',
  failed: 'failed, not sent',
  skipped: 'left out',
  confirmed: 'done, said an earlier version',
  contradicted: 'not done, said an earlier version',
};

interface Choice {
  toggle: (row: BulkRow) => void;
  toggleAll: () => void;
}

/** Columns of the rows. `chosen`: rows to be run; `choice` undefined: nothing can be chosen now. */
export function bulkColumns(
  rows: readonly BulkRow[],
  chosen: ReadonlySet<number>,
  choice: Choice | undefined,
): readonly TableColumn<BulkRow>[] {
  const onToggle = choice?.toggle;
  const open = rows.filter(({ state }) => state === 'planned').length;
  return [
    {
      id: 'chosen',
      head: (
        <Checkbox
          className="bulk-check"
          size="xs"
          aria-label="Choose all rows"
          checked={open > 0 && chosen.size === open}
          indeterminate={chosen.size > 0 && chosen.size < open}
          disabled={open === 0 || choice === undefined}
          onChange={() => choice?.toggleAll()}
        />
      ),
      name: 'Chosen',
      value: ({ row }) => (chosen.has(row) ? 0 : 1),
      cell: (row) => (
        <Checkbox
          className="bulk-check"
          size="xs"
          aria-label={row.tick === undefined ? `Run row ${row.row}` : `Run row ${row.row}. ${row.tick}`}
          title={row.tick}
          checked={row.state === 'planned' ? chosen.has(row.row) : row.state !== 'skipped' && row.state !== 'failed'}
          disabled={row.state !== 'planned' || onToggle === undefined}
          onChange={() => onToggle?.(row)}
          tabIndex={-1}
        />
      ),
      width: 44,
      sort: false,
    },
    { id: 'row', head: 'Row', value: ({ row }) => row, width: 44 },
    {
      id: 'licence',
      head: 'Licence',
      value: ({ licenceReference, licenceNumber }) => licenceReference || licenceNumber,
      cell: ({ licenceReference, licenceNumber }) => (
        <span className="m" title={`LicenseID ${licenceNumber}`}>
          {licenceReference || licenceNumber || 'none'}
        </span>
      ),
      width: 100,
    },
    { id: 'change', head: 'Change', value: ({ kind }) => kind, cell: ({ kind }) => kind ?? 'none', width: 70 },
    {
      id: 'from',
      head: 'From',
      value: ({ from }) => from,
      cell: ({ from }) => (from === null ? <span className="t3">no machine</span> : <MachineName name={from} />),
      width: 100,
    },
    {
      id: 'to',
      head: 'To',
      value: ({ to }) => to,
      cell: ({ to }) => (to === null ? <span className="t3">no machine</span> : <MachineName name={to} />),
      width: 100,
    },
    {
      id: 'state',
      head: 'State',
      value: ({ state }) => stateText[state],
      cell: ({ state }) => <StateCell state={state} />,
      width: 134,
    },
    ...licenceColumns,
    {
      id: 'text',
      head: 'Plan, or what was found',
      value: ({ text }) => text,
      cell: ({ text, serviceText }) => (
        <span className="t2" title={serviceText === '' ? text : `${text}\nThe service said: ${serviceText}`}>
          {text}
        </span>
      ),
      width: 114,
      grow: true,
    },
  ];
}

/** The tooltip has the whole name; the column can also be widened. */
const MachineName = ({ name }: { name: string }) => (
  <span title={name}>
    <Mono>{name}</Mono>
  </span>
);

/** What the account's list said of the licence of a row when it was planned. */
const licenceColumns: readonly TableColumn<BulkRow>[] = [
  {
    id: 'status',
    head: 'Status',
    value: ({ licence }) => licence?.status ?? null,
    cell: ({ licence, tick }) => <span className={tick ? 'warn' : ''}>{describeStatus(licence)}</span>,
    width: 88,
  },
  {
    id: 'seats',
    head: 'Seats before',
    value: ({ licence }) => licence?.seatsFree ?? null,
    text: ({ licence }) => describeSeats(licence),
    cell: ({ licence }) => describeSeats(licence),
    width: 98,
  },
  {
    id: 'expires',
    head: 'Expires',
    value: ({ licence }) => licence?.expiresOn ?? null,
    text: ({ licence }) => describeExpiry(licence),
    cell: ({ licence }) => describeExpiry(licence),
    width: 102,
  },
  {
    id: 'credits',
    head: 'Credits',
    value: ({ licence }) => licence?.credits ?? null,
    text: ({ licence }) => describeCredits(licence),
    cell: ({ licence }) => describeCredits(licence),
    width: 80,
    align: 'right',
  },
];

export function StateCell({ state }: { state: BulkRowState }) {
  const word = stateText[state];
  if (state === 'seen')
    return (
      <span className="row g6 good">
        <IconCheck size={14} className="ti" aria-hidden="true" /> {word}
      </span>
    );
  if (state === 'not-seen') return <Tag tone="danger">{word}</Tag>;
  if (state === 'unknown' || state === 'on-its-way' || state === 'half-done') return <Tag tone="warn">{word}</Tag>;
  if (state === 'sent')
    return (
      <span className="row g6 accent m">
        <Loader size={11} aria-hidden="true" /> {word}
      </span>
    );
  return (
    <span className="row g6">
      <Dot
        {...(state === 'planned' ? { tone: 'hollow' as const } : state === 'failed' ? { tone: 'danger' as const } : {})}
      />
      {word}
    </span>
  );
}
