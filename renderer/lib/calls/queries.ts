import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { RunningCall } from '../../../shared/domain/activity.ts';
import { call } from './bridge.ts';

// What the frame and several screens read alike. All of these are answered by the main process from what it holds: none asks the
// service, none costs anything, so they may be read again whenever main tells of a change.

export const appInfoQuery = () => queryOptions({ queryKey: ['app', 'info'], queryFn: () => call('app.info', {}) });

export const settingsQuery = () => queryOptions({ queryKey: ['settings'], queryFn: () => call('settings.read', {}) });

export const updateStateQuery = () => queryOptions({ queryKey: ['updates'], queryFn: () => call('updates.state', {}) });

export const connectionsQuery = () =>
  queryOptions({ queryKey: ['connections'], queryFn: () => call('connections.list', {}) });

export const creditsOverviewQuery = (connectionId: string) =>
  queryOptions({
    queryKey: ['credits', 'overview', connectionId],
    queryFn: () => call('credits.overview', { connectionId }),
  });

export const cachedPremisesQuery = (connectionId: string) =>
  queryOptions({
    queryKey: ['lookup', 'held', connectionId],
    queryFn: () => call('lookup.held', { connectionId }),
  });

export const unfinishedChangesQuery = () =>
  queryOptions({ queryKey: ['licences', 'unfinished'], queryFn: () => call('licences.unfinished', {}) });

/** Calls under way; filled by the main process's event, never asked for. */
export const runningCallsKey = ['calls', 'running'] as const;
export const runningCallsQuery = () =>
  queryOptions<readonly RunningCall[]>({
    queryKey: runningCallsKey,
    // Asked once, for a window that comes while calls are under way; then main tells of every change.
    queryFn: async () => (await call('app.running-calls', {})).calls,
    initialData: [],
    // Longer than a window is open, and shorter than the time since 1970: so it is asked once.
    initialDataUpdatedAt: 0,
    staleTime: 365 * 24 * 60 * 60 * 1000,
  });

/**
 * Reads again what the main process holds and has changed. Screens out of sight are included: nothing is asked again when they come
 * back. Only for keys whose query asks nobody but the main process.
 */
export function refreshLocal(client: QueryClient, ...keys: readonly (readonly string[])[]): void {
  for (const queryKey of keys) void client.invalidateQueries({ queryKey: [...queryKey], refetchType: 'all' });
}
