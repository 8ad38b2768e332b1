import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { z } from 'zod';
import { type Connection, connectionDraftSchema } from '../../shared/domain/connection.ts';
import { decodeTextFile } from '../../shared/domain/text/text-file.ts';
import { ok, type Result } from '../../shared/result.ts';
import { isSecretField } from '../../shared/secret-fields.ts';
import { findSecretInAddress, secretName } from '../core/connections/check-service-address.ts';
import { usageError } from './printed.ts';
import type { Session } from './session.ts';

const draft = connectionDraftSchema.shape;

/** The content of a connection file: settings, never a secret. Every field is optional. */
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
  /** Path of a file; a relative one is relative to the connection file's folder. */
  clientCertificate: z.string().min(1).max(4096).optional(),
});

/** The name of a secret found in the file, as a setting or in an address. */
function findSecretName(content: unknown): string | undefined {
  const settings = Object.entries(typeof content === 'object' && content !== null ? content : {});
  const named = settings.find(([name]) => isSecretField(name) || secretName.test(name));
  if (named) return named[0];
  for (const [name, value] of settings) {
    const inAddress = typeof value === 'string' ? findSecretInAddress(value) : undefined;
    if (inAddress !== undefined) return `${name}: ${inAddress}`;
  }
  return undefined;
}

/**
 * Reads a connection file. The connection's name, or the file's if it has none, is the one under which the keychain has the secrets. After
 * this call, a client certificate that it names is shown to the servers of its addresses. Errors: `bad-input`; none repeats a secret.
 */
export async function readConnectionFile(
  path: string | undefined,
  { nameCertificate }: Pick<Session, 'nameCertificate'>,
): Promise<Result<Connection>> {
  if (path === undefined)
    return usageError(
      'No connection is named.',
      'Name a connection file with --connection; `help` shows what it contains.',
    );
  let content: unknown;
  try {
    content = JSON.parse(decodeTextFile(await readFile(path)));
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code !== undefined;
    return usageError(
      missing ? `The connection file ${path} cannot be read.` : `The connection file ${path} is not JSON.`,
      'Check the path and the file.',
    );
  }
  const secret = findSecretName(content);
  if (secret !== undefined)
    return usageError(
      `The connection file contains a secret (${secret}).`,
      'Take it out of the file; give it in the environment, or keep it in the keychain.',
    );
  const parsed = fileSchema.safeParse(content);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const at = issue?.path.join('.') || (issue?.code === 'unrecognized_keys' ? issue.keys.join(', ') : '');
    return usageError(
      `The connection file’s “${at}” is not usable: ${issue?.message ?? 'it does not fit'}.`,
      '`help` shows what a connection file contains.',
    );
  }
  const { clientCertificate, ...settings } = parsed.data;
  if (clientCertificate !== undefined) nameCertificate(settings, resolve(dirname(path), clientCertificate));
  return ok({
    ...settings,
    id: 'command-line',
    name: settings.name ?? basename(path).replace(/\.json$/i, ''),
    kind: 'test',
    colour: '#000000',
    preferredInterface: settings.restBaseUrl === '' ? 'soap' : 'rest',
  });
}
