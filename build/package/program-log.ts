/**
 * The program's log (electron/platform/logger.ts) without what a computer may write that has no graphics card, as build machines have none:
 * there the engine's GPU process may end once or twice, and the engine goes on without it. Empty: nothing failed.
 */
export const faultsInLog = (log: string): string[] =>
  log.split(/\n(?! )/).filter((entry) => entry !== '' && !/^\S+ engine, process GPU: /.test(entry));
