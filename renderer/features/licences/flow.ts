import type { QueryClient } from '@tanstack/react-query';
import type { ChangeRequest, LicenceChange } from '../../../shared/domain/licence-change.ts';
import { call, cancelCall, listen, newRequestId } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { announce } from '../../lib/window/announce.ts';
import { changeFlow, type Doing, putChange, readFlow } from './flow-store.ts';
import { refreshLicences } from './queries.ts';

let following = false;

/** Follows every change that main tells of, for the window's life: a screen out of sight must not miss a step. */
export function followChanges(): void {
  if (following) return;
  following = true;
  listen('licences.change', putChange);
}

/** Where a flow is: the connection whose screen shows it, and the client whose local readings it renews. */
export interface At {
  connectionId: string;
  client: QueryClient;
}

async function send<T>(
  { connectionId, client }: At,
  doing: Doing,
  subject: string,
  ask: (requestId: string) => Promise<T>,
  put: (value: T) => void,
): Promise<boolean> {
  // A second click finds the first under way.
  if (readFlow(connectionId).busy) return false;
  const busy = { doing, subject, requestId: newRequestId(), since: new Date().toISOString() };
  changeFlow(connectionId, { busy, failure: null });
  try {
    const value = await ask(busy.requestId);
    // The value first: a change that is no longer busy and still looks planned would be offered for confirmation.
    put(value);
    changeFlow(connectionId, { busy: null, stopping: null });
    return true;
  } catch (thrown) {
    const error = errorOf(thrown);
    changeFlow(connectionId, { busy: null, stopping: null, failure: { doing, subject, error } });
    announce(`${error.message} ${error.money}`, true);
    return false;
  } finally {
    refreshLicences(client, connectionId);
  }
}

/** Reads the account's licences. */
export const readLicences = (at: At) =>
  send(
    at,
    'read',
    '',
    (requestId) => call('licences.read', { connectionId: at.connectionId }, { requestId }),
    (list) => announce(list.licences.length === 1 ? '1 licence read' : `${list.licences.length} licences read`),
  );

/** Asks what one machine holds. */
export const askMachine = (at: At, machine: string) =>
  send(
    at,
    'ask',
    machine,
    (requestId) => call('licences.ask-machine', { connectionId: at.connectionId, machine }, { requestId }),
    ({ licenceNumbers }) =>
      announce(
        licenceNumbers.length === 0
          ? `The service named no licence for ${machine}`
          : `Seen on ${machine}: ${licenceNumbers.join(', ')}`,
      ),
  );

/** Plans a change from reads and shows the plan. */
export const planChange = (at: At, request: ChangeRequest) =>
  send(
    at,
    'plan',
    request.machine,
    (requestId) => call('licences.plan', request, { requestId }),
    (change) => showChange(at.connectionId, change),
  );

/** Runs a confirmed plan. Its steps come as events, its end as the answer. */
export const runChange = (at: At, change: LicenceChange, confirmedName: string, ticked: boolean) =>
  send(
    at,
    'run',
    change.licenceNumber,
    (requestId) => call('licences.run', { changeId: change.id, confirmedName, ticked }, { requestId }),
    putEnd,
  );

/** Checks, finishes or dismisses a change, or plans its undoing, which is then shown as a plan of its own. */
export const resumeChange = (
  at: At,
  change: LicenceChange,
  action: 'check' | 'finish' | 'undo' | 'dismiss',
  reason = '',
) =>
  send(
    at,
    action,
    change.id,
    (requestId) =>
      call(
        'licences.resume',
        {
          changeId: change.id,
          action,
          // What stands on the screen is what the person saw.
          ...(action === 'finish' ? { seenRead: change.reads.at(-1)?.at ?? null } : {}),
          ...(reason === '' ? {} : { reason }),
        },
        { requestId },
      ),
    (next) => (action === 'undo' ? showChange(at.connectionId, next) : putEnd(next)),
  );

function putEnd(change: LicenceChange): void {
  putChange(change);
  announce(change.conclusion, change.verdict !== 'seen');
}

export function showChange(connectionId: string, change: LicenceChange): void {
  changeFlow(connectionId, { change, view: 'change', failure: null });
}

/** Back to the list. A change under way goes on. */
export function showList(connectionId: string): void {
  const { failure } = readFlow(connectionId);
  const ofList = failure?.doing === 'read' || failure?.doing === 'ask';
  changeFlow(connectionId, { view: 'list', ...(ofList ? {} : { failure: null }) });
}

/** Puts a failure away; it stays in the activity log. */
export const dismissFailure = (connectionId: string): void => changeFlow(connectionId, { failure: null });

/** Stops waiting for a read. Main answers with its own word on what that means for credits. */
export function stopWaiting(connectionId: string): void {
  const { busy } = readFlow(connectionId);
  if (busy) cancelCall(busy.requestId);
}

/** Has a running change stop after the step it is in; a write under way is still read back. */
export async function stopAfterStep(connectionId: string, change: LicenceChange): Promise<void> {
  if (readFlow(connectionId).stopping === change.id) return;
  changeFlow(connectionId, { stopping: change.id });
  try {
    await call('licences.stop-after-step', { changeId: change.id });
  } catch (thrown) {
    const error = errorOf(thrown);
    changeFlow(connectionId, { stopping: null });
    announce(`The change could not be asked to stop. ${error.message}`, true);
  }
}
