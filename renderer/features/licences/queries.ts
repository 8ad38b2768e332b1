import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { ChannelOutput } from '../../../shared/contract.ts';
import type { JournalFilter } from '../../../shared/domain/licences/journal-filter.ts';
import { call } from '../../lib/calls/bridge.ts';
import { refreshLocal } from '../../lib/calls/queries.ts';
import { pagesKeptMs } from '../../lib/calls/query-client.ts';

// The main process answers these from its storage: none asks the service, none costs anything. What asks the service is in flow.ts, and is
// sent only by a click or Enter.

const lastSeenKey = (connectionId: string) => ['licences', 'last-seen', connectionId] as const;

/** All parts of the list; from the first again if it was read anew in between. */
async function readLastSeen(connectionId: string): Promise<ChannelOutput<'licences.last-seen'>> {
  for (;;) {
    const seen = await call('licences.last-seen', { connectionId });
    const { licences, readAt, total } = seen.list;
    let isWhole = true;
    while (isWhole && readAt !== null && licences.length < total) {
      const more = await call('licences.more', { connectionId, readAt, from: licences.length });
      for (const licence of more.licences) licences.push(licence);
      isWhole = more.licences.length > 0;
    }
    if (isWhole) return seen;
  }
}

/** The licences and machine holdings last read. */
export const lastSeenQuery = (connectionId: string) =>
  queryOptions({
    queryKey: lastSeenKey(connectionId),
    queryFn: () => readLastSeen(connectionId),
  });

const journalKey = ['licences', 'journal'] as const;
const journalPage = 200;

/** The journal's entries that match a filter, newest first. */
export const journalQuery = (filter: JournalFilter) =>
  infiniteQueryOptions({
    queryKey: [...journalKey, 'entries', filter],
    queryFn: async ({ pageParam, signal }) => {
      // One more than is shown says whether there are more.
      const read = await call('journal.list', { filter, before: pageParam, limit: journalPage + 1 }, { signal });
      return { entries: read.entries.slice(0, journalPage), isLast: read.entries.length <= journalPage };
    },
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.isLast ? undefined : page.entries.at(-1)?.sequence),
    gcTime: pagesKeptMs,
  });

/** The persons and licences that occur in the journal. */
export const journalChoicesQuery = () =>
  queryOptions({ queryKey: [...journalKey, 'choices'], queryFn: () => call('journal.choices', {}) });

/** Whether the journal's chain is unbroken. `moment` makes each request a new one, since an old check says nothing about now. */
export const journalCheckQuery = (moment: string) =>
  queryOptions({
    queryKey: [...journalKey, 'check', moment],
    queryFn: () => call('journal.check', {}),
    gcTime: 60_000,
  });

/** Invalidates everything that a licence call may have changed in the main process. */
export function refreshLicences(client: QueryClient, connectionId: string): void {
  refreshLocal(
    client,
    lastSeenKey(connectionId),
    ['licences', 'unfinished'],
    ['licences', 'machines', connectionId],
    ['licences', 'bulk', connectionId],
    ['licences', 'own', connectionId],
    [...journalKey],
    ['activity'],
    ['credits', 'overview', connectionId],
  );
}
