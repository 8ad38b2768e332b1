import { type AppError, appError, type ErrorCode } from '../../../shared/errors.ts';

/** An update's errors say nothing about credits, and their remedy is never under Connections. */
export const updateError = (
  code: ErrorCode,
  message: string,
  next = 'Check the update address in Settings, or try later.',
  detail?: string,
): AppError => appError(code, { charge: 'not-applicable', message, next, detail });

/** Carries an error through code that has no error values: electron-updater, a stream. */
export class UpdateFailure extends Error {
  readonly error: AppError;
  constructor(error: AppError) {
    super(error.message);
    this.error = error;
  }
}
