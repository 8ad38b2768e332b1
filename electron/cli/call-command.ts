import { priceOf, publishedCredits } from '../../shared/catalogue/price.ts';
import { findRestEndpoint, type RestEndpoint, searchPhraseForm } from '../../shared/catalogue/rest-endpoints.ts';
import type { FieldDef } from '../../shared/catalogue/types.ts';
import type { RawAnswer, Timings } from '../../shared/domain/call.ts';
import type { Connection } from '../../shared/domain/connection.ts';
import type { ServiceDescription } from '../../shared/domain/service-description.ts';
import { appError } from '../../shared/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import type { Errand } from '../core/calls/caller.ts';
import { checkOperation } from '../core/policy/apply-policy.ts';
import { callRest } from '../core/rest/client.ts';
import { callSoap } from '../core/soap/client.ts';
import { readFields } from '../core/soap/envelope.ts';
import { resolveOperation } from '../core/soap/operation.ts';
import { readDescription } from '../core/soap/read-description.ts';
import type { Arguments } from './arguments.ts';
import { openCallingDesk } from './calling-desk.ts';
import { readConnectionFile } from './connection-file.ts';
import { rolesOf } from './connection-secrets.ts';
import { type FieldInput, readSettings } from './fields.ts';
import type { Printed } from './main.ts';
import type { Session } from './session.ts';

/** `call <operation or endpoint> --set field=value … --connection file.json [--raw] [--timeout seconds]` */
export async function callCommand(args: Arguments, session: Session): Promise<Result<Printed>> {
  const [name] = args.words;
  if (name === undefined)
    return fail(
      appError('bad-input', { message: 'Name one operation or endpoint.', next: '`operations` lists them.' }),
    );
  return callByName(name, args, session);
}

/**
 * Makes one call of an endpoint or operation for a connection file, entered in the window's ledger and held to its caps. Shared
 * with `credits`.
 */
export async function callByName(name: string, args: Arguments, session: Session): Promise<Result<Printed>> {
  const connection = await readConnectionFile(args.connection);
  if (!connection.ok) return connection;
  const endpoint = findRestEndpoint(name);
  const allowed = checkOperation(session.policy, endpoint ? 'rest' : 'soap', name);
  if (!allowed.ok) return allowed;
  return endpoint
    ? callEndpoint(endpoint, connection.value, args, session)
    : callOperation(name, connection.value, args, session);
}

interface Answer {
  value: unknown;
  request: unknown;
  timings: Timings;
  raw: RawAnswer;
}

function print(
  name: string,
  fields: FieldInput,
  { value, request, timings, raw }: Answer,
  args: Arguments,
  more: Printed,
): Printed {
  const inMicroseconds = Object.entries(timings).map(([part, time]) => [
    part,
    typeof time === 'number' ? Math.round(time * 1000) / 1000 : time,
  ]);
  return {
    value,
    price: publishedCredits(priceOf(name), fields) ?? 'not published',
    request,
    timings: Object.fromEntries(inMicroseconds),
    ...more,
    ...(args.raw ? { raw } : {}),
  };
}

function parametersOf(endpoint: RestEndpoint, { searchForm }: Connection): readonly FieldDef[] {
  const all: readonly FieldDef[] =
    endpoint.name === 'Search' && searchForm === 'phrase'
      ? [...searchPhraseForm.parameters, ...endpoint.parameters]
      : endpoint.parameters;
  return all.filter((field) => field.credential === undefined);
}

async function callEndpoint(
  endpoint: RestEndpoint,
  connection: Connection,
  args: Arguments,
  session: Session,
): Promise<Result<Printed>> {
  const parameters = parametersOf(endpoint, connection);
  const fields = readSettings(args.set, parameters);
  if (!fields.ok) return fields;
  const answer = await perform(connection, session, {
    interface: 'rest',
    operation: endpoint.name,
    fields: fields.value,
    subject: describeSubject(endpoint.name, fields.value, parameters),
    roles: rolesOf(['apiKey']),
    readsBalance: endpoint.name === 'GetCredits',
    send: (profile, signal) =>
      callRest({
        profile,
        endpoint: endpoint.name,
        fields: fields.value as Record<string, string | number | boolean>,
        transport: session.send,
        timeoutMs: session.remaining(),
        signal,
      }),
    foundNothing: ({ search }) => search?.items.length === 0,
  });
  if (!answer.ok) return answer;
  return ok(print(endpoint.name, fields.value, answer.value, args, { shape: answer.value.shape }));
}

/** One errand for the connection of a file. The error says where a missing credential is to be put. */
async function perform<T>(
  file: Connection,
  session: Session,
  errand: Omit<Errand<T>, 'connectionId'>,
): Promise<Result<T>> {
  const desk = openCallingDesk(file, session);
  if (!desk.ok) return desk;
  const { caller, connection, explain, close } = desk.value;
  try {
    const done = await caller.perform({ ...errand, connectionId: connection.id }, { signal: session.signal });
    return done.ok ? ok(done.value.value) : fail(explain(done.error));
  } finally {
    close();
  }
}

const longestSubject = 200;

/** What was asked for, as the activity log has it: what was given, less what the connection fills; the name where that is nothing. */
function describeSubject(name: string, given: FieldInput, fields: readonly FieldDef[]): string {
  const shown = fields
    .filter((field) => field.credential === undefined && given[field.name] !== undefined)
    .map((field) => String(given[field.name]));
  const text = shown.join(', ') || name;
  return text.length > longestSubject ? `${text.slice(0, longestSubject - 1)}…` : text;
}

/** The description may take half of the time, the call itself the rest. */
const longestDescriptionMs = 10_000;

/**
 * The description is read first, which costs nothing and carries no credential: it knows the namespace, the actions and operations
 * that the catalogue does not. A service without one is called by the published rules.
 */
function describe({ soapUrl }: Connection, { send, signal, remaining }: Session): Promise<Result<ServiceDescription>> {
  const timeoutMs = Math.min(Math.ceil(remaining() / 2), longestDescriptionMs);
  return readDescription({ soapUrl, transport: send, timeoutMs, signal });
}

/** What the catalogue alone can refuse is refused before anything leaves. A field it does not know may be new in the description. */
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

async function callOperation(
  name: string,
  connection: Connection,
  args: Arguments,
  session: Session,
): Promise<Result<Printed>> {
  if (connection.soapUrl === '') {
    const known = resolveOperation(name);
    return known.ok ? fail(appError('not-configured', { field: 'soapUrl' })) : known;
  }
  const early = refuseEarly(name, connection, args);
  if (!early.ok) return early;
  const described = await describe(connection, session);
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
  const answer = await perform(connection, session, {
    interface: 'soap',
    operation: name,
    fields: fields.value,
    subject: describeSubject(name, fields.value, operation.value.fields),
    roles: rolesOf(slots),
    readsBalance: name === 'GetAvailableCredits' || name === 'ServiceTest',
    send: (profile, signal) =>
      callSoap({
        profile,
        operation: name,
        fields: fields.value,
        description,
        transport: session.send,
        timeoutMs: session.remaining(),
        signal,
      }),
    foundNothing: ({ found }) => found === 'nothing',
  });
  if (!answer.ok) return answer;
  const { value, request, timings, raw, unknown, ...outcome } = answer.value;
  const more = { ...outcome, ...(unknown.length > 0 ? { unknown } : {}) };
  return ok(print(name, fields.value, { value, request, timings, raw }, args, more));
}
