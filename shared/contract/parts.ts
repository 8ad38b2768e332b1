import { z } from 'zod';
import { type ErrorCode, errorCodes } from '../errors.ts';

/** Input and output of one channel. */
export const channel = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) => ({ input, output }) as const;

export const nothing = z.strictObject({});
export const id = z.string().min(1).max(64);
/** Anything a person may type into one line. */
export const line = z.string().max(500);
export const byConnection = z.strictObject({ connectionId: id });

/** AppError as it crosses to the window: the only form in which anything goes wrong there. */
export const appErrorSchema = z.object({
  code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]),
  message: z.string(),
  money: z.string(),
  next: z.string(),
  charge: z.enum(['not-charged', 'may-have-been-charged', 'charged', 'not-applicable']),
  detail: z.string().optional(),
  field: z.string().optional(),
  callId: z.string().optional(),
});
