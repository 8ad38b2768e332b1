import { type RestEndpoint, searchPhraseForm } from '../../../shared/catalogue/rest-endpoints.ts';
import type { FieldDef } from '../../../shared/catalogue/types.ts';
import type { Connection } from '../../../shared/domain/connection.ts';
import type { Balance } from '../../../shared/domain/credits/balance.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { callRest } from '../../core/rest/client.ts';
import { foundNothing } from '../../core/rest/transform.ts';
import type { Arguments } from '../arguments.ts';
import type { CallingDesk } from '../calling-desk.ts';
import { rolesOf } from '../connection-secrets.ts';
import { readSettings } from '../fields.ts';
import type { Printed } from '../printed.ts';
import type { Session } from '../session.ts';
import { describeSubject, makeCall, print } from './make-call.ts';

function parametersOf(endpoint: RestEndpoint, { searchForm }: Connection): readonly FieldDef[] {
  const all: readonly FieldDef[] =
    endpoint.name === 'Search' && searchForm === 'phrase'
      ? [...searchPhraseForm.parameters, ...endpoint.parameters]
      : endpoint.parameters;
  return all.filter((field) => field.credential === undefined);
}

/** What was read of a balance, in one form for both published shapes. */
const describeBalance = ({ credits, used, total, expiryDate }: Balance) => ({ credits, used, total, expiryDate });

/** Calls a REST endpoint with the given fields, in the search form that is set in the connection. */
export async function callEndpoint(
  endpoint: RestEndpoint,
  desk: CallingDesk,
  args: Arguments,
  session: Session,
): Promise<Result<Printed>> {
  const parameters = parametersOf(endpoint, desk.connection);
  const fields = readSettings(args.set, parameters);
  if (!fields.ok) return fields;
  const answer = await makeCall(desk, session, {
    interface: 'rest',
    operation: endpoint.name,
    fields: fields.value,
    subject: describeSubject(endpoint.name, fields.value, parameters),
    roles: rolesOf(['apiKey']),
    timeoutMs: args.timeoutMs,
    send: (profile, signal) =>
      callRest({
        profile,
        endpoint: endpoint.name,
        fields: fields.value as Record<string, string | number | boolean>,
        transport: session.send,
        timeoutMs: args.timeoutMs,
        signal,
      }),
    foundNothing: ({ search }) => search !== undefined && foundNothing(search),
  });
  if (!answer.ok) return answer;
  const { shape, balance, doubt } = answer.value;
  return ok(
    print(endpoint.name, fields.value, answer.value, args, {
      shape,
      ...(doubt === undefined ? {} : { doubt }),
      ...(balance ? { balance: describeBalance(balance) } : {}),
    }),
  );
}
