import { join } from 'node:path';
import type { LicenceClaim } from '../../../../shared/claims/licence-claims.ts';
import { type Connection, placeOfLicences, serviceOf } from '../../../../shared/domain/connection.ts';
import type { ChangeRequest, LicenceChange } from '../../../../shared/domain/licences/licence-change.ts';
import { appError } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { type Clock, elapsedOf, isoNow, type Pauses } from '../../../ports.ts';
import type { CallContext } from '../../calls/caller.ts';
import type { Clients } from '../../calls/clients.ts';
import { systemPauses } from '../../concurrency/pauses.ts';
import type { Connections } from '../../connections/connections.ts';
import { openConnectionsRepository, openHandlesRepository } from '../../storage/connections-repository.ts';
import type { Database } from '../../storage/database/database.ts';
import { attempt } from '../../storage/database/errors.ts';
import { maskGuids } from '../../transport/redact/service-text.ts';
import type { Journal } from '../journal/journal.ts';
import type { LicenceStore } from '../records/licence-store.ts';
import { type ChangeContext, type ChangeDeps, createChangesUnderWay } from './change-deps.ts';
import { findMoved, notKnown } from './change-errors.ts';
import { openChangeLocks } from './change-locks.ts';
import { describeClaims } from './change-reads.ts';
import {
  type Confirmation,
  checkChange,
  dismissChange,
  findUnfinishedChanges,
  finishChange,
  runChange,
} from './change-states.ts';
import type { LicenceCalls } from './licence-calls.ts';
import { planChange } from './plan.ts';
import { createReadSchedule } from './read-schedule.ts';
import { writeReceipt } from './receipt.ts';
import { licenceCallsOver } from './soap-licence-calls.ts';
import { planUndo } from './undo.ts';
import { beginUnverifiedWrite, type UnverifiedOutcome, type UnverifiedWrite } from './unverified-write.ts';
import { createWatchOtherProcesses } from './watch-other-processes.ts';

export interface ChangesParts {
  db: Database;
  clock: Clock;
  connections: Pick<Connections, 'find'>;
  clients: Clients;
  store: LicenceStore;
  journal: Journal;
  machineName: string;
  userName: string;
  /** The data folder: a second anchor of the journal and the locks of changes are in it, beside the database. */
  folder: string;
  /** Left out: the system's timer and clock. */
  pauses?: Pauses | undefined;
  /** Whether this process is a window: it reads changes on their way again, whichever process left them. Left out: it is a command. */
  isWindow?: boolean | undefined;
  onChange(change: LicenceChange): void;
}

/** What a person does with a change that is not over. */
export interface Resumption {
  action: 'check' | 'finish' | 'undo' | 'dismiss';
  /** finish: the time of the last read that the person saw. */
  seenRead?: string | null | undefined;
  /** dismiss: why, for the journal. */
  reason?: string | undefined;
}

/**
 * Changes of licences from plan to receipt, one at a time for each licence. Errors: those of the calls; `bad-input`, `wrong-origin`,
 * `unfinished-change`, `plan-outdated` and `not-confirmed` of what is asked for.
 */
