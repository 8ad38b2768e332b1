import { useQuery } from '@tanstack/react-query';
import { creditsOverviewQuery } from '../../app/queries.ts';
import { countOf, formatCredits, formatNumber } from '../../lib/format.ts';

/** "Today 3 of 500 credits, 1 unsettled": what this console spent against the cap of the day. */
export function TodayNote({ connectionId }: { connectionId: string }) {
  const { data, error } = useQuery(creditsOverviewQuery(connectionId));
  if (error) return <span className="sm t3">Today’s spend could not be read</span>;
  if (!data) return <span className="sm t3" />;
  const cap = data.caps.perDay;
  const spent =
    cap === null ? formatCredits(data.spentToday) : `${formatNumber(data.spentToday)} of ${formatCredits(cap)}`;
  const unpriced = data.unpricedToday > 0 ? `, ${countOf(data.unpricedToday, 'call')} without a published price` : '';
  return (
    <span className="sm t3">
      Today {spent}
      {unpriced}
      {data.unsettledToday > 0 && <span className="warn">, {formatNumber(data.unsettledToday)} unsettled</span>}
    </span>
  );
}
