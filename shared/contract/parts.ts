import { z } from 'zod';
import { cacheModes } from '../domain/call.ts';
import { type ErrorCode, errorCodes } from '../errors.ts';

/** Input and output of one channel. */
export const channel = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) => ({ input, output }) as const;

/**
 * A channel whose input holds what a person typed. Main asks back (`looks-like-key`) before something that looks like a key is sent or
 * stored; `sendAnyway` is the answer. `except`: fields that are meant to hold a secret.
 */
export const typedChannel = <I extends z.ZodRawShape, O extends z.ZodType>(
  input: z.ZodObject<I, z.core.$strict>,
  output: O,
  except: readonly string[] = [],
) => ({ input: input.extend({ sendAnyway: z.boolean().default(false) }), output, typed: { except } }) as const;

export const nothing = z.strictObject({});
export const id = z.string().min(1).max(64);
/** Anything a person may type into one line. */
export const line = z.string().max(500);
/** How a question that costs credits uses the saved answers; what a button called free sends is 'only-if-cached'. */
export const cacheMode = z.enum(cacheModes).default('default');
export const byConnection = z.strictObject({ connectionId: id });

/** What the window may know of a file that a person had written: nothing of its folder. */
export const savedFile = z.object({ saved: z.boolean(), fileName: z.string(), rows: z.number(), bytes: z.number() });

/** AppError as it crosses to the window: the only form in which failures reach it. */
export const appErrorSchema = z.object({
  code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]),
  message: z.string(),
  money: z.string(),
  next: z.string(),
  charge: z.enum(['not-charged', 'may-have-been-charged', 'not-applicable']),
  detail: z.string().optional(),
  field: z.string().optional(),
  callId: z.string().optional(),
  sentWith: z.object({ id: z.string(), label: z.string(), lastFour: z.string() }).optional(),
});
