import type { LicenceChange } from '../../../../shared/domain/licences/licence-change.ts';
import type { LicenceStore } from '../records/licence-store.ts';
import type { ChangeLocks } from './change-locks.ts';

export interface WatchParts {
  store: LicenceStore;
  locks: ChangeLocks;
  /** Resolves what a process that no longer runs left unfinished. */
  resolveUnfinished(): void;
  onChange(change: LicenceChange): void;
}

/** A change that a command or another window works on notifies nobody here, so its end is polled for. */
export function createWatchOtherProcesses({ store, locks, resolveUnfinished, onChange }: WatchParts) {
  let watching: ReturnType<typeof setInterval> | undefined;

  function watch(changes: readonly LicenceChange[]): void {
    const elsewhere = changes.filter(({ id, state }) => state === 'running' && locks.isRunElsewhere(id));
    if (watching || elsewhere.length === 0) return;
    watching = setInterval(() => {
      try {
        if (elsewhere.some(({ id }) => locks.isRunElsewhere(id))) return;
        resolveUnfinished();
        for (const { id } of elsewhere) {
          const now = store.change(id);
          if (now) onChange(now);
        }
      } catch {
        // The database is closing or full: the next request reports it.
      }
      clearInterval(watching);
      watching = undefined;
    }, 1000);
    watching.unref();
  }

  return { watch, stop: (): void => clearInterval(watching) };
}
