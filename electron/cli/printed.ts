import type { AppError } from '../../shared/errors.ts';

/** What a command prints, as JSON. */
export type Printed = Record<string, unknown>;

/** Why it failed, and what it prints all the same. */
export type Failure = AppError & { printed?: Printed };
