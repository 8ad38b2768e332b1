import { descriptionQuery, type SoapVersion } from '../../../../shared/domain/connection.ts';
import type { ServiceDescription } from '../../../../shared/domain/service-description.ts';
import { appError } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { isSecretField } from '../../../../shared/secret-fields.ts';
import { type CallProfile, maskedValues } from '../../connections/profile.ts';
import { proveDestination } from '../../transport/connect/origin.ts';
import type { OutgoingRequest } from '../../transport/transport.ts';
import { type CallableOperation, resolveOperation } from '../operation.ts';
import { fillCredentials } from './credentials.ts';
import { actionOf, buildEnvelope, buildHeaders, type FieldValues, isXmlText, readFields } from './envelope.ts';

export interface CallToPrepare {
  profile: CallProfile;
  /** One of the 50 published names, or one that the description knows. */
  operation: string;
  /** By field name; credentials are filled from the profile unless given here. */
  fields?: FieldValues;
  /** The service's own description, if it has been read. */
  description?: ServiceDescription | undefined;
}

/** A call that may leave: the request, the operation its answer is decoded by, and the secrets that are masked wherever it is shown. */
export interface Prepared {
  operation: CallableOperation;
  /** Of the request element. */
  namespace: string;
  outgoing: Omit<OutgoingRequest, 'timeoutMs' | 'maxBytes' | 'signal'> & { body: string };
  secrets: string[];
}

const otherVersion = { '1.1': '1.2', '1.2': '1.1' } as const;

/**
 * The address of a call: the description's for that version of SOAP, or for the other, if it is of the configured origin; else the configured
 * one, without the query that asks for a description. Errors: 'not-configured', 'wrong-origin', 'insecure-address'.
 */
function chooseAddress(
  { connection }: CallProfile,
  version: SoapVersion,
  description: ServiceDescription | undefined,
): Result<URL> {
  const configured = connection.soapUrl.trim().replace(descriptionQuery, '');
  if (configured === '') return fail(appError('not-configured', { field: 'soapUrl' }));
  const described = description?.addresses[version] ?? description?.addresses[otherVersion[version]];
  const proved = described ? proveDestination(described, configured) : undefined;
  return proved?.ok ? proved : proveDestination(configured, configured);
}

/** The connection's version, unless the description offers the operation only over the other. */
function chooseVersion(configured: SoapVersion, { described }: CallableOperation): SoapVersion {
  const other = otherVersion[configured];
  return described?.actions[configured] === undefined && described?.actions[other] !== undefined ? other : configured;
}

/**
 * Everything that can be refused before a byte leaves. Credentials come last, after the address is verified. Errors: 'bad-input',
 * 'unknown-operation', 'no-credential', 'not-configured', 'wrong-origin', 'insecure-address'.
 */
export function prepareCall(call: CallToPrepare): Result<Prepared> {
  const { profile, description } = call;
  const operation = resolveOperation(call.operation, description);
  if (!operation.ok) return operation;
  const texts = readFields(operation.value, call.fields ?? {}, profile.connection.listSeparator);
  if (!texts.ok) return texts;
  const namespace = operation.value.namespace ?? (description?.targetNamespace || profile.connection.soapNamespace);
  if (namespace === '') {
    return fail(
      appError('not-configured', {
        message: 'The connection has no SOAP namespace.',
        next: 'Enter it under Connections.',
        field: 'soapNamespace',
      }),
    );
  }
  const version = chooseVersion(profile.connection.soapVersion, operation.value);
  const headers = buildHeaders(version, actionOf(version, namespace, operation.value));
  if (!headers.ok) return headers;
  const url = chooseAddress(profile, version, description);
  if (!url.ok) return url;
  const credentials = fillCredentials(operation.value.fields, new Set(texts.value.keys()), profile);
  if (!credentials.ok) return credentials;
  const all = new Map(texts.value);
  for (const [field, value] of credentials.value) {
    if (!isXmlText(value))
      return fail(appError('bad-input', { message: `${field} contains a character that cannot be sent.`, field }));
    all.set(field, [value]);
  }
  return ok({
    operation: operation.value,
    namespace,
    outgoing: {
      method: 'POST',
      url: url.value,
      headers: headers.value,
      body: buildEnvelope(version, namespace, operation.value, all),
    },
    secrets: collectSecrets(profile, all),
  });
}

/** Every secret of the connection, sent or not, and the caller's values for secret fields. */
function collectSecrets(profile: CallProfile, texts: ReadonlyMap<string, readonly string[]>): string[] {
  const given = [...texts].flatMap(([name, values]) => (isSecretField(name) ? values : []));
  return [...new Set([...maskedValues(profile), ...given])].filter((value) => value !== '');
}
