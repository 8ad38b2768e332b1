import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import { type Connection, connectionDraftSchema, type SecretRole } from '../../shared/domain/connection.ts';
import { appError } from '../../shared/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { isSecretField } from '../../shared/secret-fields.ts';
import { secretFieldOf } from '../core/connections/demo-secrets.ts';
import { findSecret } from '../core/connections/find-secret.ts';
import type { CallProfile, CallSecrets } from '../core/connections/profile.ts';
import { detectKeychain } from '../platform/system-keychain.ts';

const draft = connectionDraftSchema.shape;

/** What a connection file may hold: settings, never a secret. Every field may be left out. */
const fileSchema = z.strictObject({
  name: draft.name.optional(),
  restBaseUrl: draft.restBaseUrl.default(''),
  soapUrl: draft.soapUrl.default(''),
  soapNamespace: draft.soapNamespace.default(''),
  utilitiesNamespace: draft.utilitiesNamespace.default(''),
  soapVersion: draft.soapVersion.default('1.1'),
  searchForm: draft.searchForm.default('query'),
  accountName: draft.accountName.default(''),
  machineId: draft.machineId.default(''),
  ipAddress: draft.ipAddress.default(''),
  yourReference: draft.yourReference.default(''),
  listSeparator: draft.listSeparator.default(','),
});

const wrong = (message: string, next: string) =>
  fail(appError('bad-input', { message, next, charge: 'not-applicable' }));

/** Reads a connection file. Its name, or the file's, is the one under which the keychain has the secrets. */
export async function readConnectionFile(path: string | undefined): Promise<Result<Connection>> {
  if (path === undefined)
    return wrong('No connection is named.', 'Name a file of settings with --connection; `help` shows what it holds.');
  let content: unknown;
  try {
    content = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code !== undefined;
    return wrong(
      missing ? `The connection file ${path} cannot be read.` : `The connection file ${path} is not JSON.`,
      'Check the path and the file.',
    );
  }
  const secret = typeof content === 'object' && content !== null ? Object.keys(content).find(isSecretField) : undefined;
  if (secret !== undefined)
    return wrong(
      `The connection file holds “${secret}”, which is a secret.`,
      'Take it out of the file; give it in the environment, or keep it in the keychain.',
    );
  const parsed = fileSchema.safeParse(content);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const at = issue?.path.join('.') || (issue?.code === 'unrecognized_keys' ? issue.keys.join(', ') : '');
    return wrong(
      `The connection file’s “${at}” is not usable: ${issue?.message ?? 'it does not fit'}.`,
      '`help` shows what a connection file holds.',
    );
  }
  const settings = parsed.data;
  return ok({
    ...settings,
    id: 'command-line',
    name: settings.name ?? basename(path).replace(/\.json$/i, ''),
    kind: 'test',
    colour: '#000000',
    preferredInterface: settings.restBaseUrl === '' ? 'soap' : 'rest',
  });
}

/** Environment variables come first: a script's own word for this one run. */
const variables: Readonly<Record<SecretRole, string>> = {
  'lookup-key': 'ADDRESS_CONSOLE_API_KEY',
  'master-key': 'ADDRESS_CONSOLE_MASTER_KEY',
  'account-guid': 'ADDRESS_CONSOLE_GUID',
  'licence-id': 'ADDRESS_CONSOLE_LICENCE_ID',
  'licence-key': 'ADDRESS_CONSOLE_LICENCE_KEY',
  'web-map-key': 'ADDRESS_CONSOLE_WEB_MAP_KEY',
};

/**
 * The connection with the secrets of some roles: from the environment, else from the keychain. A role that neither has is left
 * out; the client says what is missing for a call. Without a keychain the environment is all there is.
 */
export async function profileFromFile(
  path: string | undefined,
  roles: readonly SecretRole[],
): Promise<Result<CallProfile>> {
  const connection = await readConnectionFile(path);
  if (!connection.ok) return connection;
  const secrets: CallSecrets = {};
  const missing: SecretRole[] = [];
  for (const role of roles) {
    const value = process.env[variables[role]]?.trim();
    if (value) secrets[secretFieldOf[role]] = value;
    else missing.push(role);
  }
  if (missing.length > 0) {
    const { keychain } = await detectKeychain();
    for (const role of missing) {
      const found = await findSecret(keychain, connection.value.name, role);
      // A keychain that does not answer is no reason to refuse a call that may not need this role.
      if (found.ok && found.value !== null) secrets[secretFieldOf[role]] = found.value;
      else if (!found.ok && found.error.code === 'bad-input') return found;
    }
  }
  return ok({ connection: connection.value, secrets });
}
