import { shortenMoneyClaims } from '../../../../shared/claims/money-claims.ts';
import type { LedgerEntry } from '../../../../shared/domain/credits/credits.ts';
import { Tag } from '../../../components/marks.tsx';
import { ShortClaim, toneOfClaims } from '../../../components/money/money-claims.tsx';
import type { TableColumn } from '../../../components/table/table-columns.ts';
import { formatClock, formatMoment, formatNumber, formatWhen } from '../../../lib/text/format.ts';
import { fallOf, fallText, sentencesOf } from './entry-text.ts';

const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', hour: '2-digit', minute: '2-digit' });

/** "09:41:07" today, "Fri 17:31" in the last six days, then the date. */
export function shortTime(iso: string, today: Date): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  // By the calendar: a day in which the clocks change has 23 or 25 hours.
  const isSince = (daysAgo: number): boolean =>
    at >= new Date(today.getFullYear(), today.getMonth(), today.getDate() - daysAgo);
  if (isSince(0)) return formatClock(iso);
  return isSince(6) ? weekday.format(at) : formatWhen(iso, today);
}

const Figure = ({ value, unknown, className }: { value: number | null; unknown: string; className: string }) =>
  value === null ? <span className="xs t3">{unknown}</span> : <span className={className}>{formatNumber(value)}</span>;

/** What the balance did: a figure if it belongs to this row alone, else in words. Amber if it is more than the price. */
function Fall({ entry }: { entry: LedgerEntry }) {
  const { kind, expected, observed, claims } = entry;
  const text = fallText(entry);
  if (typeof fallOf(entry) === 'string') return <span className={`xs ${toneOfClaims(claims) ?? 't3'}`}>{text}</span>;
  const more = kind === 'call' && expected !== null && observed !== null && observed > expected;
  return <span className={more ? 'warn m' : kind === 'movement' ? 'b' : 'm'}>{text}</span>;
}

/** Whether an entry needs somebody's attention, so that its sentences appear under it unasked. */
export const standsOut = ({ kind, observed, note, claims }: LedgerEntry): boolean =>
  kind === 'movement'
    ? (observed === null || observed > 0) && note === ''
    : claims.some((claim) => claim.kind === 'may-come' || claim.kind === 'late');

/** What was asked for; for a movement without a call, a person's note. */
const subjectText = ({ kind, subject, note }: LedgerEntry): string => (kind === 'movement' ? note : subject);

const titleOf = (subject: string, formatSubject: (subject: string) => string): string =>
  formatSubject(subject) === subject ? subject : `${formatSubject(subject)} (${subject})`;

/** Hidden until a person asks for them: the whole sentence appears under a row that is opened. */
export const hiddenAtFirst = ['person', 'sentence'];

/** In pixels, with the cell's own space: figures are drawn larger than words. */
const widthOf = (figure: number | string | null): number =>
  20 + (typeof figure === 'string' ? 6 * figure.length : figure === null ? 0 : 7.2 * formatNumber(figure).length);

/** Wide enough for the longest: a figure that is cut reads as another. */
const widthFor = (figures: readonly (number | string | null)[]): number =>
  figures.reduce<number>((most, figure) => Math.max(most, widthOf(figure)), 76);

/** Of the columns of figures of the balance, which may have many digits. */
export const figureWidths = (entries: readonly LedgerEntry[]) => ({
  fall: widthFor(entries.map(fallOf)),
  after: widthFor(entries.map(({ balanceAfter }) => balanceAfter)),
});

/** `zones`: of the times shown, for the head. `today`: any time of this day. `formatSubject`: a premise as its address if that is saved. */
export function ledgerColumns(
  zones: string,
  today: Date,
  formatSubject: (subject: string) => string,
  { fall, after }: ReturnType<typeof figureWidths>,
): readonly TableColumn<LedgerEntry>[] {
  return [
    {
      id: 'at',
      head: `Time, ${zones}`,
      value: (entry) => Date.parse(entry.at),
      text: ({ at }) => formatMoment(at),
      cell: ({ at }) => <span className="t2 tn">{shortTime(at, today)}</span>,
      width: 102,
    },
    {
      id: 'operation',
      head: 'Operation',
      value: (entry) => entry.operation,
      cell: ({ operation, kind, note }) => (
        // The next column of a fall without a call and without a note is empty, so its text may run on there.
        <span className={kind === 'movement' ? (note === '' ? 'm runs-on' : 'm') : undefined} title={operation}>
          {operation}
        </span>
      ),
      width: 140,
    },
    {
      id: 'subject',
      head: 'About',
      value: (entry) => formatSubject(subjectText(entry)),
      cell: (entry) => (
        <span className="t2" title={titleOf(subjectText(entry), formatSubject)}>
          {formatSubject(subjectText(entry))}
        </span>
      ),
      width: 96,
      grow: true,
    },
    {
      id: 'paid-by',
      head: 'Paid by',
      value: (entry) => entry.paidBy,
      cell: ({ paidBy }) => (
        <span className="t2" title={paidBy}>
          {paidBy}
        </span>
      ),
      width: 114,
    },
    {
      id: 'price',
      head: 'Price',
      name: 'Published price',
      value: (entry) => (entry.kind === 'movement' ? null : entry.expected),
      cell: ({ expected, kind }) =>
        kind === 'movement' ? (
          <span className="xs t3">none</span>
        ) : (
          <Figure value={expected} unknown="not published" className="" />
        ),
      width: 100,
      align: 'right',
    },
    {
      id: 'fall',
      head: 'Fall',
      name: 'Fall of the balance',
      value: (entry) => entry.observed,
      text: fallOf,
      cell: (entry) => <Fall entry={entry} />,
      width: fall,
      align: 'right',
    },
    {
      id: 'after',
      head: 'After',
      name: 'Balance after',
      value: (entry) => entry.balanceAfter,
      cell: ({ balanceAfter }) => <Figure value={balanceAfter} unknown="not known" className="t2" />,
      width: after,
      align: 'right',
    },
    {
      id: 'claim',
      head: 'Claim',
      value: ({ madeUp, claims }) => (madeUp ? 'demo' : shortenMoneyClaims(claims)),
      cell: ({ madeUp, claims }) => (madeUp ? <Tag tone="line">demo</Tag> : <ShortClaim claims={claims} />),
      width: 138,
    },
    {
      id: 'person',
      head: 'Person',
      value: ({ person }) => person || null,
      cell: ({ person, kind }) =>
        person ? (
          <span className="t2">{person}</span>
        ) : (
          <span className="t3 xs">{kind === 'movement' ? 'no call' : 'not recorded'}</span>
        ),
      width: 96,
    },
    {
      id: 'sentence',
      head: 'What was seen',
      value: sentencesOf,
      cell: (entry) => <span className="t2">{sentencesOf(entry)}</span>,
      width: 260,
      sort: false,
    },
  ];
}
