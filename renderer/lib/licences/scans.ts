import type { QueryClient } from '@tanstack/react-query';
import type { EventPayload } from '../../../shared/contract.ts';
import { call, listen } from '../calls/bridge.ts';
import { createCallStore } from '../session/call-store.ts';
import { createKeyedStore } from '../session/keyed-store.ts';
import { countOf, formatNumber } from '../text/format.ts';
import { announce } from '../window/announce.ts';
import { hideTask, showTask } from '../window/long-tasks.ts';
import { refreshMachines } from './machines.ts';

type Progress = EventPayload<'machines.scan-progress'>;

/** The scan of a connection: it continues, and how it ended is kept as a text, while another screen is shown. */
export const scans = createCallStore<null, string>();
const progresses = createKeyedStore<{ progress: Progress | null }>({ progress: null });

let following = false;

/** Follows the scans of this window, for its life. Another window's scan of the same machines is not this one's. */
export function followScans(): void {
  if (following) return;
  following = true;
  listen('machines.scan-progress', (progress) => {
    if (scans.read(progress.connectionId).running?.requestId !== progress.requestId) return;
    progresses.change(progress.connectionId, { progress });
    showScan(progress.connectionId);
  });
}

const taskOf = (connectionId: string): string => `scan:${connectionId}`;

function showScan(connectionId: string): void {
  const { running } = scans.read(connectionId);
  if (!running) return;
  const { progress } = progresses.read(connectionId);
  showTask({
    id: taskOf(connectionId),
    label: progress
      ? `Asking machines, ${formatNumber(progress.done)} of ${formatNumber(progress.total)}`
      : 'Asking machines',
    since: running.since,
    cancelLabel: 'Stop asking',
    stop: () => scans.stop(connectionId),
  });
}

/** `ended`: how the last scan ended, as a text; null while one is under way, and if it failed. */
export function useScan(connectionId: string) {
  const { running, answer, failure } = scans.use(connectionId);
  const { progress } = progresses.use(connectionId);
  return { running, progress, ended: running || failure ? null : answer, failure: failure?.error ?? null };
}

/** Reads the machines; null: all of them. A second click finds the first scan under way. Those already read stay as they answered. */
export async function startScan(connectionId: string, client: QueryClient, machines: string[] | null): Promise<void> {
  const sent = scans.start(connectionId, null, async (requestId) => {
    progresses.change(connectionId, { progress: null });
    const { answered, failed, stopped } = await call('machines.scan', { connectionId, machines }, { requestId });
    const words = [
      `${countOf(answered, 'machine')} answered`,
      ...(failed > 0 ? [`${formatNumber(failed)} could not be read`] : []),
      ...(stopped ? ['stopped before the rest'] : []),
    ].join(', ');
    announce(words, failed > 0);
    return words;
  });
  showScan(connectionId);
  if ((await sent) === null) return;
  hideTask(taskOf(connectionId));
  refreshMachines(client, connectionId);
}
