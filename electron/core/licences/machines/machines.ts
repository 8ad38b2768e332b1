import type { InventoryMachine, MachinesOverview } from '../../../../shared/domain/licences/licence-machines.ts';
import type { MachinesSeen } from '../../../../shared/domain/licences/licence-seen.ts';
import { localDay } from '../../../../shared/domain/text/calendar-day.ts';
import { appError } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { attempt } from '../../storage/database/errors.ts';
import { readTable } from '../../tables/read-table.ts';
import type { ChangeDeps } from '../change/change-deps.ts';
import type { LicenceStore } from '../records/licence-store.ts';
import type { InventoryStore } from './inventory-store.ts';
import { compareInventory, type ImportResult, readInventory, writeInventory } from './inventory-table.ts';
import { describeMachines } from './machine-findings.ts';
import { listSeen } from './machines-seen.ts';
import { type Following, type ScanResult, scanMachines } from './scan-machines.ts';

/** As many as one scan takes, and a head. */
const mostMachines = 10_001;

/** The inventory of each connection: kept by the administrator, with what reading each machine showed. */
export function createMachines(parts: {
  store: LicenceStore;
  inventory: InventoryStore;
  thisMachine: string;
  now(): number;
  inTransaction<T>(work: () => T): T;
}) {
  const { store, inventory, thisMachine } = parts;

  const overview = (connectionId: string): Result<MachinesOverview> =>
    attempt(() => {
      const { licences, readAt, doubt } = store.lastSeen(connectionId);
      return describeMachines({
        inventory: store.inventory(connectionId),
        holdings: store.holdings(connectionId),
        history: inventory.history(connectionId),
        failures: inventory.failures(connectionId),
        licences,
        readAt,
        doubt,
        lastScan: inventory.lastScan(connectionId),
        thisMachine,
        today: localDay(parts.now()),
      });
    });

  /** All licences these machines were seen with, in their answers now and before. */
  const seenOn = (connectionId: string, names: readonly string[]): Result<MachinesSeen> =>
    attempt(() =>
      listSeen({
        names,
        holdings: store.holdings(connectionId),
        history: inventory.history(connectionId),
        failures: inventory.failures(connectionId),
        list: store.lastSeen(connectionId),
        statusLabels: store.statusLabels(connectionId),
        today: localDay(parts.now()),
      }),
    );

  /** Saves one machine under its name as sent; `oldName`, if different, is removed. Error `bad-input` if the name is another one's. */
  function save(connectionId: string, machine: InventoryMachine, oldName: string | null): Result<MachinesOverview> {
    const taken = attempt(() => store.inventory(connectionId).some(({ name }) => name === machine.name));
    if (!taken.ok) return taken;
    if (taken.value && oldName !== machine.name)
      return fail(appError('bad-input', { message: `${machine.name} is in the inventory already.`, field: 'name' }));
    const saved = attempt(() =>
      parts.inTransaction(() => {
        if (oldName !== null && oldName !== machine.name) store.removeMachine(connectionId, oldName);
        store.saveMachine(connectionId, machine);
      }),
    );
    return saved.ok ? overview(connectionId) : saved;
  }

  /** With what it was found to hold. */
  function remove(connectionId: string, name: string): Result<MachinesOverview> {
    const removed = attempt(() => {
      store.removeMachine(connectionId, name);
      inventory.forgetMachine(connectionId, name);
      store.noteRemoval(connectionId, name);
    });
    return removed.ok ? overview(connectionId) : removed;
  }

  /**
   * Rows of a CSV file: a column of names, others by their header. Empty cells change nothing that is stored, and a row that holds a key is
   * not taken.
   */
  async function importText(
    connectionId: string,
    text: string,
    holdsKey: (texts: readonly string[]) => boolean,
  ): Promise<Result<ImportResult>> {
    const table = await readTable(text, mostMachines);
    if (!table.ok) return table;
    const rows = readInventory(table.value);
    if (!rows.ok) return rows;
    return attempt(() =>
      parts.inTransaction(() => {
        const { toSave, result } = compareInventory(rows.value, store.inventory(connectionId), holdsKey);
        for (const machine of toSave) store.saveMachine(connectionId, machine);
        return result;
      }),
    );
  }

  function exportText(connectionId: string): Result<{ text: string; rows: number }> {
    const read = overview(connectionId);
    if (!read.ok) return read;
    const { machines } = read.value;
    return ok({ text: writeInventory(machines), rows: machines.length });
  }

  const scan = (
    connectionId: string,
    names: readonly string[],
    deps: ChangeDeps,
    following: Following = {},
  ): Promise<Result<ScanResult>> => scanMachines(connectionId, names, deps, inventory, following);

  return { overview, seenOn, save, remove, importText, exportText, scan };
}
