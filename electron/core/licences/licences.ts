import { join } from 'node:path';
import { priceOf } from '../../../shared/catalogue/price.ts';
import type { ShownPrice } from '../../../shared/domain/credits.ts';
import type {
  ChangeRequest,
  DueReminder,
  JournalCheck,
  JournalEntry,
  LicenceChange,
  LicenceLabel,
  LicenceList,
  LicenceOwn,
  MachineHoldings,
} from '../../../shared/domain/licence.ts';
import type { Bulk } from '../../../shared/domain/licence-bulk.ts';
import { filterLicences, type LicenceFilter, plainId } from '../../../shared/domain/licence-filter.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { type Clock, isoNow } from '../../platform/clock.ts';
import type { CallContext } from '../calls/caller.ts';
import type { Clients } from '../calls/clients.ts';
import type { Connections } from '../connections/connections.ts';
import type { Database } from '../storage/database.ts';
import { attempt } from '../storage/errors.ts';
import { type BulkProgress, createBulks } from './bulk.ts';
import type { BulkRequest } from './bulk-plan.ts';
import { type ChangeContext, type ChangeDeps, createChangesUnderWay } from './change-deps.ts';
import { openChangeLocks } from './change-locks.ts';
import { notKnown, runChange, stopAfterThisStep } from './change-saga.ts';
import { inTransaction, openInventoryStore, type SavedView } from './inventory-store.ts';
import { openJournal } from './journal.ts';
import { anchorName } from './journal-anchor.ts';
import { verifyJournal } from './journal-verify.ts';
import { toLicenceId } from './licence-ids.ts';
import { openLicenceStore } from './licence-store.ts';
import { writeLicences } from './licence-table.ts';
import { createMachines, type ScanProgress, type ScanResult } from './machines.ts';
import { planChange } from './plan.ts';
import { readLicenceRecords } from './read-holdings.ts';
import { readLicence } from './read-licence.ts';
import { readMachine } from './read-machine.ts';
import { writeReceipt } from './receipt.ts';
import { describeDue, findDue, writeCalendar } from './reminders.ts';
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
  onScan?(progress: ScanProgress): void;
  onBulk?(progress: BulkProgress): void;
}

/** What the administrator keeps about the licences of one connection, and which are within their lead time. */
export interface OwnOfConnection {
  labels: LicenceLabel[];
  views: SavedView[];
  owns: LicenceOwn[];
  due: DueReminder[];
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
  const inventory = openInventoryStore(db.sql);
  const atOnce = <T>(work: () => T): T => inTransaction(db.sql, work);
  const machines = createMachines({
    store,
    inventory,
    thisMachine: machineName,
    now: () => clock.now(),
    atOnce,
    onProgress: (progress) => parts.onScan?.(progress),
  });
  const bulks = createBulks({ store, inventory, journal, atOnce, onProgress: (progress) => parts.onBulk?.(progress) });
  let watching: ReturnType<typeof setInterval> | undefined;

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

  /** Tells of nothing: a bulk change tells of its rows, and a thousand of them would tell of every step. */
  function quietDeps(connectionId: string): Result<ChangeDeps> {
    const deps = depsFor(connectionId);
    return deps.ok ? ok({ ...deps.value, onStep: () => undefined }) : deps;
  }

  const today = (): string => isoNow(clock).slice(0, 10);

  function listUnfinished(): LicenceChange[] {
    return findUnfinishedChanges({ store, ctx: contextFor(''), underWay, onStep: parts.onChange });
  }

  /** A change that a command or another window works on tells nobody here, so its end is looked for. */
  function watchElsewhere(changes: readonly LicenceChange[]): void {
    const elsewhere = changes.filter(({ id, state }) => state === 'running' && locks.isElsewhere(id));
    if (watching || elsewhere.length === 0) return;
    watching = setInterval(() => {
      try {
        if (elsewhere.some(({ id }) => locks.isElsewhere(id))) return;
        listUnfinished();
        for (const { id } of elsewhere) {
          const now = store.change(id);
          if (now) parts.onChange(now);
        }
      } catch {
        // The database is closing or full: the next question says so.
      }
      clearInterval(watching);
      watching = undefined;
    }, 1000);
    watching.unref();
  }

  async function scan(
    connectionId: string,
    names: readonly string[] | null,
    { signal }: CallContext,
  ): Promise<Result<ScanResult>> {
    const deps = depsFor(connectionId);
    if (!deps.ok) return deps;
    const overview = names === null ? machines.overview(connectionId) : null;
    if (overview && !overview.ok) return overview;
    const asked = overview?.ok ? overview.value.machines.map(({ name }) => name) : (names ?? []);
    return machines.scan(connectionId, asked, deps.value, signal);
  }

  async function planBulk(request: BulkRequest, { signal }: CallContext): Promise<Result<Bulk>> {
    const deps = quietDeps(request.connectionId);
    return deps.ok ? bulks.plan(request, deps.value, signal) : deps;
  }

