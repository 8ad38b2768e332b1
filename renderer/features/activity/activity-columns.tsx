import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import type { CallFold, CallRecord } from '../../../shared/domain/activity.ts';
import { protocolNames } from '../../../shared/domain/connection.ts';
import { Dot } from '../../components/marks.tsx';
import type { TableColumn } from '../../components/table/table-columns.ts';
import { countOf, formatClock, formatDuration, formatMoment, formatNumber, formatWhen } from '../../lib/text/format.ts';
import type { ActivityRow } from './activity-rows.ts';
import { outcomeText, outcomeTones, priceText } from './call-messages.ts';

/** A column of calls; a folded line shows what `fold` returns, or nothing. */
function column(
  given: Omit<TableColumn<ActivityRow>, 'value' | 'cell' | 'text' | 'sort'> & {
    value: (call: CallRecord) => string | number | null;
    text?: (call: CallRecord) => string | number | null;
    cell?: (call: CallRecord) => React.ReactNode;
    fold?: (row: Extract<ActivityRow, { kind: 'fold' }>) => string;
    foldCell?: (row: Extract<ActivityRow, { kind: 'fold' }>) => React.ReactNode;
  },
): TableColumn<ActivityRow> {
  const { value, text, cell, fold, foldCell, ...rest } = given;
  return {
    ...rest,
    // The log comes page by page, and sorting what has been read so far would look like sorting all of it.
    sort: false,
    value: (row) => (row.kind === 'fold' ? (fold?.(row) ?? null) : value(row.call)),
    text: (row) => (row.kind === 'fold' ? (fold?.(row) ?? null) : (text ?? value)(row.call)),
    cell: (row) => {
      if (row.kind === 'fold') return foldCell ? foldCell(row) : <span className="t3">{fold?.(row)}</span>;
      const shown = cell ? cell(row.call) : value(row.call);
      return row.kind === 'read' ? <span className="t3">{shown}</span> : shown;
    },
  };
}

function answeredText({ count, unanswered }: CallFold): string {
  if (count === 1) return unanswered === 0 ? 'answered' : 'not answered';
  return unanswered === 0 ? 'all answered' : `${formatNumber(unanswered)} not answered`;
}

/**
 * The address comes first, the number last. `zones`: of the times shown, for the head. `formatSubject` writes a premise as its address if
 * that is saved.
 */
