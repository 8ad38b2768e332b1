import { priceOf, publishedCredits } from '../../shared/catalogue/price.ts';
import {
  findRestEndpoint,
  type RestEndpoint,
  type RestEndpointName,
  searchPhraseForm,
} from '../../shared/catalogue/rest-endpoints.ts';
import type { FieldDef } from '../../shared/catalogue/types.ts';
import type { RawAnswer } from '../../shared/domain/call.ts';
import type { Connection, SecretRole } from '../../shared/domain/connection.ts';
import type { ServiceDescription } from '../../shared/domain/service-description.ts';
import { appError } from '../../shared/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { callRest } from '../core/rest/client.ts';
import { callSoap } from '../core/soap/client.ts';
import { resolveOperation } from '../core/soap/operation.ts';
import { readDescription } from '../core/soap/read-description.ts';
import { createHttpTransport, type HttpTransport } from '../core/transport/http-transport.ts';
import { type Arguments, readArguments } from './arguments.ts';
import { profileFromFile } from './connection-file.ts';
import { type FieldInput, readSettings } from './fields.ts';
import type { Printed } from './main.ts';

const soapRoles: readonly SecretRole[] = ['licence-id', 'account-guid', 'licence-key', 'web-map-key'];

/** `call <operation or endpoint> --set field=value … --connection file.json [--raw] [--timeout seconds]` */
export async function callCommand(args: string[]): Promise<Result<Printed>> {
  const read = readArguments(args);
  if (!read.ok) return read;
  const [name, ...more] = read.value.words;
  if (name === undefined || more.length > 0)
    return fail(
      appError('bad-input', { message: 'Name one operation or endpoint.', next: '`operations` lists them.' }),
    );
  const transport = createHttpTransport();
  try {
    return await callByName(name, read.value, transport);
  } finally {
    await transport.close();
  }
}

/** Makes one call of an endpoint or operation for a connection file. Shared with `credits` and `licences`. */
export function callByName(name: string, args: Arguments, transport: HttpTransport): Promise<Result<Printed>> {
  const endpoint = findRestEndpoint(name);
  return endpoint ? callEndpoint(endpoint, args, transport) : callOperation(name, args, transport);
}

const price = (name: string, fields: FieldInput): number | string =>
  publishedCredits(priceOf(name), fields) ?? 'not published';

const printed = (
  name: string,
  fields: FieldInput,
  answer: { value: unknown; request: unknown; timings: unknown; raw: RawAnswer },
  raw: boolean,
  extra: Printed = {},
): Printed => ({
  value: answer.value,
  price: price(name, fields),
  request: answer.request,
  timings: answer.timings,
  ...extra,
  ...(raw ? { raw: answer.raw } : {}),
});

function parametersOf(endpoint: RestEndpoint, connection: Connection): readonly FieldDef[] {
  const all: readonly FieldDef[] =
    endpoint.name === 'Search' && connection.searchForm === 'phrase'
      ? [...searchPhraseForm.parameters, ...endpoint.parameters]
      : endpoint.parameters;
  return all.filter((field) => field.credential === undefined);
}

async function callEndpoint(
  endpoint: RestEndpoint,
  args: Arguments,
  transport: HttpTransport,
): Promise<Result<Printed>> {
  const profile = await profileFromFile(args.connection, ['lookup-key', 'master-key']);
  if (!profile.ok) return profile;
  const fields = readSettings(args.set, parametersOf(endpoint, profile.value.connection));
  if (!fields.ok) return fields;
  const answer = await callRest({
    profile: profile.value,
    endpoint: endpoint.name as RestEndpointName,
    fields: fields.value as Record<string, string | number | boolean>,
    transport: transport.send,
    timeoutMs: args.timeoutMs,
  });
  if (!answer.ok) return answer;
  return ok(printed(endpoint.name, fields.value, answer.value, args.raw, { shape: answer.value.shape }));
}

/**
 * The description is read first, which costs nothing: it knows the namespace, the actions and operations that the catalogue does
 * not. A service without one is called by the published rules.
 */
async function describe(
  connection: Connection,
  args: Arguments,
  transport: HttpTransport,
): Promise<ServiceDescription | undefined> {
  const description = await readDescription({
    soapUrl: connection.soapUrl,
    transport: transport.send,
    timeoutMs: Math.min(args.timeoutMs, 10_000),
  });
  return description.ok ? description.value : undefined;
}

async function callOperation(name: string, args: Arguments, transport: HttpTransport): Promise<Result<Printed>> {
  const profile = await profileFromFile(args.connection, soapRoles);
  if (!profile.ok) return profile;
  const { connection } = profile.value;
  if (connection.soapUrl === '') {
    const known = resolveOperation(name);
    return known.ok ? fail(appError('not-configured', { field: 'soapUrl' })) : known;
  }
  // What the catalogue alone can refuse is refused before even the description is asked for.
  const published = resolveOperation(name);
  if (published.ok) {
    const early = readSettings(args.set, published.value.fields);
    if (!early.ok) return early;
  }
  const description = await describe(connection, args, transport);
  const operation = resolveOperation(name, description);
  if (!operation.ok) return operation;
  const fields = readSettings(args.set, operation.value.fields);
  if (!fields.ok) return fields;
  const answer = await callSoap({
    profile: profile.value,
    operation: name,
    fields: fields.value,
    description,
    transport: transport.send,
    timeoutMs: args.timeoutMs,
  });
  if (!answer.ok) return answer;
  const { found, unknown } = answer.value;
  return ok(
    printed(name, fields.value, answer.value, args.raw, {
      found,
      ...(answer.value.returnCode === undefined ? {} : { returnCode: answer.value.returnCode }),
      ...(unknown.length > 0 ? { unknown } : {}),
    }),
  );
}
