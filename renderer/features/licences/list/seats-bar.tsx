import { Popover } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { Licence } from '../../../../shared/domain/licences/licence.ts';
import { Seats, SeatsKey } from '../../../components/seats.tsx';
import { countOf, formatNumber } from '../../../lib/text/format.ts';
import { legible } from '../../../lib/text/legible.ts';
import { totalSeats } from '../licence-facts.ts';
import { eachOnce, seatTotals } from './figures.ts';

interface SeatsBarProps {
  licences: readonly Licence[];
  today: string;
  byType: ReactNode;
}

/** All seats of the licences shown. A licence without a number is hatched, as wide as one seat, and in no sum. */
export function SeatsBar({ licences, today, byType }: SeatsBarProps) {
  const { used, free, lost, unknownLicences } = seatTotals(licences, today);
  const known = used + free + lost;
  return (
    <section className="seats-bar" aria-label="Seats">
      <span className="h nowrap">
        {known === 0 && unknownLicences > 0
          ? 'Seats unknown'
          : countOf(known, unknownLicences > 0 ? 'known seat' : 'seat')}
      </span>
      <span className="grow bar">
        <Seats used={used} free={free} lost={lost} unknown={unknownLicences} width="100%" />
      </span>
      <span className="row wrap g16">
        <SeatsKey kind="used">{`${formatNumber(used)} used`}</SeatsKey>
        <SeatsKey kind="free">{`${formatNumber(free)} free`}</SeatsKey>
        {lost > 0 && <SeatsKey kind="lost">{`${formatNumber(lost)} expired`}</SeatsKey>}
        {unknownLicences > 0 && (
          <SeatsKey kind="unknown">{`${countOf(unknownLicences, 'licence')} unknown, not counted as free`}</SeatsKey>
        )}
        {byType}
      </span>
    </section>
  );
}

/** Seats of each licence type. What is unknown is in its own column and in no other. */
export function SeatsByType({ licences, today }: { licences: readonly Licence[]; today: string }) {
  const [open, setOpen] = useState(false);
  const rows = open
    ? [...Map.groupBy(eachOnce(licences, today), ({ typeName }) => typeName)]
        .map(([type, members]) => ({ type, licences: members.length, ...totalSeats(members, today) }))
        .sort((a, b) => a.type.localeCompare(b.type, 'en-GB'))
    : [];
  return (
    <Popover position="bottom-end" width={604} trapFocus opened={open} onChange={setOpen}>
      <Popover.Target>
        <button type="button" className="link sm row g4" onClick={() => setOpen(!open)}>
          By type
          <IconChevronDown size={13} className="ti" aria-hidden="true" />
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Seats by type">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by keys if it is longer than the window */}
        <section className="seats-by-type" tabIndex={0} aria-label="Seats by type, a table">
          <table className="tbl tight" aria-label="Seats by type">
            <colgroup>
              <col style={{ width: 148 }} />
              {[68, 92, 58, 54, 70, 84].map((width) => (
                <col key={width} style={{ width }} />
              ))}
            </colgroup>
            <thead>
              <tr>
                <th scope="col">Type</th>
                <th scope="col" className="num">
                  Licences
                </th>
                <th scope="col">Seats</th>
                <th scope="col" className="num">
                  Used
                </th>
                <th scope="col" className="num">
                  Free
                </th>
                <th scope="col" className="num">
                  Expired
                </th>
                <th scope="col" className="num">
                  Unknown
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ type, licences: count, used, free, lost, unknownLicences }) => (
                <tr key={type}>
                  <td>{legible(type) || 'empty'}</td>
                  <td className="num">{formatNumber(count)}</td>
                  <td>
                    <Seats used={used} free={free} lost={lost} unknown={unknownLicences} width={70} />
                  </td>
                  <td className="num">{formatNumber(used)}</td>
                  <td className="num">{formatNumber(free)}</td>
                  <td className="num">{formatNumber(lost)}</td>
                  <td className="num">{formatNumber(unknownLicences)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </Popover.Dropdown>
    </Popover>
  );
}
