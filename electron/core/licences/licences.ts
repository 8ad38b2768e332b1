import { join } from 'node:path';
import { isWholeJournal, type JournalFilter } from '../../../shared/domain/licences/journal-filter.ts';
import type { LicenceList } from '../../../shared/domain/licences/licence.ts';
import type { Bulk } from '../../../shared/domain/licences/licence-bulk.ts';
import { filterLicences, type LicenceFilter } from '../../../shared/domain/licences/licence-filter.ts';
import { plainId } from '../../../shared/domain/licences/licence-ids.ts';
import type { JournalCheck, JournalEntry } from '../../../shared/domain/licences/licence-journal.ts';
import type { MachineHoldings } from '../../../shared/domain/licences/licence-machines.ts';
import { localDay } from '../../../shared/domain/text/calendar-day.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { lastFour } from '../../../shared/secret-fields.ts';
import { isoNow } from '../../ports.ts';
import type { CallContext } from '../calls/caller.ts';
import type { Settings } from '../settings/settings.ts';
import { attempt, attemptLater, storageError } from '../storage/database/errors.ts';
import { inTransaction } from '../storage/in-transaction.ts';
import { maskGuids } from '../transport/redact/service-text.ts';
import { createAnnotations } from './annotations/annotations.ts';
import { type BulkProgress, createBulks } from './bulk/bulk.ts';
import type { BulkRequest } from './bulk/bulk-drafts.ts';
import { type ChangesParts, createChanges } from './change/changes.ts';
import { readList } from './change/plan.ts';
import { readMachine, unusable } from './change/read-machine.ts';
import { type GuidRequest, guidEntry, readGuid } from './hand-out-guid.ts';
import { openJournal } from './journal/journal.ts';
import { anchorName } from './journal/journal-anchor.ts';
import { createJournalSearch } from './journal/journal-search.ts';
import { verifyJournal } from './journal/journal-verify.ts';
import { openInventoryStore } from './machines/inventory-store.ts';
import { createMachines } from './machines/machines.ts';
import type { Following, ScanResult } from './machines/scan-machines.ts';
import { openLicenceStore } from './records/licence-store.ts';
import { writeLicences } from './records/licence-table.ts';

export interface LicencesParts extends Omit<ChangesParts, 'store' | 'journal'> {
  onBulk?(progress: BulkProgress): void;
  settings?: Pick<Settings, 'read' | 'write'>;
}

/** What came is another server's, or another account's. */
const movedDuring = (reading: string) =>
  fail(
    appError('wrong-origin', {
      message: `The connection’s address or account was changed while ${reading}, so the answer is not shown.`,
      next: 'Read again.',
      charge: 'may-have-been-charged',
    }),
  );

export type Licences = ReturnType<typeof createLicences>;

