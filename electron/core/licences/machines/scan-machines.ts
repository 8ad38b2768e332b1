import type { MachineHoldings } from '../../../../shared/domain/licences/licence-machines.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { isoNow } from '../../../ports.ts';
import { mapWithLimit } from '../../concurrency/map-with-limit.ts';
import { storageError } from '../../storage/database/errors.ts';
import type { ChangeDeps } from '../change/change-deps.ts';
import { readMachine } from '../change/read-machine.ts';
import type { InventoryStore } from './inventory-store.ts';

/** The most machines read at once: the service is shared, and each read is a call. */
const askedAtOnce = 4;

export interface ScanProgress {
  connectionId: string;
  /** Machines read so far, of `total`; `failed` of them did not answer. */
  done: number;
  total: number;
  /** The machine that was asked last. */
  machine: string;
  failed: number;
  ended: boolean;
}

/** What stops a scan, and what it reports to. */
export interface Following {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: ScanProgress) => void) | undefined;
}

export interface ScanResult {
  asked: number;
  answered: number;
  failed: number;
  stopped: boolean;
}

/**
 * Reads what each machine holds, four at a time; stopping leaves the rest unread. A failure is stored with its machine. One that a person
 * has removed meanwhile is not read, and nothing of it is stored. Errors: `storage-failed`, after which the rest is not read.
 */
export async function scanMachines(
  connectionId: string,
  names: readonly string[],
  deps: ChangeDeps,
  inventory: InventoryStore,
  { signal, onProgress }: Following,
): Promise<Result<ScanResult>> {
  const startedAt = isoNow(deps.ctx);
  const removals = new Map(names.map((name) => [name, deps.store.removals(connectionId, name)]));
  const isRemoved = (name: string): boolean => deps.store.removals(connectionId, name) !== removals.get(name);
  const result: ScanResult = { asked: 0, answered: 0, failed: 0, stopped: false };
  const total = names.length;
  const notify = (machine: string, ended = false): void =>
    onProgress?.({
      connectionId,
      done: result.answered + result.failed,
      total,
      machine,
      failed: result.failed,
      ended,
    });
  const listed = new Set<string>();
  const work = async (machine: string): Promise<void> => {
    // What answers then is another service's or account's.
    if (signal?.aborted || !deps.ctx.leadsHere()) {
      result.stopped = true;
      return;
    }
    // Another process on the data folder takes a machine out of the inventory without a word to this one.
    if (isRemoved(machine) || (listed.has(machine) && !inventory.isListed(connectionId, machine))) return;
    result.asked += 1;
    const at = isoNow(deps.ctx);
    const snapshot: Result<{ holdings: MachineHoldings }> = await readMachine(machine, connectionId, deps, signal);
    if (snapshot.ok) result.answered += 1;
    else {
      result.failed += 1;
      if (signal?.aborted || !deps.ctx.leadsHere()) result.stopped = true;
      else if (!isRemoved(machine) && !deps.store.hasLaterAnswer(connectionId, machine, at, isoNow(deps.ctx)))
        inventory.saveFailure(connectionId, machine, at, snapshot.error.message);
    }
    notify(machine);
  };
  try {
    for (const { name } of deps.store.inventory(connectionId)) listed.add(name);
    const historyBefore = inventory.lastOfHistory(connectionId);
    await mapWithLimit(names, askedAtOnce, work);
    if (deps.ctx.leadsHere())
      inventory.saveScan(connectionId, {
        startedAt,
        finishedAt: isoNow(deps.ctx),
        asked: result.asked,
        answered: result.answered,
        historyBefore,
      });
  } catch (cause) {
    // Nothing more is read if it cannot be written down; what was read before is in the log.
    return fail(storageError(cause));
  } finally {
    notify('', true);
  }
  return ok(result);
}
