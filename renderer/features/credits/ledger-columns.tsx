import type { LedgerEntry } from '../../../shared/domain/credits.ts';
import { Tag } from '../../components/marks.tsx';
import type { TableColumn } from '../../components/table-columns.ts';
import { formatClock, formatNumber, formatWhen, zoneName } from '../../lib/format.ts';
import { Verdict, verdictText } from './verdicts.tsx';

const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', hour: '2-digit', minute: '2-digit' });
const dayMs = 86_400_000;

/** "09:41:07" today, "Fri 17:31" in the last six days, then the date. */
function shortTime(iso: string, today: Date): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const midnight = new Date(today.getFullYear(), today.getMonth(), today.getDate()).getTime();
  if (at.getTime() >= midnight) return formatClock(iso);
  return midnight - at.getTime() < 6 * dayMs ? weekday.format(at) : formatWhen(iso, today);
}

/** "GMT", or "BST/GMT" where the clocks changed between these times; the line under a row has its own zone. */
export function zonesOf(entries: readonly LedgerEntry[]): string {
  const times = entries.map(({ at }) => new Date(at)).filter((at) => !Number.isNaN(at.getTime()));
  const zones = new Set((times.length === 0 ? [new Date()] : times).map(zoneName));
  return [...zones].sort().join('/');
}

const Figure = ({ value, unknown, className }: { value: number | null; unknown: string; className: string }) =>
  value === null ? <span className="xs t3">{unknown}</span> : <span className={className}>{formatNumber(value)}</span>;

/** What was asked for; of a movement without a call, what a person said of it. */
const subjectText = ({ verdict, subject, note }: LedgerEntry): string => (verdict === 'unexplained' ? note : subject);

/** The ledger's columns. `zones`: of the times shown, for the head. `today`: any time of this day. */
export function ledgerColumns(zones: string, today: Date): readonly TableColumn<LedgerEntry>[] {
  return [
    {
      id: 'at',
      head: `Time, ${zones}`,
      value: (entry) => Date.parse(entry.at),
      cell: ({ at }) => <span className="t2 tn">{shortTime(at, today)}</span>,
      width: 102,
    },
    {
      id: 'operation',
      head: 'Operation',
      value: (entry) => entry.operation,
      cell: ({ operation, verdict }) => (
        <span className={verdict === 'unexplained' ? 'm' : undefined} title={operation}>
          {operation}
        </span>
      ),
      width: 176,
    },
    {
      id: 'subject',
      head: 'Subject',
      value: subjectText,
      cell: (entry) => (
        <span className="t2" title={subjectText(entry)}>
          {subjectText(entry)}
        </span>
      ),
      width: 84,
      grow: true,
    },
    {
      id: 'paid-by',
      head: 'Paid by',
      value: (entry) => entry.paidBy,
      cell: (entry) => <span className="t2">{entry.paidBy}</span>,
      width: 107,
    },
    {
      id: 'expected',
      head: 'Expected',
      value: (entry) => entry.expected,
      cell: ({ expected }) => <Figure value={expected} unknown="not published" className="" />,
      width: 90,
      align: 'right',
    },
    {
      id: 'observed',
      head: 'Observed',
      value: (entry) => entry.observed,
      cell: ({ observed, verdict }) => (
        <Figure value={observed} unknown="not read" className={verdict === 'unexplained' ? 'b' : 'm'} />
      ),
      width: 76,
      align: 'right',
    },
    {
      id: 'after',
      head: 'After',
      name: 'Balance after',
      value: (entry) => entry.balanceAfter,
      cell: ({ balanceAfter }) => <Figure value={balanceAfter} unknown="not read" className="t2" />,
      width: 64,
      align: 'right',
    },
    {
      id: 'verdict',
      head: 'Verdict',
      value: verdictText,
      cell: (entry) => (
        <>
          <Verdict entry={entry} />
          {entry.madeUp && (
            <>
              {' '}
              <Tag tone="line">demo</Tag>
            </>
          )}
        </>
      ),
      width: 148,
    },
  ];
}
