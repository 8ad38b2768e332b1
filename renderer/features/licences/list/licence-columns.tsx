import { type Licence, nameOf } from '../../../../shared/domain/licences/licence.ts';
import { expiresSoon, isExpiredOn, seatsUnknown } from '../../../../shared/domain/licences/licence-filter.ts';
import { localDay } from '../../../../shared/domain/text/calendar-day.ts';
import { Mono } from '../../../components/marks.tsx';
import { Seats } from '../../../components/seats.tsx';
import type { TableColumn } from '../../../components/table/table-columns.ts';
import { quoteUnread } from '../../../lib/licences/as-it-came.ts';
import { formatDate, formatNumber } from '../../../lib/text/format.ts';
import { legible } from '../../../lib/text/legible.ts';
import { describeSeats, seatsOf } from '../licence-facts.ts';

const today = () => localDay(new Date());

/** `labelOf`: the administrator's name for a status. `isOlder`: the licence was written to since the list was read. */
export const licenceColumns = (
  labelOf: (status: string) => string | null,
  isOlder: (licence: Licence) => boolean,
): readonly TableColumn<Licence>[] => [
  {
    id: 'reference',
    head: 'Reference',
    value: nameOf,
    cell: (licence) => <span className="m">{nameOf(licence)}</span>,
    width: 104,
  },
  {
    id: 'type',
    head: 'Type',
    value: (licence) => licence.typeName,
    cell: (licence) => (
      <span className="t2" title={licence.typeDescription}>
        {licence.typeName || 'empty'}
      </span>
    ),
    width: 120,
    grow: true,
  },
  {
    id: 'guid',
    head: 'GUID',
    value: (licence) => licence.guidLastFour,
    cell: (licence) =>
      licence.guidLastFour ? <Mono>••••{licence.guidLastFour}</Mono> : <span className="t3 xs">not given</span>,
    width: 78,
  },
  {
    id: 'seats',
    head: 'Seats',
    // Sorted by free seats, which people look for.
    value: (licence) => (seatsUnknown(licence) ? null : seatsOf(licence, today()).free),
    text: (licence) => `${isOlder(licence) ? 'was ' : ''}${describeSeats(seatsOf(licence, today()))}`,
    cell: (licence) => <SeatsCell licence={licence} isOlder={isOlder(licence)} />,
    width: 150,
  },
  {
    id: 'credits',
    head: 'Credits',
    value: (licence) => licence.credits,
    cell: (licence) =>
      licence.credits === null ? (
        <span className="t3 xs">{quoteUnread(licence.creditsAvailable)}</span>
      ) : (
        formatNumber(licence.credits)
      ),
    width: 80,
    align: 'right',
  },
  {
    id: 'expires',
    head: 'Expires',
    value: (licence) => licence.expiresOn,
    text: (licence) => (licence.expiresOn === null ? licence.expiryDate : formatDate(licence.expiresOn)),
    cell: (licence) => <ExpiresCell licence={licence} />,
    width: 104,
  },
  {
    id: 'status',
    head: 'Status',
    value: (licence) => licence.status,
    cell: ({ status }) => <StatusCell status={status} label={labelOf(status)} />,
    width: 104,
  },
];

function SeatsCell({ licence, isOlder }: { licence: Licence; isOlder: boolean }) {
  const { used, free, lost, unknown } = seatsOf(licence, today());
  return (
    <span className="row g6">
      <Seats used={used} free={free} lost={lost} unknown={unknown ? Math.max(1, used) : 0} width={64} />
      {/* Screen readers get the same from the bar. */}
      <span
        className="xs t2"
        aria-hidden={!isOlder}
        title={isOlder ? 'As read before the last change of this licence' : undefined}
      >
        {isOlder && 'was '}
        {describeSeats({ used, free, lost, unknown })}
      </span>
    </span>
  );
}

function StatusCell({ status, label }: { status: string; label: string | null }) {
  if (status === '') return <span className="t3 xs">empty</span>;
  return (
    <span className="row g6">
      <span className="tag line mono">
        <span className="trunc">{legible(status)}</span>
      </span>
      {label !== null && <span className="trunc grow">{legible(label)}</span>}
    </span>
  );
}

function ExpiresCell({ licence }: { licence: Licence }) {
  if (licence.expiresOn === null) return <span className="t3">{quoteUnread(licence.expiryDate)}</span>;
  const day = today();
  const tone = isExpiredOn(licence, day) ? 'danger m' : expiresSoon(licence, day) ? 'warn m' : undefined;
  return <span className={tone}>{formatDate(licence.expiresOn)}</span>;
}
