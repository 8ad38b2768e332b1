import type { CallRecord } from '../../../shared/domain/activity.ts';
import { Dot } from '../../components/marks.tsx';
import type { TableColumn } from '../../components/table/table-columns.ts';
import { formatClock, formatDuration, formatNumber, formatWhen, zoneName } from '../../lib/text/format.ts';
import { interfaceText, outcomeText, outcomeTones } from './call-messages.ts';

/** No column sorts: the log comes page by page, and an order of what has come so far would pass for an order of all. */
export const activityColumns = (inWords: (call: CallRecord) => string): readonly TableColumn<CallRecord>[] => [
  {
    id: 'at',
    head: `Time, ${zoneName(new Date())}`,
    value: (call) => call.at,
    cell: (call) => <span className="tn">{timeOf(call.at)}</span>,
    width: 150,
    sort: false,
  },
  {
    id: 'operation',
    head: 'Operation',
    value: (call) => call.operation,
    cell: (call) => (
      <span title={`${call.operation}, ${interfaceText[call.interface]}`}>
        <span className="m">{call.operation}</span> <span className="xs t3">{interfaceText[call.interface]}</span>
      </span>
    ),
    width: 190,
    sort: false,
  },
  {
    id: 'subject',
    head: 'Subject',
    value: inWords,
    cell: (call) => (
      <span title={inWords(call) === call.subject ? call.subject : `${inWords(call)} (${call.subject})`}>
        {inWords(call)}
      </span>
    ),
    width: 150,
    grow: true,
    sort: false,
  },
  {
    id: 'connection',
    head: 'Connection',
    value: (call) => call.connectionName,
    cell: (call) => <span className="t2">{call.connectionName}</span>,
    width: 104,
    sort: false,
  },
  {
    id: 'paid-by',
    head: 'Paid by',
    value: (call) => call.paidBy,
    cell: (call) => (call.paidBy ? <span className="t2">{call.paidBy}</span> : <span className="t3 xs">nobody</span>),
    width: 152,
    sort: false,
  },
  {
    id: 'outcome',
    head: 'Outcome',
    value: (call) => outcomeText[call.outcome],
    cell: (call) => <Outcome call={call} />,
    width: 116,
    sort: false,
  },
  {
    id: 'credits',
    head: 'Price',
    name: 'Published price',
    value: (call) => call.expectedCredits,
    cell: (call) => <Price call={call} />,
    width: 96,
    align: 'right',
    sort: false,
  },
  {
    id: 'duration',
    head: 'Took',
    value: (call) => call.durationMs,
    cell: (call) => formatDuration(call.durationMs),
    width: 88,
    align: 'right',
    sort: false,
  },
];

/** Beside an open call, which shows the rest. */
export const shortColumns = (columns: readonly TableColumn<CallRecord>[]): readonly TableColumn<CallRecord>[] =>
  columns.filter(({ id }) => !['connection', 'paid-by', 'duration'].includes(id));

const seconds = new Intl.DateTimeFormat('en-GB', { second: '2-digit' });

/** "today 09:41:07": calls of one minute are told apart by their seconds. */
function timeOf(iso: string): string {
  const when = formatWhen(iso);
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return when;
  // A day of another year comes without its clock.
  if (!/\d\d:\d\d$/.test(when)) return `${when} ${formatClock(iso)}`;
  return `${when}:${seconds.format(at).padStart(2, '0')}`;
}

function Outcome({ call }: { call: CallRecord }) {
  const tone = outcomeTones[call.outcome];
  return (
    <span className={`row g6 ${tone ?? ''}`}>
      <Dot tone={tone ?? 'hollow'} />
      {outcomeText[call.outcome]}
    </span>
  );
}

/** By what is published; what the balance did stands in the ledger. */
function Price({ call: { outcome, expectedCredits } }: { call: CallRecord }) {
  if (outcome === 'held') return <span className="held xs">saved, free</span>;
  return expectedCredits === null ? <span className="t3 xs">not published</span> : formatNumber(expectedCredits);
}
