import { join } from 'node:path';
import { priceOf } from '../../../shared/catalogue/price.ts';
import type { ShownPrice } from '../../../shared/domain/credits.ts';
import type {
  ChangeRequest,
  JournalCheck,
  JournalEntry,
  LicenceChange,
  LicenceList,
  MachineHoldings,
} from '../../../shared/domain/licence.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { type Clock, isoNow } from '../../platform/clock.ts';
import type { CallContext } from '../calls/caller.ts';
import type { Clients } from '../calls/clients.ts';
import type { Connections } from '../connections/connections.ts';
import type { Database } from '../storage/database.ts';
import { attempt } from '../storage/errors.ts';
import { type ChangeContext, type ChangeDeps, createChangesUnderWay } from './change-deps.ts';
import { openChangeLocks } from './change-locks.ts';
import { notKnown, runChange, stopAfterThisStep } from './change-saga.ts';
import { openJournal } from './journal.ts';
import { anchorName } from './journal-anchor.ts';
import { verifyJournal } from './journal-verify.ts';
import { openLicenceStore } from './licence-store.ts';
import { planChange } from './plan.ts';
import { readLicenceRecords } from './read-holdings.ts';
import { readLicence } from './read-licence.ts';
import { readMachine } from './read-machine.ts';
import { writeReceipt } from './receipt.ts';
import { checkChange, dismissChange, findUnfinishedChanges, finishChange, planUndo } from './resume.ts';
import { maskGuids } from './service-words.ts';
import { licenceCallsOver } from './soap-licence-calls.ts';

export interface LicencesParts {
  db: Database;
  clock: Clock;
  connections: Pick<Connections, 'find'>;
  clients: Clients;
  machineName: string;
  userName: string;
  /** The data folder: a second anchor of the journal and the locks of changes stand there, beside the database. */
  folder: string;
  onChange(change: LicenceChange): void;
}

export type Licences = ReturnType<typeof createLicences>;

/** Licences of the account, what machines hold, and changes from plan to receipt. Errors: those of the calls and of the saga. */
export function createLicences(parts: LicencesParts) {
  const { db, clock, connections, clients, machineName, userName, folder } = parts;
  const anchorFile = join(folder, anchorName);
  const store = openLicenceStore(db.sql);
  const journal = openJournal(db.sql, anchorFile);
  const locks = openChangeLocks(db.sql, join(folder, 'licence-locks'));
  const underWay = createChangesUnderWay(locks);

  function contextFor(connectionName: string): ChangeContext {
    return {
      connectionName,
      thisMachine: machineName,
      by: `${userName} on ${machineName}`,
      now: () => clock.now(),
      newId: () => crypto.randomUUID(),
      priceOf: shownPrice,
      // What the client gives back is masked by value already; GUIDs are masked by their form as well.
      redact: maskGuids,
      journal,
    };
  }

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

  function lastSeen(connectionId: string): Result<{ list: LicenceList; machines: MachineHoldings[] }> {
    return attempt(() => ({
      list: store.lastSeen(connectionId),
      machines: store.holdings(connectionId).map((one) => ({ ...one, thisMachine: one.machine === machineName })),
    }));
  }

  async function read(connectionId: string, { signal, requestId }: CallContext): Promise<Result<LicenceList>> {
    const answer = await licenceCallsOver(clients, connectionId, requestId).list(signal);
    if (!answer.ok) return answer;
    const records = readLicenceRecords(answer.value.value);
    if (!records.ok) return records;
    return attempt(() => {
      store.saveLicences(connectionId, records.value.map(readLicence), isoNow(clock));
      return store.lastSeen(connectionId);
    });
  }

  async function askMachine(
    connectionId: string,
    machine: string,
    context: CallContext,
  ): Promise<Result<MachineHoldings>> {
    const deps = depsFor(connectionId, context.requestId);
    if (!deps.ok) return deps;
    const reading = await readMachine(machine, connectionId, deps.value, context.signal);
    return reading.ok ? ok(reading.value.holdings) : reading;
  }

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
    lastSeen,
    read,
    askMachine,
    plan,
    run,
    resume,
    receipt,
    stopAfterThisStep: (changeId: string): boolean => stopAfterThisStep(changeId, { underWay }),
    /** Changes that began and are not over: shown first at the next start (safety.md 9). */
    unfinished: (): Result<LicenceChange[]> =>
      attempt(() => findUnfinishedChanges({ store, ctx: contextFor(''), underWay, onStep: parts.onChange })),
    journalEntries: (before: number | null, limit: number): Result<JournalEntry[]> =>
      attempt(() => journal.list(before, limit)),
    checkJournal: (): Result<JournalCheck> => attempt(() => verifyJournal(db.sql, anchorFile)),
    close: (): void => locks.close(),
    forgetConnection: (connectionId: string): void => store.forgetConnection(connectionId),
  };
}

/** No licence operation has a published price; what this account was measured to pay would stand here. */
function shownPrice(operation: string): ShownPrice {
  const price = priceOf(operation);
  return price.kind === 'credits' ? { kind: 'credits', credits: price.credits } : { kind: 'not-published' };
}
