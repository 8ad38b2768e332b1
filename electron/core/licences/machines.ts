import { parseDelimited, readSafeCell, writeCsv } from '../../../shared/domain/delimited-text.ts';
import {
  type InventoryMachine,
  inventoryMachineSchema,
  type MachineHoldings,
  type MachinesOverview,
} from '../../../shared/domain/licence.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { attempt, storageError } from '../storage/errors.ts';
import type { ChangeDeps } from './change-deps.ts';
import { isoNow } from './change-deps.ts';
import { inTurns } from './in-turns.ts';
import type { InventoryStore } from './inventory-store.ts';
import type { LicenceStore } from './licence-store.ts';
import { describeMachines } from './machine-findings.ts';
import { readMachine } from './read-machine.ts';

/** Machines asked at once: the service is shared, and each asking is a call. */
const askedAtOnce = 4;

export interface ScanProgress {
  connectionId: string;
  done: number;
  total: number;
  /** The machine that was asked last. */
  machine: string;
  failed: number;
  ended: boolean;
}

export interface ScanResult {
  asked: number;
  answered: number;
  failed: number;
  stopped: boolean;
}

export interface ImportResult {
  added: number;
  changed: number;
  same: number;
  refused: { row: number; reason: string }[];
}

const columns = ['name', 'nickname', 'owner', 'site', 'note'] as const;
const heads: Readonly<Record<(typeof columns)[number], RegExp>> = {
  name: /^(machine|machine ?name|machine, as sent|name|computer|host(name)?|smachinename)$/i,
  nickname: /^(nickname|label|alias|description)$/i,
  owner: /^(owner|user|person|department)$/i,
  site: /^(site|place|location|office)$/i,
  note: /^(notes?|comment|remarks?)$/i,
};

