import type { RunningCall } from '../../../shared/domain/activity.ts';
import type { ChangeKind, LicenceChange } from '../../../shared/domain/licences/licence-change.ts';
import { cancelCall } from '../../lib/calls/bridge.ts';
import { stopAfterStep } from '../../lib/licences/stop-change.ts';
import { type LongTask, type RunningTask, stopLongTask } from '../../lib/window/long-tasks.ts';

const changeLabels: Record<ChangeKind, string> = {
  register: 'Registering',
  unregister: 'Unregistering',
  move: 'Moving',
};

const changeTask = (change: LicenceChange): RunningTask => {
  const at = change.steps.find((step) => step.state === 'running');
  const step = at ? `, step ${at.number} of ${change.steps.length}` : '';
  return {
    id: `change:${change.id}`,
    label: `${changeLabels[change.kind]} ${change.licenceReference}${step}`,
    since: at?.startedAt ?? change.plannedAt,
    cancelLabel: 'Stop after this step',
  };
};

/**
 * What the status bar shows as under way: first work of many calls, since stopping that means something else, then the calls, and last what
 * waits for a person.
 */
export function runningTasks(
  calls: readonly RunningCall[],
  changes: readonly LicenceChange[],
  long: readonly LongTask[],
): RunningTask[] {
  return [
    ...long.filter(({ waits }) => !waits),
    ...changes.filter((change) => change.state === 'running').map(changeTask),
    ...calls.map((entry) => ({
      id: entry.requestId,
      label: `${entry.operation} ${entry.subject}`.trim(),
      since: entry.startedAt,
    })),
    ...long.filter(({ waits }) => waits),
  ];
}

/** Stops waiting for a call, or has a change stop after its current step. Main answers through the call or change itself. */
export function stopTask(taskId: string): void {
  if (stopLongTask(taskId)) return;
  const changeId = taskId.startsWith('change:') ? taskId.slice('change:'.length) : null;
  if (changeId === null) cancelCall(taskId);
  else void stopAfterStep(changeId);
}
