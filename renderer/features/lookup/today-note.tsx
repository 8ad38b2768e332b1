import { useQuery } from '@tanstack/react-query';
import { creditsOverviewQuery } from '../../lib/calls/queries.ts';
import { countOf, formatCredits, formatNumber } from '../../lib/text/format.ts';

/** "Today 3 of 500 credits, 1 open": what was sent from this console today, as the cap of the day counts it. */
export function TodayNote({ connectionId }: { connectionId: string }) {
  const { data, error } = useQuery(creditsOverviewQuery(connectionId));
  if (error) return <span className="sm t3">Today’s calls could not be counted</span>;
  if (!data) return <span className="sm t3" />;
  // A cap follows the key, or counts every connection: what another one sent counts too.
  const { cap, counted } = data.counts.perDay;
  const spent = cap === null ? formatCredits(data.spentToday) : `${formatNumber(counted)} of ${formatCredits(cap)}`;
  const unpriced = data.unpricedToday > 0 ? `, ${countOf(data.unpricedToday, 'call')} without a published price` : '';
  return (
    <span
      className="sm t3"
      title="Counts every paid call sent, unless a reading of its balance shows no fall, and not what the service books."
    >
      Today {spent}
      {unpriced}
      {data.openToday > 0 && <span className="warn">, {formatNumber(data.openToday)} open</span>}
    </span>
  );
}
