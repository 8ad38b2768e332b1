import { appError } from '../../shared/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import type { Arguments } from './arguments.ts';
import { callByName } from './call-command.ts';
import type { Printed } from './main.ts';
import type { Session } from './session.ts';

const forms = 'Write licences list or licences details --machine NAME.';

/** `licences list` asks GetLicenseList for the account, `licences details --machine NAME` GetLicenseDetails for one machine. Both only read. */
export async function licencesCommand(args: Arguments, session: Session): Promise<Result<Printed>> {
  const operation = operationOf(args);
  if (!operation.ok) return operation;
  const set = args.machine === undefined ? [] : [`sMachineName=${args.machine}`];
  return callByName(operation.value, { ...args, set }, session);
}

function operationOf({ words: [what = 'list'], machine }: Arguments): Result<string> {
  if (what === 'list') return ok('GetLicenseList');
  if (what === 'details' && machine) return ok('GetLicenseDetails');
  const message = what === 'details' ? 'Name the machine.' : `There is no “licences ${what}”.`;
  return fail(appError('bad-input', { message, next: forms, field: 'machine' }));
}