  async function runBulk(bulkId: string, rows: readonly number[], confirmed: string): Promise<Result<Bulk>> {
    const found = bulks.find(bulkId);
    if (!found.ok) return found;
    const deps = quietDeps(found.value?.connectionId ?? '');
    return deps.ok ? bulks.run(bulkId, rows, confirmed, deps.value) : deps;
  }

  function dueReminders(connectionId: string): Result<DueReminder[]> {
    return attempt(() => findDue(store.lastSeen(connectionId).licences, inventory.owns(connectionId), today()));
  }

  /** Licences that came within their lead time and were not noticed yet, in sentences; each is given once for each expiry. */
  function takeNotices(): Result<string[]> {
    return attempt(() =>
      inventory.remindedConnections().flatMap((connectionId) => {
        const owns = inventory.owns(connectionId);
        const noticed = new Map(owns.map((own) => [toLicenceId(own.licenceNumber), own.noticedFor]));
        return findDue(store.lastSeen(connectionId).licences, owns, today()).flatMap((due) => {
          if (noticed.get(toLicenceId(due.licenceNumber)) === due.expiresOn) return [];
          inventory.markNoticed(connectionId, toLicenceId(due.licenceNumber), due.expiresOn);
          return [describeDue(due)];
        });
      }),
    );
  }

  function own(connectionId: string): Result<OwnOfConnection> {
    return attempt(() => ({
      labels: inventory.labels(connectionId),
      views: inventory.views(connectionId),
      owns: inventory.owns(connectionId).map(({ noticedFor: _, ...kept }) => kept),
      due: findDue(store.lastSeen(connectionId).licences, inventory.owns(connectionId), today()),
    }));
  }

  /** Does what changes the administrator's own facts, and gives all of them back. */
  function changeOwn(connectionId: string, work: () => void): Result<OwnOfConnection> {
    const changed = attempt(work);
    return changed.ok ? own(connectionId) : changed;
  }

  function exportLicences(connectionId: string, filter: LicenceFilter): Result<{ text: string; rows: number }> {
    return attempt(() => {
      const holdings = store.holdings(connectionId);
      const held = new Set(holdings.flatMap(({ licenceNumbers }) => licenceNumbers.map(plainId)));
      const chosen = filterLicences(store.lastSeen(connectionId).licences, filter, { today: today(), held });
      return { text: writeLicences(chosen, inventory.labels(connectionId), holdings), rows: chosen.length };
    });
  }

  function exportCalendar(connectionId: string): Result<{ text: string; rows: number }> {
    const connection = connections.find(connectionId);
    if (!connection.ok) return connection;
    return attempt(() =>
      writeCalendar(store.lastSeen(connectionId).licences, inventory.owns(connectionId), {
        connectionId,
        connectionName: connection.value.name,
        at: isoNow(clock),
      }),
    );
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
      attempt(() => {
        const changes = listUnfinished();
        watchElsewhere(changes);
        return changes;
      }),
    journalEntries: (before: number | null, limit: number): Result<JournalEntry[]> =>
      attempt(() => journal.list(before, limit)),
    checkJournal: (): Result<JournalCheck> => attempt(() => verifyJournal(db.sql, anchorFile)),
    exportJournal: (): Result<{ text: string; rows: number }> =>
      attempt(() => {
        const lines = [...journal.exportLines()];
        return { text: lines.map((line) => `${line}\n`).join(''), rows: lines.length };
      }),
    exportLicences,
    exportCalendar,
    machines,
    scan,
    planBulk,
    runBulk,
    bulks,
    own,
    saveLabel: (connectionId: string, label: LicenceLabel) =>
      changeOwn(connectionId, () => inventory.saveLabel(connectionId, label)),
    saveView: (connectionId: string, name: string, filter: LicenceFilter) =>
      changeOwn(connectionId, () => inventory.saveView(connectionId, name, filter)),
    removeView: (connectionId: string, name: string) =>
      changeOwn(connectionId, () => inventory.removeView(connectionId, name)),
    saveOwn: (connectionId: string, kept: LicenceOwn) =>
      changeOwn(connectionId, () =>
        inventory.saveOwn(connectionId, { ...kept, licenceNumber: toLicenceId(kept.licenceNumber) }),
      ),
    dueReminders,
    takeNotices,
    close(): void {
      clearInterval(watching);
      locks.close();
    },
    forgetConnection(connectionId: string): void {
      store.forgetConnection(connectionId);
      inventory.forgetConnection(connectionId);
    },
  };
}

/** No licence operation has a published price; what this account was measured to pay would stand here. */
function shownPrice(operation: string): ShownPrice {
  const price = priceOf(operation);
  return price.kind === 'credits' ? { kind: 'credits', credits: price.credits } : { kind: 'not-published' };
}