export function createChanges(parts: ChangesParts) {
  const { db, clock, connections, clients, store, journal, machineName, userName, folder } = parts;
  const locks = openChangeLocks(db.sql, join(folder, 'licence-locks'), parts.isWindow ? 'window' : 'command');
  const underWay = createChangesUnderWay(locks);
  const windowConnections = openConnectionsRepository(db.sql);
  const windowHandles = openHandlesRepository(db.sql);
  const elsewhere = createWatchOtherProcesses({ store, locks, resolveUnfinished: listUnfinished, onChange });
  const schedule = createReadSchedule({
    now: () => clock.now(),
    uptime: () => elapsedOf(clock),
    due: () => store.unfinishedChanges(),
    read: async (changeId, by) => {
      const deps = depsOf(changeId);
      if (deps.ok) await checkChange(changeId, deps.value, by);
    },
  });

  /** A window that cannot show itself is one that commands leave nothing to. */
  const showWindow = (): void => void (parts.isWindow && attempt(() => locks.show()));
  showWindow();

  /** A command's connection may be one that the window does not have, or has without the account or the GUID that a read takes. */
  function readsAgain(change: Parameters<ChangeContext['readsAgain']>[0]): ReturnType<ChangeContext['readsAgain']> {
    const read = attempt(() => {
      const known = windowConnections.find(change.connectionId);
      if (known === undefined) return 'never';
      if (parts.isWindow) return 'in-time';
      const hasGuid = windowHandles.list(known.id).some(({ role }) => role === 'account-guid');
      if (leadsElsewhere(change, known) || known.accountName.trim() === '' || !hasGuid) return 'never';
      return locks.isWindowOpen() ? 'in-time' : 'at-start';
    });
    return read.ok ? read.value : 'at-start';
  }

  function onChange(change: LicenceChange): void {
    parts.onChange(change);
    lookAhead(change);
  }

  /** Has changes on their way read when they are due. */
  function lookAhead(change: LicenceChange): void {
    if (parts.isWindow && change.nextRead !== null) schedule.look();
  }

  function contextFor(connectionName: string, connection?: Connection): ChangeContext {
    return {
      connectionName,
      server: connection ? serviceOf(connection, 'soap') : '',
      accountName: connection?.accountName.trim() ?? '',
      leadsHere: () => connection !== undefined && leadsHere(connection),
      thisMachine: machineName,
      by: `${userName} on ${machineName}`,
      now: () => clock.now(),
      ...(parts.pauses ?? systemPauses(clock)),
      readsAgain,
      // What the client returns is already masked by value; GUIDs are masked by their form as well.
      redact: maskGuids,
      journal,
    };
  }

  /**
   * Whether the connection leads to the same licences as when it was this. A command's stays as it was; what is read is stored for the
   * window's of the same id, which may be edited meanwhile or have another account.
   */
  function leadsHere(connection: Connection): boolean {
    const now = connections.find(connection.id);
    const known = attempt(() => windowConnections.find(connection.id));
    if (!now.ok || !known.ok) return false;
    return [now.value, known.value ?? connection].every((one) => placeOfLicences(one) === placeOfLicences(connection));
  }

  /** What a change over this connection needs. Errors: 'no-connection'. */
  function depsFor(connectionId: string, requestId?: string): Result<ChangeDeps> {
    const connection = connections.find(connectionId);
    if (!connection.ok) return connection;
    return ok({
      calls: licenceCallsOver(clients, connection.value, requestId),
      store,
      ctx: contextFor(connection.value.name, connection.value),
      underWay,
      onStep: onChange,
    });
  }

  /** For what makes no call: the connection may have been removed. */
  function depsWithoutService(changeId: string): Result<ChangeDeps> {
    const change = attempt(() => store.change(changeId));
    if (!change.ok) return change;
    const ctx = contextFor(change.value?.connectionName ?? '');
    return ok({ calls: noCalls, store, ctx, underWay, onStep: onChange });
  }

  function depsOf(changeId: string, requestId?: string): Result<ChangeDeps> {
    const change = attempt(() => store.change(changeId));
    if (!change.ok) return change;
    return change.value ? depsFor(change.value.connectionId, requestId) : fail(notKnown());
  }

  function listUnfinished(): LicenceChange[] {
    return findUnfinishedChanges({ store, ctx: contextFor(''), underWay, onStep: onChange });
  }

  /** Changes that began and are not over: shown first at the next start (promise 9). */
  const unfinished = (): Result<LicenceChange[]> =>
    attempt(() => {
      const changes = listUnfinished();
      elsewhere.watch(changes);
      return changes.map(withTime);
    });

  /** As it is shown: with the time of its next read if that can be made then. The time stays stored: the connection may be set back by then. */
  function withTime(change: LicenceChange): LicenceChange {
    const known = windowConnections.find(change.connectionId);
    const by = known && leadsElsewhere(change, known) ? 'never' : readsAgain(change);
    return by === 'in-time' ? change : withoutTime(change, by === 'never' ? null : 'next-start');
  }

  /** For a window, when another process has written: what that one has left on its way is read in time, also if it was killed. */
  function lookElsewhere(): void {
    showWindow();
    unfinished();
    schedule.look();
  }

  async function plan(request: ChangeRequest, { signal, requestId }: CallContext): Promise<Result<LicenceChange>> {
    const deps = depsFor(request.connectionId, requestId);
    if (!deps.ok) return deps;
    return planChange(request, deps.value.calls, store, deps.value.ctx, { signal });
  }

  async function run(
    changeId: string,
    confirmation: Confirmation,
    { signal, requestId }: CallContext,
  ): Promise<Result<LicenceChange>> {
    const deps = depsOf(changeId, requestId);
    return deps.ok ? stoppable(changeId, signal, () => runChange(changeId, confirmation, deps.value)) : deps;
  }

  /** Who stops waiting for a change asks it to stop: no read is sent before a write any more, and a write that has left is read back. */
  async function stoppable<T>(
    changeId: string,
    signal: AbortSignal | undefined,
    work: () => Promise<Result<T>>,
  ): Promise<Result<T>> {
    if (signal?.aborted) return fail(appError('cancelled', { charge: 'not-applicable' }));
    const stop = () => void underWay.stopAfterThisStep(changeId);
    signal?.addEventListener('abort', stop);
    try {
      return await work();
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  /** Journals a write that is called by its name alone; see unverified-write.ts. */
  function beginUnverified(wanted: UnverifiedWrite): Result<(outcome: UnverifiedOutcome) => Result<void>> {
    const deps = depsFor(wanted.connectionId);
    return deps.ok ? beginUnverifiedWrite(wanted, deps.value) : deps;
  }

  async function resume(
    changeId: string,
    { action, seenRead = null, reason }: Resumption,
    { signal, requestId }: CallContext,
  ): Promise<Result<LicenceChange>> {
    // Dismissing a change makes no network call, so it works for a removed connection.
    const deps = action === 'dismiss' ? depsWithoutService(changeId) : depsOf(changeId, requestId);
    if (!deps.ok) return deps;
    if (action === 'check') return stoppable(changeId, signal, () => checkChange(changeId, deps.value));
    if (action === 'finish') return stoppable(changeId, signal, () => finishChange(changeId, seenRead, deps.value));
    return action === 'undo' ? planUndo(changeId, deps.value, signal) : dismissChange(changeId, deps.value, reason);
  }

  /** False: it is not under way in this process, and who asked may have missed its end: how it stands is reported. */
  function stopAfterThisStep(changeId: string): boolean {
    if (underWay.stopAfterThisStep(changeId)) return true;
    const found = findChange(changeId);
    if (found.ok) parts.onChange(found.value);
    return false;
  }

  function findChange(changeId: string): Result<LicenceChange> {
    const found = attempt(() => {
      const change = store.change(changeId);
      return change && withTime(change);
    });
    if (!found.ok) return found;
    return found.value
      ? ok(found.value)
      : fail(appError('bad-input', { message: 'This change is not known here.', charge: 'not-applicable' }));
  }

  function receipt(changeId: string): Result<string> {
    const found = attempt(() => store.change(changeId));
    if (!found.ok) return found;
    const change = found.value;
    const text = change && writeReceipt(change);
    if (!text) return fail(appError('bad-input', { message: 'This change is not over, so there is no receipt.' }));
    // Entered before it is handed out: a copy or print made of it cannot be observed.
    return attempt(() => {
      store.say('receipt', changeId, change.connectionId, isoNow(clock));
      return text;
    });
  }

  return {
    depsFor,
    plan,
    run,
    beginUnverified,
    resume,
    findChange,
    receipt,
    stopAfterThisStep,
    unfinished,
    lookElsewhere,
    /** Reads what was left on its way, once at the start of the program. */
    readAtStart: (): Promise<void> => schedule.readAtStart(),
    close(): void {
      schedule.stop();
      elsewhere.stop();
      locks.close();
    },
  };
}

/** The time of a read for which no window is open any more, or that no window can do any more, is not said. */
function withoutTime(change: LicenceChange, nextRead: 'next-start' | null): LicenceChange {
  if (change.nextRead === null || change.nextRead === nextRead) return change;
  const said = (claim: LicenceClaim): LicenceClaim => {
    if (claim.kind !== 'on-its-way') return claim;
    const { reads, last: until } = claim;
    return nextRead === null ? { kind: 'not-as-wished', reads, until } : { ...claim, next: null };
  };
  const conclusion = change.claims.reduce(
    (text, claim) => text.replace(describeClaims([claim]), () => describeClaims([said(claim)])),
    change.conclusion,
  );
  return { ...change, nextRead, claims: change.claims.map(said), conclusion };
}

const leadsElsewhere = (change: Pick<LicenceChange, 'server' | 'accountName'>, connection: Connection): boolean =>
  findMoved(change, {
    ctx: { server: serviceOf(connection, 'soap'), accountName: connection.accountName.trim() },
  }) !== null;

const noConnection = async () => fail(appError('no-connection', { charge: 'not-applicable' }));
const noCalls: LicenceCalls = {
  list: noConnection,
  details: noConnection,
  register: noConnection,
  unregister: noConnection,
};