/** Licences of the account, what machines hold, and changes from plan to receipt. Errors: those of the calls and of change/changes.ts. */
export function createLicences(parts: LicencesParts) {
  const { db, clock, connections, clients, machineName, folder } = parts;
  const anchorFile = join(folder, anchorName);
  const store = openLicenceStore(db);
  const journal = openJournal(db.sql, anchorFile);
  const journalSearch = createJournalSearch(db.sql, journal);
  const inventory = openInventoryStore(db.sql);
  const { depsFor, readAtStart, ...changes } = createChanges({ ...parts, store, journal });
  const annotations = createAnnotations({ ...parts, store, inventory });
  const machines = createMachines({
    store,
    inventory,
    thisMachine: machineName,
    now: () => clock.now(),
    inTransaction: (work) => inTransaction(db.sql, work),
  });
  const bulks = createBulks({
    store,
    inventory,
    journal,
    inTransaction: (work) => inTransaction(db.sql, work),
    onProgress: (progress) => parts.onBulk?.(progress),
  });

  /** Reads these machines; `names` null: every one that the overview has. */
  async function scan(
    connectionId: string,
    names: readonly string[] | null,
    following: Following,
  ): Promise<Result<ScanResult>> {
    const deps = depsFor(connectionId);
    if (!deps.ok) return deps;
    const overview = names === null ? machines.overview(connectionId) : null;
    if (overview && !overview.ok) return overview;
    const asked = overview?.ok ? overview.value.machines.map(({ name }) => name) : (names ?? []);
    return machines.scan(connectionId, asked, deps.value, following);
  }

  async function planBulk(request: BulkRequest, { signal }: CallContext): Promise<Result<Bulk>> {
    const deps = depsFor(request.connectionId);
    return deps.ok ? bulks.plan(request, deps.value, signal) : deps;
  }

  async function runBulk(
    bulkId: string,
    rows: readonly number[],
    confirmed: string,
    ticked: readonly number[] = [],
  ): Promise<Result<Bulk>> {
    const found = bulks.find(bulkId);
    if (!found.ok) return found;
    const { connectionId } = found.value;
    const deps = depsFor(connectionId);
    return deps.ok ? bulks.run(bulkId, rows, confirmed, () => depsFor(connectionId), ticked) : deps;
  }

  function exportLicences(
    connectionId: string,
    filter: LicenceFilter,
  ): Result<{ pieces: Iterable<{ text: string; rows: number }> }> {
    return attempt(() => {
      const holdings = store.holdings(connectionId);
      const onMachines = new Set(holdings.flatMap(({ licenceNumbers }) => licenceNumbers.map(plainId)));
      const chosen = filterLicences(store.lastSeen(connectionId).licences, filter, {
        today: localDay(clock.now()),
        onMachines,
      });
      return { pieces: writeLicences(chosen, inventory.labels(connectionId), holdings) };
    });
  }

  function lastSeen(
    connectionId: string,
  ): Result<{ list: LicenceList; machines: MachineHoldings[]; changedSince: string[] }> {
    return attempt(() => ({
      list: store.lastSeen(connectionId),
      changedSince: store.changedSince(connectionId),
      machines: store.holdings(connectionId).map((one) => ({ ...one, thisMachine: one.machine === machineName })),
    }));
  }

  async function read(connectionId: string, { signal, requestId }: CallContext): Promise<Result<LicenceList>> {
    const deps = depsFor(connectionId, requestId);
    if (!deps.ok) return deps;
    const { calls, ctx } = deps.value;
    const read = await attemptLater(() => readList(connectionId, calls, store, ctx, signal));
    if (!read.ok) return read;
    if (!read.value.ok) return read.value;
    const { isKept, callId } = read.value.value;
    if (!isKept)
      return fail(
        unusable(
          {
            code: 'unreadable-answer',
            message:
              'The service says that it cut off the list of licences, so the whole list that was read before stays.',
          },
          callId,
        ),
      );
    return ctx.leadsHere() ? attempt(() => store.lastSeen(connectionId)) : movedDuring('its licences were read');
  }

  async function askMachine(
    connectionId: string,
    machine: string,
    context: CallContext,
  ): Promise<Result<MachineHoldings>> {
    const deps = depsFor(connectionId, context.requestId);
    if (!deps.ok) return deps;
    const snapshot = await readMachine(machine, connectionId, deps.value, context.signal);
    if (!snapshot.ok) return snapshot;
    return deps.value.ctx.leadsHere() ? ok(snapshot.value.holdings) : movedDuring('the machine was read');
  }

  /**
   * The GUID of one licence, from a list read now, passed to `put`, which returns when it will be removed (ms since 1970); the journal
   * records it first. Errors: those of `readGuid`, `no-connection`, `storage-failed`, and whatever `put` fails with.
   */
  async function handOutGuid(
    { connectionId, licenceNumber, reason }: GuidRequest,
    put: (guid: string) => Promise<Result<number>>,
    { signal, requestId }: CallContext,
  ): Promise<Result<{ lastFour: string; clearedAt: string }>> {
    const connection = connections.find(connectionId);
    if (!connection.ok) return connection;
    const read = await readGuid(clients, connection.value, licenceNumber, signal, requestId);
    if (!read.ok) return read;
    const by = `${parts.userName} on ${machineName}`;
    const write = (words: string) =>
      attempt(() => journal.append(guidEntry(connection.value, licenceNumber, isoNow(clock), by, words), () => {}));
    const shown = lastFour(read.value);
    const entered = write(
      `GUID ending in ${shown} to be put on the clipboard for a minute. Reason: “${maskGuids(reason)}”.`,
    );
    if (!entered.ok) return entered;
    const placed = await put(read.value);
    if (placed.ok) return ok({ lastFour: shown, clearedAt: new Date(placed.value).toISOString() });
    const told = write(`GUID ending in ${shown}: the clipboard did not take it.`);
    return told.ok ? placed : told;
  }

  return {
    handOutGuid,
    /** Call before `lastSeen` of a long list: it is read from the database slice by slice. */
    loadLastSeen: (connectionId: string): Promise<Result<void>> => attemptLater(() => store.loadLastSeen(connectionId)),
    lastSeen,
    read,
    askMachine,
    ...changes,
    readAtStart: (): Promise<void> => {
      void store.sweepLists();
      return readAtStart();
    },
    /** Enters that a receipt of a change or the list of a bulk change left the program. */
    enterSaid: (outlet: 'receipt' | 'list', about: string, connectionId: string): Result<void> =>
      attempt(() => store.say(outlet, about, connectionId, isoNow(clock))),
    journalEntries: async (
      filter: JournalFilter,
      before: number | null,
      limit: number,
      signal?: AbortSignal,
    ): Promise<Result<JournalEntry[]>> => {
      if (isWholeJournal(filter)) return attempt(() => journal.list(before, limit));
      try {
        return ok(await journalSearch.find(filter, before, limit, signal));
      } catch (thrown) {
        return fail(signal?.aborted ? appError('cancelled', { charge: 'not-applicable' }) : storageError(thrown));
      }
    },
    journalChoices: async () => {
      try {
        return ok(await journalSearch.choices());
      } catch (thrown) {
        return fail(storageError(thrown));
      }
    },
    checkJournal: (): Result<JournalCheck> => attempt(() => verifyJournal(db.sql, anchorFile)),
    exportJournal: (): Result<{ text: string; rows: number }> =>
      attempt(() => {
        const lines = [...journal.exportLines()];
        return { text: lines.map((line) => `${line}\n`).join(''), rows: lines.length };
      }),
    exportLicences,
    machines,
    scan,
    planBulk,
    runBulk,
    bulks,
    ...annotations,
    /** Throws where SQLite does. */
    forgetConnection(connectionId: string): void {
      store.forgetConnection(connectionId);
      inventory.forgetConnection(connectionId);
      annotations.forgetRule(connectionId);
    },
  };
}