export const activityColumns = (
  zones: string,
  formatSubject: (call: CallRecord) => string,
): readonly TableColumn<ActivityRow>[] => [
  column({
    id: 'at',
    head: `Time, ${zones}`,
    value: ({ at }) => at,
    text: ({ at }) => formatMoment(at),
    cell: ({ at }) => <span className="tn t2">{timeOf(at)}</span>,
    fold: ({ fold }) => spanOf(fold),
    foldCell: ({ fold }) => (
      <span className="tn t3" title={spanOf(fold)}>
        {fold.count === 1 ? timeOf(fold.to) : `to ${timeOf(fold.to)}`}
      </span>
    ),
    width: 150,
  }),
  column({
    id: 'subject',
    head: 'About',
    value: formatSubject,
    cell: (call) => (
      <span title={formatSubject(call) === call.subject ? call.subject : `${formatSubject(call)} (${call.subject})`}>
        {formatSubject(call)}
      </span>
    ),
    fold: ({ fold }) => countOf(fold.count, 'balance read'),
    foldCell: ({ fold, open }) => (
      <span className="row g6 t2">
        {open ? (
          <IconChevronDown size={13} className="ti" aria-hidden="true" />
        ) : (
          <IconChevronRight size={13} className="ti" aria-hidden="true" />
        )}
        {countOf(fold.count, 'balance read')}
      </span>
    ),
    width: 172,
    grow: true,
  }),
  column({
    id: 'operation',
    head: 'Operation',
    value: ({ operation }) => operation,
    cell: (call) => (
      <span title={`${call.operation}, ${protocolNames[call.interface]}`}>
        {call.operation} <span className="xs t3">{protocolNames[call.interface]}</span>
      </span>
    ),
    fold: () => 'GetCredits',
    width: 176,
  }),
  column({
    id: 'person',
    head: 'Who',
    value: ({ person }) => person || null,
    cell: ({ person, source }) =>
      person ? (
        <span className="t2" title={source}>
          {person}
        </span>
      ) : (
        <span className="t3 xs">not recorded</span>
      ),
    width: 96,
  }),
  column({
    id: 'paid-by',
    head: 'Paid by',
    value: ({ paidBy }) => paidBy || null,
    cell: ({ paidBy }) => (paidBy ? <span className="t2">{paidBy}</span> : <span className="t3 xs">nobody</span>),
    width: 130,
  }),
  column({
    id: 'outcome',
    head: 'Outcome',
    value: ({ outcome }) => outcomeText[outcome],
    cell: (call) => <Outcome call={call} />,
    fold: ({ fold }) => answeredText(fold),
    width: 122,
  }),
  column({
    id: 'credits',
    head: 'Price',
    name: 'Published price',
    value: ({ expectedCredits }) => expectedCredits,
    text: priceText,
    cell: (call) => <Price call={call} />,
    fold: () => 'free',
    width: 100,
    align: 'right',
  }),
  column({
    id: 'connection',
    head: 'Connection',
    value: ({ connectionName }) => connectionName,
    cell: ({ connectionName }) => <span className="t2">{connectionName}</span>,
    width: 112,
  }),
  column({
    id: 'source',
    head: 'Asked in',
    value: ({ source }) => source || null,
    cell: ({ source }) => <span className="t3">{source || 'not recorded'}</span>,
    width: 100,
  }),
  column({
    id: 'duration',
    head: 'Took',
    value: ({ durationMs }) => formatDuration(durationMs),
    width: 84,
    align: 'right',
  }),
  column({ id: 'number', head: 'Number', value: ({ subject }) => subject, width: 110 }),
];

/** Hidden until a person asks for them. */
export const hiddenAtFirst = ['source', 'number', 'connection'];

const shownBeside = ['paid-by', 'credits', 'connection', 'source', 'duration', 'number'];
/** Left out beside an open call, whose pane shows them: in a wide window, and in one of 1024 pixels. */
export const leftOutBeside = { wide: shownBeside, medium: [...shownBeside, 'operation', 'person'] } as const;

/** Left out in a window of 1024 pixels; the pane of a call shows them. */
export const leftOutNarrow = ['paid-by', 'duration'];

const seconds = new Intl.DateTimeFormat('en-GB', { second: '2-digit' });

/** "today 09:41:07": the seconds distinguish calls of one minute. */
function timeOf(iso: string): string {
  const when = formatWhen(iso);
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return when;
  // formatWhen writes a day of another year without the time.
  if (!/\d\d:\d\d$/.test(when)) return `${when} ${formatClock(iso)}`;
  return `${when}:${seconds.format(at).padStart(2, '0')}`;
}

/** With the days of both ends: a night or a weekend is folded too, and what is copied is read on other days. */
const spanOf = ({ count, from, to }: CallFold): string =>
  count === 1 ? formatMoment(to) : `${formatMoment(from)} to ${formatMoment(to)}`;

function Outcome({ call }: { call: CallRecord }) {
  const tone = outcomeTones[call.outcome];
  return (
    <span className={`row g6 ${tone ?? ''}`}>
      <Dot tone={tone ?? 'hollow'} />
      {outcomeText[call.outcome]}
    </span>
  );
}

/** The published price; the ledger shows what the balance did. */
function Price({ call }: { call: CallRecord }) {
  const text = priceText(call);
  if (text === null) return <span className="t3 xs">not published</span>;
  return typeof text === 'number' ? formatNumber(text) : <span className="good xs">{text}</span>;
}
