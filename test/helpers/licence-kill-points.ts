import type { ChangeDeps } from '../../electron/core/licences/change/change-deps.ts';
import type { LicenceConsole } from './licence-console.ts';

/**
 * Calls `pass` before the first action of a change and after each one that leaves something: each journal entry and each write to the
 * service. A program that ends leaves what it has stored and sent, so between two of these every end is the same. What `pass` throws is
 * not caught, as if the program had ended there.
 */
export function withKillPoints({ deps, database }: LicenceConsole, pass: () => void): ChangeDeps {
  const { calls, ctx } = deps;
  const changed = database.sql.prepare('SELECT total_changes() AS rows');
  let sent = 0;
  let left = '';
  const look = (): void => {
    const leaves = `${changed.get()?.rows} ${sent}`;
    if (leaves === left) return;
    pass();
    left = leaves;
  };
  const around =
    <A extends unknown[], T>(call: (...args: A) => Promise<T>, writes = 0) =>
    async (...args: A): Promise<T> => {
      look();
      const value = await call(...args);
      sent += writes;
      look();
      return value;
    };
  return {
    ...deps,
    calls: {
      list: around((signal?: AbortSignal) => calls.list(signal)),
      details: around((machine: string, signal?: AbortSignal) => calls.details(machine, signal)),
      register: around((licenceNumber: string, machine: string) => calls.register(licenceNumber, machine), 1),
      unregister: around((licenceNumber: string, machine: string) => calls.unregister(licenceNumber, machine), 1),
    },
    ctx: {
      ...ctx,
      journal: {
        ...ctx.journal,
        append(draft, alongside, check) {
          look();
          const entry = ctx.journal.append(draft, alongside, check);
          look();
          return entry;
        },
      },
    },
  };
}
