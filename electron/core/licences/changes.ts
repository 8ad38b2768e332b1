import { join } from 'node:path';
import type { ChangeRequest, LicenceChange } from '../../../shared/domain/licence-change.ts';
import { publishedPrice } from '../../../shared/domain/published-price.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Clock } from '../../platform/clock.ts';
import type { CallContext } from '../calls/caller.ts';
import type { Clients } from '../calls/clients.ts';
import type { Connections } from '../connections/connections.ts';
import type { Database } from '../storage/database.ts';
import { attempt } from '../storage/errors.ts';
import { type BareOutcome, type BareWrite, beginBareWrite } from './bare-write.ts';
import { type ChangeContext, type ChangeDeps, createChangesUnderWay } from './change-deps.ts';
import { openChangeLocks } from './change-locks.ts';
import { notKnown, runChange, stopAfterThisStep } from './change-saga.ts';
import { findUnfinishedChanges } from './cut-off.ts';
import type { Journal } from './journal.ts';
import type { LicenceStore } from './licence-store.ts';
import { planChange } from './plan.ts';
import { writeReceipt } from './receipt.ts';
import { checkChange, dismissChange, finishChange, planUndo } from './resume.ts';
import { maskGuids } from './service-words.ts';
import { licenceCallsOver } from './soap-licence-calls.ts';
import { createWatchElsewhere } from './watch-elsewhere.ts';

export interface ChangesParts {
  db: Database;
  clock: Clock;
  connections: Pick<Connections, 'find'>;
  clients: Clients;
  store: LicenceStore;
  journal: Journal;
  machineName: string;
  userName: string;
  /** The data folder: the locks of changes stand there, beside the database. */
  folder: string;
  onChange(change: LicenceChange): void;
}

/** Changes of licences from plan to receipt, one at a time for each of them. Errors: those of the calls and of the saga. */
export function createChanges(parts: ChangesParts) {
  const { db, clock, connections, clients, store, journal, machineName, userName, folder } = parts;
  const locks = openChangeLocks(db.sql, join(folder, 'licence-locks'));
  const underWay = createChangesUnderWay(locks);
  const elsewhere = createWatchElsewhere({ store, locks, settleLeft: listUnfinished, onChange: parts.onChange });

  function contextFor(connectionName: string): ChangeContext {
    return {
      connectionName,
      thisMachine: machineName,
      by: `${userName} on ${machineName}`,
      now: () => clock.now(),
      newId: () => crypto.randomUUID(),
      // No licence operation has a published price; what this account was measured to pay would stand here.
      priceOf: publishedPrice,
      // What the client gives back is masked by value already; GUIDs are masked by their form as well.
      redact: maskGuids,
      journal,
    };
  }

  /** What a change over this connection needs. Errors: 'no-connection'. */
  function depsFor(connectionId: string, requestId?: string): Result<ChangeDeps> {
    const connection = connections.find(connectionId);
    if (!connection.ok) return connection;
    return ok({
      calls: licenceCallsOver(clients, connectionId, requestId),
      store,
      ctx: contextFor(connection.value.name),
      underWay,
      onStep: parts.onChange,
    });
  }

  function depsWithoutService(changeId: string): ChangeDeps {
    const { connectionId, connectionName } = store.change(changeId) ?? { connectionId: '', connectionName: '' };
    const calls = licenceCallsOver(clients, connectionId);
    return { calls, store, ctx: contextFor(connectionName), underWay, onStep: parts.onChange };
  }

  function depsOf(changeId: string, requestId?: string): Result<ChangeDeps> {
    const change = store.change(changeId);
    return change ? depsFor(change.connectionId, requestId) : fail(notKnown());
  }

  function listUnfinished(): LicenceChange[] {
    return findUnfinishedChanges({ store, ctx: contextFor(''), underWay, onStep: parts.onChange });
  }

  /** Changes that began and are not over: shown first at the next start (safety.md 9). */
  const unfinished = (): Result<LicenceChange[]> =>
    attempt(() => {
      const changes = listUnfinished();
      elsewhere.watch(changes);
      return changes;
    });

  async function plan(request: ChangeRequest, { signal, requestId }: CallContext): Promise<Result<LicenceChange>> {
    const deps = depsFor(request.connectionId, requestId);
    if (!deps.ok) return deps;
    return planChange(request, deps.value.calls, store, deps.value.ctx, { signal });
  }

  async function run(
    changeId: string,
    confirmedName: string,
    { requestId }: CallContext,
  ): Promise<Result<LicenceChange>> {
    const deps = depsOf(changeId, requestId);
    return deps.ok ? runChange(changeId, confirmedName, deps.value) : deps;
  }

  /** Journals a write that is called by its name alone; see bare-write. */
  function beginBare(wish: BareWrite): Result<(outcome: BareOutcome) => Result<void>> {
    const deps = depsFor(wish.connectionId);
    return deps.ok ? beginBareWrite(wish, deps.value) : deps;
  }

  async function resume(
    changeId: string,
    action: 'check' | 'finish' | 'undo' | 'dismiss',
    { requestId }: CallContext,
  ): Promise<Result<LicenceChange>> {
    // Letting a change be asks no service, so it works for a connection that is gone.
    const deps = action === 'dismiss' ? ok(depsWithoutService(changeId)) : depsOf(changeId, requestId);
    if (!deps.ok) return deps;
    const work = { check: checkChange, finish: finishChange, undo: planUndo, dismiss: dismissChange }[action];
    return work(changeId, deps.value);
  }

  function receipt(changeId: string): Result<string> {
    const found = attempt(() => store.change(changeId));
    if (!found.ok) return found;
    const text = found.value && writeReceipt(found.value);
    return text
      ? ok(text)
      : fail(appError('bad-input', { message: 'This change is not over, so there is no receipt.' }));
  }

  return {
    depsFor,
    plan,
    run,
    beginBare,
    resume,
    receipt,
    stopAfterThisStep: (changeId: string): boolean => stopAfterThisStep(changeId, { underWay }),
    unfinished,
    close(): void {
      elsewhere.stop();
      locks.close();
    },
  };
}
