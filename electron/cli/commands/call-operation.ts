import type { Timings } from '../../../shared/domain/call.ts';
import type { Connection } from '../../../shared/domain/connection.ts';
import { writeOperations } from '../../../shared/domain/licences/licence-change.ts';
import type { ServiceDescription } from '../../../shared/domain/service-description.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { secretFieldOf } from '../../core/connections/profile.ts';
import { type Callable, isWrite, refuseWrite } from '../../core/operations/resolve.ts';
import { guideKeys } from '../../core/operations/snippets.ts';
import { lookupKeyOf } from '../../core/rest/choose-key.ts';
import { callSoap } from '../../core/soap/client.ts';
import { readDescription } from '../../core/soap/description/read-description.ts';
import { readFields } from '../../core/soap/message/envelope.ts';
import { type CallableOperation, resolveOperation } from '../../core/soap/operation.ts';
import type { Arguments } from '../arguments.ts';
import type { CallingDesk } from '../calling-desk.ts';
import { findSecrets, rolesOf } from '../connection-secrets.ts';
import { type FieldInput, readSettings } from '../fields.ts';
import type { Printed } from '../printed.ts';
import type { Session } from '../session.ts';
import { checkAccount, licencesAt } from './licence-console.ts';
import { describeSubject, makeCall, print } from './make-call.ts';

/** The longest wait for the description, if the time limit is not shorter. */
const longestDescriptionMs = 10_000;

/**
 * Reads the description first, which costs nothing and sends no credential: it has the namespace, the actions, and operations
 * that the catalogue does not have. A service without one is called by the published rules.
 */
function describe(
  { soapUrl }: Connection,
  { timeoutMs }: Arguments,
  { send, signal }: Session,
): Promise<Result<ServiceDescription>> {
  return readDescription({ soapUrl, transport: send, timeoutMs: Math.min(timeoutMs, longestDescriptionMs), signal });
}

/** Refuses what the catalogue shows to be wrong, before anything is sent. A field that it does not have is no error: the description may have it. */
function refuseEarly(name: string, { listSeparator }: Connection, { set }: Arguments): Result<unknown> {
  const published = resolveOperation(name);
  if (!published.ok) return ok(undefined);
  const { fields } = published.value;
  const read = readSettings(
    set.filter((word) => !word.includes('=') || fields.some((field) => field.name === word.split('=', 1)[0])),
    fields,
  );
  if (!read.ok) return read;
  return readFields(
    { ...published.value, fields: fields.map(({ required: _, ...field }) => field) },
    read.value,
    listSeparator,
  );
}

/**
 * Journals a licence write that is called by its operation's name before it is sent, as every change is (promise 8); one that the journal
 * has no form for is refused. Reads are not journalled. Returns a function to call with the outcome. Errors: `bad-input`, `not-permitted`,
 * `policy-forbids`, `wrong-origin`, `unfinished-change`, `storage-failed`; nothing may then be sent.
 */
function journalWrite(
  desk: CallingDesk,
  operation: CallableOperation,
  given: FieldInput,
  { timeoutMs }: Arguments,
  session: Session,
): Result<(answer: Result<{ value: unknown; timings: Timings }>) => void> {
  const kind = (['register', 'unregister'] as const).find((one) => writeOperations[one] === operation.name);
  if (kind === undefined)
    return isWrite(operation.name)
      ? fail({ ...refuseWrite().error, next: 'Use licences register, unregister or move.' })
      : ok(() => {});
  // A call that the client would refuse is never sent, so it is not journalled.
  const complete = readFields(operation, given, desk.connection.listSeparator);
  if (!complete.ok) return complete;
  const own = checkAccount(desk);
  if (!own.ok) return own;
  const textOf = (field: string): string => complete.value.get(field)?.join() ?? '';
  const licences = licencesAt(desk, session, timeoutMs);
  const begun = licences.beginUnverified({
    connectionId: desk.connection.id,
    kind,
    licenceNumber: textOf('iLicenseID'),
    machine: textOf('sMachineName'),
  });
  if (!begun.ok) {
    licences.close();
    return begun;
  }
  return ok((answer) => {
    // If the outcome cannot be written, the change stays begun, and the window offers to check it at its next start.
    begun.value(answer.ok ? ok({ value: String(answer.value.value), durationMs: answer.value.timings.total }) : answer);
    licences.close();
  });
}

/** Calls a SOAP operation with the given fields, by the service's description if it has one. */
export async function callOperation(
  name: string,
  desk: CallingDesk,
  args: Arguments,
  session: Session,
): Promise<Result<Printed>> {
  const { connection, findKeychain } = desk;
  if (connection.soapUrl === '') {
    const known = resolveOperation(name);
    return known.ok ? fail(appError('not-configured', { field: 'soapUrl' })) : known;
  }
  const early = refuseEarly(name, connection, args);
  if (!early.ok) return early;
  const described = await describe(connection, args, session);
  const description = described.ok ? described.value : undefined;
  const operation = resolveOperation(name, description);
  if (!operation.ok) {
    if (described.ok) return operation;
    const { message, detail } = described.error;
    return fail({
      ...operation.error,
      message: `The catalogue does not know “${name}”, and the service’s description could not be read: ${message}`,
      ...(detail === undefined ? {} : { detail }),
    });
  }
  const fields = readSettings(args.set, operation.value.fields);
  if (!fields.ok) return fields;
  const slots = operation.value.fields.map((field) => field.credential).filter((slot) => slot !== 'apiKey');
  const callable: Callable = { interface: 'soap', name, operation: operation.value, fields: operation.value.fields };
  // The guide's request has the lookup key as a field.
  const takesKey = Object.keys(guideKeys(callable, '')).length > 0;
  const roles = [...rolesOf(slots), ...(takesKey ? (['lookup-key', 'master-key'] as const) : [])];
  if (!described.ok && connection.soapNamespace === '') {
    const found = await findSecrets({ ...session, findKeychain }, connection, roles, session);
    if (!found.ok) return found;
    const { profile, explain } = found.value;
    // The namespace would have come from the description: its own error says why there is none.
    return roles.every((role) => profile.secrets[secretFieldOf[role]] !== undefined)
      ? described
      : fail(explain(appError('no-credential')));
  }
  const answer = await makeCall(
    desk,
    session,
    {
      interface: 'soap',
      operation: name,
      fields: fields.value,
      subject: describeSubject(name, fields.value, operation.value.fields),
      roles,
      timeoutMs: args.timeoutMs,
      send: async (profile, signal) => {
        const key = takesKey ? lookupKeyOf(profile) : ok('');
        if (!key.ok) return key;
        return callSoap({
          profile,
          operation: name,
          fields: takesKey ? { ...fields.value, ...guideKeys(callable, key.value) } : fields.value,
          description,
          transport: session.send,
          timeoutMs: args.timeoutMs,
          signal,
        });
      },
      foundNothing: ({ found }) => found === 'nothing',
    },
    () => journalWrite(desk, operation.value, fields.value, args, session),
  );
  if (!answer.ok) return answer;
  const { value, request, timings, raw, unknown, ...outcome } = answer.value;
  const more = { ...outcome, ...(unknown.length > 0 ? { unknown } : {}) };
  return ok(print(name, fields.value, { value, request, timings, raw }, args, more));
}
