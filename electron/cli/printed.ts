import type { AppError } from '../../shared/errors.ts';

/** What the program ends with, for schedulers and scripts. 2 is taken: a packaged program started with a refused switch. */
export const exitStatuses = { done: 0, failed: 1, 'below-threshold': 3, limit: 4, waiting: 5 } as const;
type ExitStatus = (typeof exitStatuses)[keyof typeof exitStatuses];

/** What a command prints, as JSON. `exitStatus` is not printed; without it, 0 where it went well and 1 where not. */
export interface Printed {
  exitStatus?: ExitStatus;
  [part: string]: unknown;
}

/** Why it failed, and what it prints all the same. */
export type Failure = AppError & { printed?: Printed };
