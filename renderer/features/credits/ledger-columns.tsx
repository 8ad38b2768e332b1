import type { LedgerEntry } from '../../../shared/domain/credits.ts';
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

/** The zones of these times: one, or both where the clocks changed between them. */
export function zonesOf(entries: readonly LedgerEntry[]): string[] {
  const zones = new Set(entries.flatMap(({ at }) => (Number.isNaN(Date.parse(at)) ? [] : [zoneName(new Date(at))])));
  return zones.size === 0 ? [zoneName(new Date())] : [...zones];
}

const Figure = ({ value, unknown, className }: { value: number | null; unknown: string; className: string }) =>
  value === null ? <span className="xs t3">{unknown}</span> : <span className={className}>{formatNumber(value)}</span>;

/** The ledger's columns. `zones`: as zonesOf gives them; with two, each row carries its own. `today`: any time of this day. */
export function ledgerColumns(zones: readonly string[], today: Date): readonly TableColumn<LedgerEntry>[] {
  const [zone, ...others] = zones;
  const mixed = others.length > 0;
  return [
    {
      id: 'at',
      head: mixed ? 'Time' : `Time, ${zone}`,
      value: (entry) => Date.parse(entry.at),
      cell: ({ at }) => (
        <span className="t2 tn">
          {mixed ? `${shortTime(at, today)} ${zoneName(new Date(at))}` : shortTime(at, today)}
        </span>
      ),
      width: mixed ? 132 : 104,
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
      width: 186,
    },
    {
      id: 'subject',
      head: 'Subject',
      value: (entry) => entry.subject,
      cell: ({ subject }) => (
        <span className="t2" title={subject}>
          {subject}
        </span>
      ),
      width: 90,
      grow: true,
    },
    {
      id: 'paid-by',
      head: 'Paid by',
      value: (entry) => entry.paidBy,
      cell: (entry) => <span className="t2">{entry.paidBy}</span>,
      width: 110,
    },
    {
      id: 'expected',
      head: 'Expected',
      value: (entry) => entry.expected,
      cell: ({ expected }) => <Figure value={expected} unknown="not published" className="" />,
      width: 92,
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
      width: 70,
      align: 'right',
    },
    { id: 'verdict', head: 'Verdict', value: verdictText, cell: (entry) => <Verdict entry={entry} />, width: 148 },
  ];
}
