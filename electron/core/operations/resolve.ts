import { findRestEndpoint, type RestEndpoint, searchPhraseForm } from '../../../shared/catalogue/rest-endpoints.ts';
import { baseOf, datasetSuffix, findSoapOperation } from '../../../shared/catalogue/soap-operations.ts';
import type { FieldDef } from '../../../shared/catalogue/types.ts';
import type { Connection, SecretRole } from '../../../shared/domain/connection.ts';
import type { ServiceDescription } from '../../../shared/domain/service-description.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { isSecretField } from '../../../shared/secret-fields.ts';
import { soapRoleOf } from '../connections/profile.ts';
import { type CallableOperation, publishedName, type RequestField, resolveOperation } from '../soap/operation.ts';

/** An operation of either interface, ready to be asked. */
export type Callable =
  | { interface: 'rest'; name: string; endpoint: RestEndpoint; fields: readonly FieldDef[] }
  | { interface: 'soap'; name: string; operation: CallableOperation; fields: readonly RequestField[] };

/** Parameters of an endpoint in the form of search that the connection is set to. */
function parametersOf(endpoint: RestEndpoint, { searchForm }: Pick<Connection, 'searchForm'>): readonly FieldDef[] {
  return endpoint.name === 'Search' && searchForm === 'phrase' ? searchPhraseForm.parameters : endpoint.parameters;
}

/** The operation behind a name, its twin if `dataset` asks for it. Errors: 'unknown-operation'. */
export function resolveCallable(
  connection: Pick<Connection, 'searchForm'>,
  name: string,
  dataset: boolean,
  description: ServiceDescription | undefined,
): Result<Callable> {
  const endpoint = findRestEndpoint(name);
  if (endpoint) return ok({ interface: 'rest', name, endpoint, fields: parametersOf(endpoint, connection) });
  const full = dataset ? baseOf(name) + datasetSuffix : name;
  const operation = resolveOperation(full, description);
  if (!operation.ok) return operation;
  return ok({ interface: 'soap', name: full, operation: operation.value, fields: operation.value.fields });
}

const publishedOf = (name: string) => findSoapOperation(publishedName(name));

/**
 * Whether a call changes a licence. For operations known only from the description nothing is published, so the name decides: an operation
 * that registers or unregisters has no way round the journal (promise 8).
 */
export function isWrite(name: string): boolean {
  return publishedOf(name)?.operation.effect === 'writes' || /(un)?register/i.test(name);
}

/** Answers about the present moment: the balance, the licences, whether the service runs. They are never cached. */
function isOfTheMoment(name: string): boolean {
  if (name === 'GetCredits') return true;
  const group = publishedOf(name)?.operation.group;
  return group === 'Licences and credits' || group === 'Service';
}

/** Only answers of published reads are cached: what another operation does is not known. */
export function isCacheable({ interface: protocol, name }: Callable): boolean {
  if (isWrite(name) || isOfTheMoment(name)) return false;
  return protocol === 'rest' || publishedOf(name) !== undefined;
}

/** Roles of key that fill a field, best first; empty: a setting of the connection or a person fills it. */
export function rolesOfField(callable: Callable, field: FieldDef): readonly SecretRole[] {
  if (field.credential === 'apiKey')
    return callable.name === 'GetCredits' ? ['lookup-key', 'master-key'] : ['lookup-key'];
  if (isGuideKey(callable, field)) return ['lookup-key'];
  const role = soapRoleOf(field.credential);
  return role ? [role] : [];
}

/**
 * The ApiKey of the request that only the integration guide shows. The guide calls it an API key, as REST does, so the lookup key fills it,
 * and no other SOAP operation's field.
 */
export function isGuideKey(callable: Callable, field: FieldDef): boolean {
  return (
    callable.interface === 'soap' &&
    callable.operation.described?.publishedInGuideOnly === true &&
    field.name.toLowerCase() === 'apikey'
  );
}

/** A field for a secret for which the connection is known to have nothing: it is never typed into a form. */
export const isUnknownSecret = (callable: Callable, field: FieldDef): boolean =>
  isSecretField(field.name) && field.credential === undefined && !isGuideKey(callable, field);

/** Fields that a person fills in: all except those filled by the connection. */
export const ownFields = (callable: Callable): readonly (FieldDef & Partial<RequestField>)[] =>
  callable.fields.filter((field) => field.credential === undefined && !isSecretField(field.name));

/** The message when a licence write is requested from here. */
export const refuseWrite = () =>
  fail(
    appError('not-permitted', {
      message: 'Licence changes are not made from here.',
      next: 'Make them under Licences, where they are planned, agreed to, journalled and read back.',
      charge: 'not-charged',
    }),
  );
