import type { ChangeDeps } from '../../electron/core/licences/change/change-deps.ts';

/**
 * Calls `pass` before the first action of a change and after each one: each call to the service and each journal entry. What
 * `pass` throws is not caught, as if the program had ended there.
 */
export function withKillPoints(deps: ChangeDeps, pass: () => void): ChangeDeps {
  const { calls, ctx } = deps;
  const around =
    <A extends unknown[], T>(call: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      pass();
      const value = await call(...args);
      pass();
      return value;
    };
  return {
    ...deps,
    calls: {
      list: around((signal?: AbortSignal) => calls.list(signal)),
      details: around((machine: string, signal?: AbortSignal) => calls.details(machine, signal)),
      register: around((licenceNumber: string, machine: string) => calls.register(licenceNumber, machine)),
      unregister: around((licenceNumber: string, machine: string) => calls.unregister(licenceNumber, machine)),
    },
    ctx: {
      ...ctx,
      journal: {
        ...ctx.journal,
        append(draft, alongside, check) {
          pass();
          const entry = ctx.journal.append(draft, alongside, check);
          pass();
          return entry;
        },
      },
    },
  };
}
