import { findRestEndpoint } from '../../../shared/catalogue/rest-endpoints.ts';
import type { Connection } from '../../../shared/domain/connection.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, type Result } from '../../../shared/result.ts';
import { checkOperation } from '../../core/policy/apply-policy.ts';
import type { Arguments } from '../arguments.ts';
import { openCallingDesk } from '../calling-desk.ts';
import { readConnectionFile } from '../connection-file.ts';
import type { Printed } from '../printed.ts';
import type { Session } from '../session.ts';
import { callEndpoint } from './call-endpoint.ts';
import { callOperation } from './call-operation.ts';

/** `call <operation or endpoint> --set field=value … --connection file.json [--raw] [--timeout seconds]` */
export async function callCommand(args: Arguments, session: Session): Promise<Result<Printed>> {
  const [name] = args.words;
  if (name === undefined)
    return fail(
      appError('bad-input', { message: 'Name one operation or endpoint.', next: '`operations` lists them.' }),
    );
  return callByName(name, args, session);
}

/** `callOver` for a connection file. */
export async function callByName(name: string, args: Arguments, session: Session): Promise<Result<Printed>> {
  const connection = await readConnectionFile(args.connection, session);
  return connection.ok ? callOver(connection.value, name, args, session) : connection;
}

/** Makes one call of an endpoint or operation. It is entered in the window's ledger and subject to its caps. `credits` uses this too. */
export async function callOver(
  connection: Connection,
  name: string,
  args: Arguments,
  session: Session,
): Promise<Result<Printed>> {
  const endpoint = findRestEndpoint(name);
  const allowed = checkOperation(session.policy, endpoint ? 'rest' : 'soap', name);
  if (!allowed.ok) return allowed;
  // First of all, because it looks for keys among what was typed: other errors name typed words.
  const desk = openCallingDesk(connection, session);
  if (!desk.ok) return desk;
  try {
    return await (endpoint
      ? callEndpoint(endpoint, desk.value, args, session)
      : callOperation(name, desk.value, args, session));
  } finally {
    desk.value.close();
  }
}
