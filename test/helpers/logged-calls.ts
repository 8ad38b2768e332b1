import type { ActivityLog } from '../../electron/core/activity/activity-log.ts';
import type { CallRecord } from '../../shared/domain/activity.ts';
import { type RowFilter, wholeTable } from '../../shared/domain/row-filter.ts';

/** All calls of a log, newest first; `connectionId`: only those of one connection. */
export async function loggedCalls(
  { search }: Pick<ActivityLog, 'search'>,
  { connectionId, ...filter }: Partial<RowFilter> & { connectionId?: string } = {},
): Promise<CallRecord[]> {
  const page = { before: null, limit: 1_000_000, fold: false };
  const { calls } = await search.list({ ...wholeTable, ...filter }, page, () => []);
  return calls.filter((call) => connectionId === undefined || call.connectionId === connectionId);
}
