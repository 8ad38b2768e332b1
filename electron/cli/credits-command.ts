import { appError } from '../../shared/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import type { Arguments } from './arguments.ts';
import { callByName } from './call-command.ts';
import type { Failure, Printed } from './printed.ts';
import type { Session } from './session.ts';

const sides = [
  ['rest', 'GetCredits'],
  ['soap', 'GetAvailableCredits'],
] as const;

/** Reasons for which an interface is left out rather than failed: it is not set up for this connection. */
const notSetUp: ReadonlySet<string> = new Set(['not-configured', 'no-credential']);

/**
 * `credits --connection file.json`: the balance of each interface, GetCredits (free) and GetAvailableCredits (price not
 * published), as `{value: {rest, soap}, request: {rest, soap}, …}`. An interface that is not set up is named under `leftOut`; one that
 * fails makes the command fail, with the other's figure beside the error.
 */
export async function creditsCommand(args: Arguments, session: Session): Promise<Result<Printed, Failure>> {
  const document: Record<string, Printed> = {};
  const put = (part: string, side: string, content: unknown): void => {
    document[part] = { ...document[part], [side]: content };
  };
  let failure: Failure | undefined;
  for (const [side, operation] of sides) {
    const result = await callByName(operation, { ...args, words: [], set: [] }, session);
    if (result.ok) for (const [part, content] of Object.entries(result.value)) put(part, side, content);
    else if (notSetUp.has(result.error.code)) put('leftOut', side, result.error.message);
    else if (result.error.code === 'bad-input') return result;
    else {
      put('failed', side, { code: result.error.code, message: result.error.message });
      failure ??= result.error;
    }
  }
  const prices = Object.values(document.price ?? {});
  const sum = prices.reduce<number>((total, price) => total + Number(price), 0);
  const printed: Printed = { ...document, price: Number.isNaN(sum) ? 'not published' : sum };
  if (failure) return fail({ ...failure, printed });
  if (document.value) return ok(printed);
  const message = 'The connection has no interface with credentials to ask.';
  return fail({ ...appError('not-configured', { message }), printed: { leftOut: document.leftOut } });
}
