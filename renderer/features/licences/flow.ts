import type { QueryClient } from '@tanstack/react-query';
import type { ChangeKind, ChangeRequest, LicenceChange } from '../../../shared/domain/licences/licence-change.ts';
import { plainId } from '../../../shared/domain/licences/licence-ids.ts';
import type { AppError } from '../../../shared/errors.ts';
import { call, listen } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { creditsOverviewQuery } from '../../lib/calls/queries.ts';
import { stopAfterStep } from '../../lib/licences/stop-change.ts';
import { createCallStore } from '../../lib/session/call-store.ts';
import { forgetSent } from '../../lib/session/drafts.ts';
import { createKeyedStore } from '../../lib/session/keyed-store.ts';
import { announce, announceFailure } from '../../lib/window/announce.ts';
import { refreshLicences } from './queries.ts';

export type Doing = 'read' | 'ask' | 'plan' | 'run' | 'check' | 'finish' | 'undo' | 'dismiss';

interface LicenceCall {
  doing: Doing;
  /** The machine or licence it is about. */
  subject: string;
}

/** A licence call under way; `since` is ISO time. */
interface Busy extends LicenceCall {
  since: string;
}

interface FlowFailure extends LicenceCall {
  error: AppError;
}

interface Shown {
  /** The change shown, or left in the background while the list is shown. */
  change: LicenceChange | null;
  view: 'list' | 'change';
  /** Id of the change that was asked to stop after its step. */
  stopping: string | null;
}

/** The state of the licences screen of one connection. One call at a time: nothing is ever sent beside a change. */
export interface Flow extends Shown {
  busy: Busy | null;
  failure: FlowFailure | null;
}

// By connection, outside the components: a change continues, and its answer is kept, while another screen or connection is shown.
const calls = createCallStore<LicenceCall, unknown>();
const shown = createKeyedStore<Shown>({ change: null, view: 'list', stopping: null });
/** Connections whose change is shown. */
const changing = new Set<string>();

/** The state of the licences screen of a connection, drawn again when it changes. */
export function useFlow(connectionId: string): Flow {
  const { running, failure } = calls.use(connectionId);
  return {
    ...shown.use(connectionId),
    busy: running && { ...running.request, since: running.since },
    failure: failure && { ...failure.request, error: failure.error },
  };
}

/** Replaces the older state of a change by the newer, wherever it is shown. */
function putChange(change: LicenceChange): void {
  for (const connectionId of changing) {
    const now = shown.read(connectionId);
    if (now.change?.id === change.id) shown.change(connectionId, { change });
    // It has stopped, perhaps in another window: run again, it can be stopped again.
    const isOver = change.state !== 'running' && change.state !== 'planned';
    if (isOver && now.stopping === change.id) shown.change(connectionId, { stopping: null });
  }
}

let following = false;

/** Follows every change that main reports, for the window's life: a screen out of sight must not miss a step. */
export function followChanges(): void {
  if (following) return;
  following = true;
  listen('licences.change', putChange);
}

/** Where a flow belongs: the connection whose screen shows it, and the client whose local queries it refreshes. */
export interface At {
  connectionId: string;
  client: QueryClient;
}

/** Throws it again. If it is a refusal by a cap, the caps have been read after it: `useCapRefusal` goes by them. */
async function readCapsIfRefused(client: QueryClient, connectionId: string, thrown: unknown): Promise<never> {
  const { queryKey } = creditsOverviewQuery(connectionId);
  if (errorOf(thrown).code === 'cap-reached') await client.invalidateQueries({ queryKey, refetchType: 'all' });
  throw thrown;
}

async function send<T>(
  { connectionId, client }: At,
  request: LicenceCall,
  ask: (requestId: string) => Promise<T>,
  put: (value: T) => void,
): Promise<boolean> {
  const result = await calls.start(connectionId, request, async (requestId) => {
    // Before the call ends: a change that is no longer busy and still looks planned would be offered for confirmation.
    put(await ask(requestId).catch((thrown) => readCapsIfRefused(client, connectionId, thrown)));
  });
  // A second click has found the first under way.
  if (result === null) return false;
  shown.change(connectionId, { stopping: null });
  if (!result.ok) announceFailure(result.error);
  refreshLicences(client, connectionId);
  return result.ok;
}

/** Reads the account's licences. */
export const readLicences = (at: At) =>
  send(
    at,
    { doing: 'read', subject: '' },
    (requestId) => call('licences.read', { connectionId: at.connectionId }, { requestId }),
    ({ total, doubt }) =>
      announce(
        `${total === 1 ? '1 licence' : `${total} licences`} read${doubt === undefined ? '' : ', perhaps not all'}`,
      ),
  );

/** Reads the licences of one machine. */
export const askMachine = (at: At, machine: string) =>
  send(
    at,
    { doing: 'ask', subject: machine },
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
    { doing: 'plan', subject: request.machine },
    (requestId) => call('licences.plan', request, { requestId }),
    (change) => showChange(at.connectionId, change),
  );

/** Under which keys the machines of a change are kept while they are typed; `here`: where this machine is filled in. */
export function requestDrafts(connectionId: string, kind: ChangeKind, licenceNumber: string) {
  const draft = `licences/${kind}-${connectionId}-${plainId(licenceNumber)}`;
  return { machine: `${draft}-machine`, here: `${draft}-here-machine`, from: `${draft}-from` };
}

/** Runs a confirmed plan. Main reports its steps as events and its end as the answer; what was typed for it is done with. */
export const runChange = (at: At, change: LicenceChange, confirmedName: string, ticked: boolean) =>
  send(
    at,
    { doing: 'run', subject: change.licenceNumber },
    (requestId) => call('licences.run', { changeId: change.id, confirmedName, ticked }, { requestId }),
    (ended) => {
      const drafts = requestDrafts(at.connectionId, change.kind, change.licenceNumber);
      for (const key of [drafts.machine, drafts.here]) forgetSent(key, change.machine);
      forgetSent(drafts.from, change.fromMachine ?? '');
      putEnd(ended);
    },
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
    { doing: action, subject: change.id },
    (requestId) =>
      call(
        'licences.resume',
        {
          changeId: change.id,
          action,
          // The last read on the screen is the one that the person saw.
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
  changing.add(connectionId);
  shown.change(connectionId, { change, view: 'change' });
  calls.dismiss(connectionId);
}

/** Back to the list. A change under way goes on. */
export function showList(connectionId: string): void {
  const doing = calls.read(connectionId).failure?.request.doing;
  shown.change(connectionId, { view: 'list' });
  if (doing !== 'read' && doing !== 'ask') calls.dismiss(connectionId);
}

/** Dismisses a failure; it stays in the activity log. */
export const dismissFailure = calls.dismiss;

/** Stops waiting for a read. Main answers with its own statement of what that means for credits. */
export const stopWaiting = calls.stop;

/** Stops a running change after its current step. */
export async function stopChange(connectionId: string, change: LicenceChange): Promise<void> {
  if (shown.read(connectionId).stopping === change.id) return;
  shown.change(connectionId, { stopping: change.id });
  if (!(await stopAfterStep(change.id))) shown.change(connectionId, { stopping: null });
}
