import type { QueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import type { EventPayload } from '../../../shared/contract.ts';
import type { AppError } from '../../../shared/errors.ts';
import { call, cancelCall, listen, newRequestId } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { countOf, formatNumber } from '../../lib/text/format.ts';
import { announce } from '../../lib/window/announce.ts';
import { hideTask, showTask } from '../../lib/window/long-tasks.ts';
import { refreshMachines } from './queries.ts';

/** A scan of one connection. It goes on, and its answers are kept, while another screen is shown. */
export interface Scan {
  requestId: string | null;
  since: string;
  progress: EventPayload<'machines.scan-progress'> | null;
  /** How the last one ended, in words. */
  ended: string | null;
  failure: AppError | null;
}

const idle: Scan = { requestId: null, since: '', progress: null, ended: null, failure: null };
const scans = new Map<string, Scan>();
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const read = (connectionId: string): Scan => scans.get(connectionId) ?? idle;

function change(connectionId: string, patch: Partial<Scan>): void {
  scans.set(connectionId, { ...read(connectionId), ...patch });
  for (const listener of listeners) listener();
}

let following = false;

/** Follows every scan for the window's life. */
export function followScans(): void {
  if (following) return;
  following = true;
  listen('machines.scan-progress', (progress) => {
    change(progress.connectionId, { progress });
    showScan(progress.connectionId);
  });
}

const taskOf = (connectionId: string): string => `scan:${connectionId}`;

function showScan(connectionId: string): void {
  const { requestId, since, progress } = read(connectionId);
  if (requestId === null) return;
  showTask({
    id: taskOf(connectionId),
    label: progress
      ? `Scanning machines, ${formatNumber(progress.done)} of ${formatNumber(progress.total)}`
      : 'Scanning machines',
    since,
    cancelLabel: 'Stop the scan',
    stop: () => stopScan(connectionId),
  });
}

export const useScan = (connectionId: string): Scan =>
  useSyncExternalStore(
    subscribe,
    useCallback(() => read(connectionId), [connectionId]),
  );

/** Asks the machines; null: all of them. A second click finds the first under way. */
export async function startScan(connectionId: string, client: QueryClient, machines: string[] | null): Promise<void> {
  if (read(connectionId).requestId !== null) return;
  const requestId = newRequestId();
  change(connectionId, {
    requestId,
    since: new Date().toISOString(),
    progress: null,
    ended: null,
    failure: null,
  });
  showScan(connectionId);
  try {
    const { answered, failed, stopped } = await call('machines.scan', { connectionId, machines }, { requestId });
    const words = [
      `${countOf(answered, 'machine')} answered`,
      ...(failed > 0 ? [`${failed} did not`] : []),
      ...(stopped ? ['stopped before the rest'] : []),
    ].join(', ');
    change(connectionId, { ended: words });
    announce(words, failed > 0);
  } catch (thrown) {
    change(connectionId, { failure: errorOf(thrown) });
  } finally {
    change(connectionId, { requestId: null });
    hideTask(taskOf(connectionId));
    refreshMachines(client, connectionId);
  }
}

/** Machines asked already stay as they answered. */
export function stopScan(connectionId: string): void {
  const { requestId } = read(connectionId);
  if (requestId !== null) cancelCall(requestId);
}
