import { priceOf, publishedCredits } from '../../../shared/catalogue/price.ts';
import { type AppError, appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Arguments } from '../arguments.ts';
import { readConnectionFile } from '../connection-file.ts';
import { inConnectionFile } from '../connection-secrets.ts';
import { exitStatuses, type Failure, type Printed } from '../printed.ts';
import type { Session } from '../session.ts';
import { callOver } from './call-command.ts';

const sides = [
  ['rest', 'GetCredits'],
  ['soap', 'GetAvailableCredits'],
] as const;

/** Of both calls. */
const labelledRoles = ['lookup-key', 'master-key', 'account-guid'] as const;

/** Whether an interface is not set up for this connection: it has no address, or no secret. It is left out, which is no failure. */
const isNotSetUp = ({ code, field, next }: AppError): boolean =>
  code === 'not-configured'
    ? field === 'restBaseUrl' || field === 'soapUrl'
    : code === 'no-credential' && next !== inConnectionFile;

/**
 * `credits --connection file.json [--below CREDITS]`: the balance of each interface, by GetCredits (free) and GetAvailableCredits (price not
 * published), as `{value: {rest, soap}, request: {rest, soap}, …}`. An interface without an address or a secret is named under `leftOut`. If
 * one fails, or its balance is not a number, the command fails, with the other's balance beside the error. With `--below` the document lists
 * the balances below it (`below: {threshold, sides}`), and the exit status is 3 if there are any, also where another could not be read.
 */
export async function creditsCommand(args: Arguments, session: Session): Promise<Result<Printed, Failure>> {
  const document: Record<string, Printed> = {};
  const put = (part: string, side: string, content: unknown): void => {
    document[part] = { ...document[part], [side]: content };
  };
  const file = await readConnectionFile(args.connection, session);
  if (!file.ok) return file;
  let failure: Failure | undefined;
  for (const [side, operation] of sides) {
    const result = await callOver(
      file.value,
      operation,
      { ...args, words: [], set: [] },
      { ...session, labelledRoles },
    );
    if (result.ok) for (const [part, content] of Object.entries(result.value)) put(part, side, content);
    else if (isNotSetUp(result.error)) put('leftOut', side, result.error.message);
    else {
      const { code, message, charge } = result.error;
      put('failed', side, { code, message, charge });
      if (charge === 'may-have-been-charged') put('price', side, publishedCredits(priceOf(operation)));
      // Of two errors the one that may have cost something is the command's: its message says what was sent.
      if (failure === undefined || charge === 'may-have-been-charged') failure = result.error;
    }
  }
  const prices = Object.values(document.price ?? {});
  const sum = prices.reduce<number>((total, price) => total + Number(price), 0);
  const balances = Object.entries(document.value ?? {}).map(
    ([side, read]) => [side, creditsOf(document.balance?.[side] ?? read)] as const,
  );
  const under = balances.filter(([, credits]) => args.below !== undefined && credits !== null && credits < args.below);
  const printed: Printed = {
    ...document,
    price: Number.isNaN(sum) ? 'not published' : sum,
    ...(args.below === undefined ? {} : { below: { threshold: args.below, sides: under.map(([side]) => side) } }),
  };
  if (balances.some(([, credits]) => credits === null))
    failure ??= appError('unreadable-answer', {
      message: 'A balance came that is not a number.',
      charge: 'not-applicable',
    });
  if (under.length > 0) printed.exitStatus = exitStatuses['below-threshold'];
  if (failure) return fail({ ...failure, printed });
  if (document.value) return ok(printed);
  const message = 'No interface has an address and credentials that could be found.';
  const next = 'An address goes into the connection file, a key into the environment or the keychain.';
  return fail({ ...appError('not-configured', { message, next }), printed: { leftOut: document.leftOut } });
}

/** What is left by one interface: the number that SOAP answers, or what was read of REST's answer; null if that is no number. */
function creditsOf(read: unknown): number | null {
  const credits = typeof read === 'object' && read !== null && 'credits' in read ? read.credits : read;
  return typeof credits === 'number' && Number.isFinite(credits) ? credits : null;
}
