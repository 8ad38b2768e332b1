import { type AppError, appError } from '../../shared/errors.ts';
import { fail } from '../../shared/result.ts';

/** The exit statuses, for schedulers and scripts. 2 is not among them: the packaged program ends with it when it was started with a refused switch. */
export const exitStatuses = {
  done: 0,
  failed: 1,
  'below-threshold': 3,
  limit: 4,
  waiting: 5,
  'not-every-row': 6,
} as const;
type ExitStatus = (typeof exitStatuses)[keyof typeof exitStatuses];

/** The document that a command prints. `exitStatus` is not printed; without it the status is 0 after success and 1 after a failure. */
export interface Printed {
  exitStatus?: ExitStatus;
  [part: string]: unknown;
}

/** Why a command failed, and what it prints beside the error. */
export type Failure = AppError & { printed?: Printed };

/** What was typed cannot be done: a sentence, and what to type instead. `bad-input`, of which no cost is said because nothing was to be sent. */
export const usageError = (message: string, next: string) =>
  fail(appError('bad-input', { message, next, charge: 'not-applicable' }));
