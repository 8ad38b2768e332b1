import type { ReactNode } from 'react';
import type { Licence } from '../../../../shared/domain/licence.ts';
import { Seats, SeatsKey } from '../../../components/seats.tsx';
import { countOf, formatNumber } from '../../../lib/text/format.ts';
import { totalSeats } from '../licence-facts.ts';

interface SeatsBarProps {
  licences: readonly Licence[];
  today: string;
  byType: ReactNode;
}

/** All seats of the licences shown. A licence without a number is hatched, as wide as one seat, and in no sum. */
export function SeatsBar({ licences, today, byType }: SeatsBarProps) {
  const { used, free, lost, unknownLicences } = totalSeats(licences, today);
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
