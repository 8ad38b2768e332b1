import { type AppError, appError } from '../../shared/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { createHttpTransport } from '../core/transport/http-transport.ts';
import { readArguments } from './arguments.ts';
import { callByName } from './call-command.ts';
import type { Printed } from './main.ts';

/** Reasons for which an interface is left out rather than failed: it is not set up for this connection. */
const notSetUp = new Set(['not-configured', 'no-credential']);

/**
 * `credits --connection file.json`: the balance of each interface, GetCredits (free) and GetAvailableCredits (price not
 * published). An interface that is not set up is named as left out; one that fails makes the command fail, with the other's figure beside it.
 */
export async function creditsCommand(args: string[]): Promise<Result<Printed, AppError & { printed?: Printed }>> {
  const read = readArguments(args);
  if (!read.ok) return read;
  const transport = createHttpTransport();
  const asked = { ...read.value, set: [], words: [] };
  const value: Printed = {};
  let failure: AppError | undefined;
  let answered = 0;
  try {
    for (const [side, operation] of [
      ['rest', 'GetCredits'],
      ['soap', 'GetAvailableCredits'],
    ] as const) {
      const result = await callByName(operation, asked, transport);
      if (result.ok) {
        answered += 1;
        value[side] = result.value;
      } else if (notSetUp.has(result.error.code)) {
        value[side] = { leftOut: result.error.message };
      } else if (result.error.code === 'bad-input') return result;
      else {
        failure ??= result.error;
        value[side] = { error: { code: result.error.code, message: result.error.message } };
      }
    }
  } finally {
    await transport.close();
  }
  if (failure) return fail({ ...failure, printed: { value } });
  if (answered === 0)
    return fail({
      ...appError('not-configured', { message: 'The connection has no interface with credentials to ask.' }),
      printed: { value },
    });
  return ok({ value });
}