/** The inventory of one connection: kept by the administrator, and what asking each machine showed. */
export function createMachines(parts: {
  store: LicenceStore;
  inventory: InventoryStore;
  thisMachine: string;
  now(): number;
  atOnce<T>(work: () => T): T;
  onProgress(progress: ScanProgress): void;
}) {
  const { store, inventory, thisMachine } = parts;

  const overview = (connectionId: string): Result<MachinesOverview> =>
    attempt(() =>
      describeMachines({
        inventory: store.inventory(connectionId),
        holdings: store.holdings(connectionId),
        history: inventory.history(connectionId),
        failures: inventory.failures(connectionId),
        licences: store.lastSeen(connectionId).licences,
        lastScan: inventory.lastScan(connectionId),
        thisMachine,
        today: new Date(parts.now()).toISOString().slice(0, 10),
      }),
    );

  /** Saves one machine under its name as sent; `oldName`, where it differs, goes. */
  function save(connectionId: string, machine: InventoryMachine, oldName: string | null): Result<MachinesOverview> {
    const taken = attempt(() => store.inventory(connectionId).some(({ name }) => name === machine.name));
    if (!taken.ok) return taken;
    if (taken.value && oldName !== machine.name)
      return fail(appError('bad-input', { message: `${machine.name} is in the inventory already.`, field: 'name' }));
    const saved = attempt(() => {
      if (oldName !== null && oldName !== machine.name) store.removeMachine(connectionId, oldName);
      store.saveMachine(connectionId, machine);
    });
    return saved.ok ? overview(connectionId) : saved;
  }

  function remove(connectionId: string, name: string): Result<MachinesOverview> {
    const removed = attempt(() => {
      store.removeMachine(connectionId, name);
      inventory.forgetMachine(connectionId, name);
    });
    return removed.ok ? overview(connectionId) : removed;
  }

  /** Rows of a CSV file: a column of names, others by their head. Empty cells change nothing that is kept already. */
  function importText(connectionId: string, text: string): Result<ImportResult> {
    const [first, ...others] = parseDelimited(text);
    if (!first) return fail(appError('bad-input', { message: 'The file holds no rows.', charge: 'not-applicable' }));
    const mapping = columns.map((column) => first.findIndex((cell) => heads[column].test(cell.trim())));
    const headed = (mapping[0] ?? -1) >= 0;
    const places = headed ? mapping : [0, 1, 2, 3, 4];
    const rows = headed ? others : [first, ...others];
    return attempt(() =>
      parts.atOnce(() => {
        const known = new Map(store.inventory(connectionId).map((one) => [one.name, one]));
        const seen = new Map<string, number>();
        const result: ImportResult = { added: 0, changed: 0, same: 0, refused: [] };
        for (const [index, cells] of rows.entries()) {
          const row = index + 1;
          const value = (column: number): string => readSafeCell((cells[places[column] ?? -1] ?? '').trim());
          const before = known.get(value(0));
          const machine = inventoryMachineSchema.safeParse({
            name: value(0),
            nickname: value(1) || before?.nickname || '',
            owner: value(2) || before?.owner || '',
            site: value(3) || before?.site || '',
            note: value(4) || before?.note || '',
          });
          const earlier = seen.get(value(0));
          if (!machine.success) {
            result.refused.push({
              row,
              reason: value(0) === '' ? 'names no machine' : 'holds a text that is too long',
            });
          } else if (earlier !== undefined)
            result.refused.push({ row, reason: `names the machine of row ${earlier} again` });
          else {
            seen.set(machine.data.name, row);
            const same = before !== undefined && columns.every((column) => before[column] === machine.data[column]);
            if (same) result.same += 1;
            else {
              store.saveMachine(connectionId, machine.data);
              result[before ? 'changed' : 'added'] += 1;
            }
          }
        }
        return result;
      }),
    );
  }

  function exportText(connectionId: string): Result<{ text: string; rows: number }> {
    const read = overview(connectionId);
    if (!read.ok) return read;
    const rows = read.value.machines.map((machine) => [
      machine.name,
      machine.nickname,
      machine.owner,
      machine.site,
      machine.note,
      machine.askedAt === null ? 'not asked' : machine.holds.map(({ licenceNumber }) => licenceNumber).join(' '),
      machine.askedAt ?? '',
      machine.findings.map(({ text }) => text).join('; '),
    ]);
    const head = ['Machine', 'Nickname', 'Owner', 'Site', 'Note', 'Holds, by LicenseID', 'Asked, UTC', 'Findings'];
    const text = writeCsv(
      head.map((name, index) => ({ head: name, identifier: index === 0 || index === 5 })),
      rows,
    );
    return ok({ text, rows: rows.length });
  }

  /** Asks each machine what it holds, four at a time; stopping leaves the rest unasked. A failure is kept with its machine. */
  async function scan(
    connectionId: string,
    names: readonly string[],
    deps: ChangeDeps,
    signal?: AbortSignal,
  ): Promise<Result<ScanResult>> {
    const startedAt = isoNow(deps.ctx);
    const result: ScanResult = { asked: 0, answered: 0, failed: 0, stopped: false };
    const total = names.length;
    const tell = (machine: string, ended = false): void =>
      parts.onProgress({
        connectionId,
        done: result.answered + result.failed,
        total,
        machine,
        failed: result.failed,
        ended,
      });
    const work = async (machine: string): Promise<void> => {
      if (signal?.aborted) {
        result.stopped = true;
        return;
      }
      result.asked += 1;
      const at = isoNow(deps.ctx);
      const reading: Result<{ holdings: MachineHoldings }> = await readMachine(machine, connectionId, deps, signal);
      if (reading.ok) result.answered += 1;
      else {
        result.failed += 1;
        if (signal?.aborted) result.stopped = true;
        else inventory.saveFailure(connectionId, machine, at, reading.error.message);
      }
      tell(machine);
    };
    try {
      await inTurns(names, askedAtOnce, work);
      inventory.saveScan(connectionId, {
        startedAt,
        finishedAt: isoNow(deps.ctx),
        asked: result.asked,
        answered: result.answered,
      });
    } catch (cause) {
      // Nothing more is asked where it cannot be written down; what was asked before is in the log.
      return fail(storageError(cause));
    } finally {
      tell('', true);
    }
    return ok(result);
  }

  return { overview, save, remove, importText, exportText, scan };
}
