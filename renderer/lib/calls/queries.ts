import { type QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query';
import type { ChannelOutput } from '../../../shared/contract.ts';
import type { RunningCall } from '../../../shared/domain/activity.ts';
import { noteKeys } from './account-key.ts';
import { call } from './bridge.ts';
import { asReported } from './other-windows.ts';

// What the frame and several screens read. The main process answers all of these from its own data: none makes a call to the service
// and none costs anything, so they may be read again whenever the main process reports a change.

/** Version and host of the program, this computer's system and names, what went wrong at the start, and what a policy locks. */
export const appInfoQuery = () => queryOptions({ queryKey: ['app', 'info'], queryFn: () => call('app.info', {}) });

/** The settings as they are in force, a policy's included. */
export const settingsQuery = () => queryOptions({ queryKey: ['settings'], queryFn: () => call('settings.read', {}) });

/** Whether a newer version is known, being fetched or ready. */
export const updateStateQuery = () => queryOptions({ queryKey: ['updates'], queryFn: () => call('updates.state', {}) });

/** All connections, the one in use, and where their secrets are. */
export const connectionsQuery = () =>
  queryOptions({
    queryKey: ['connections'],
    queryFn: async () => {
      const listed = await call('connections.list', {});
      noteKeys(listed.connections);
      return listed;
    },
  });

/** The key above the evidence of every call. */
export const everyEvidenceKey = ['credits', 'evidence'] as const;

/** Balances as last read, caps, and what was sent today, of one connection. */
export const creditsOverviewQuery = (connectionId: string) =>
  queryOptions({
    queryKey: ['credits', 'overview', connectionId],
    queryFn: () => call('credits.overview', { connectionId }),
  });

/** The premises with an answer in the cache, newest first: free to open again. */
export const cachedPremisesQuery = (connectionId: string) =>
  queryOptions({
    queryKey: ['lookup', 'cached', connectionId],
    queryFn: async () => {
      const premises: ChannelOutput<'lookup.cached'>['premises'] = [];
      for (let after: string | null = ''; after !== null; ) {
        const page: ChannelOutput<'lookup.cached'> = await call('lookup.cached', { connectionId, after });
        premises.push(...page.premises);
        after = page.next;
      }
      return { premises: premises.sort((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0)) };
    },
    // A new one in front moves all others: comparing a hundred thousand with those before takes a third of a second, and nothing is shared.
    structuralSharing: false,
  });

/** Ids of the premises that a person opened last. */
export const recentPremisesQuery = (connectionId: string) =>
  queryOptions({
    queryKey: ['lookup', 'recent', connectionId],
    queryFn: () => call('lookup.recent', { connectionId }),
  });

/** Licence changes of all connections that have not ended. */
export const unfinishedChangesQuery = () =>
  queryOptions({ queryKey: ['licences', 'unfinished'], queryFn: () => call('licences.unfinished', {}) });

const runningCallsKey = ['calls', 'running'] as const;
/** The calls under way: read once, for a window that opens while there are some; after that the main process reports each change. */
export const runningCallsQuery = () =>
  queryOptions<readonly RunningCall[]>({
    queryKey: runningCallsKey,
    queryFn: async () => (await call('app.running-calls', {})).calls,
  });

/** Sets what the main process has reported. If the first read is still under way, its answer is older and is not waited for. */
export async function setRunningCalls(client: QueryClient, calls: readonly RunningCall[]): Promise<void> {
  await client.cancelQueries({ queryKey: runningCallsKey });
  asReported(() => client.setQueryData(runningCallsKey, calls));
}

/**
 * Invalidates what has changed in the main process. Screens out of sight are included, since nothing is read again when they come back.
 * Only for keys whose query makes no call to the service.
 */
export const refreshLocal = (client: QueryClient, ...keys: readonly QueryKey[]): void =>
  void readLocal(client, ...keys);

/** The same; resolves when all of it has been read. */
export const readLocal = (client: QueryClient, ...keys: readonly QueryKey[]): Promise<unknown> =>
  Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey, refetchType: 'all' })));
