import { type Connection, type SecretRole, secretRoles } from '../../../shared/domain/connection.ts';
import type { ServiceDescription } from '../../../shared/domain/service-description.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { type CallSecrets, secretFieldOf } from '../connections/profile.ts';
import { callRest } from '../rest/client.ts';
import { callSoap } from '../soap/client.ts';
import type { OutgoingRequest } from '../transport/transport.ts';
import type { Given } from './given.ts';
import { type Callable, isGuideKey } from './resolve.ts';
import { type Part, type Template, writeCSharp, writeCurl, writePowerShell, writePython } from './snippet-languages.ts';

export type SnippetLanguage = 'curl' | 'powershell' | 'csharp' | 'python';

const writers: Record<SnippetLanguage, (template: Template) => string> = {
  curl: writeCurl,
  powershell: writePowerShell,
  csharp: writeCSharp,
  python: writePython,
};

/** Placeholders by role; `<API_KEY>` is the specification's own (Authentication 6). */
const holes: Record<SecretRole, string> = {
  'lookup-key': 'API_KEY',
  'master-key': 'MASTER_KEY',
  'licence-id': 'LICENCE_ID',
  'account-guid': 'ACCOUNT_GUID',
  'licence-key': 'LICENCE_KEY',
  'web-map-key': 'WEB_MAP_KEY',
};

/** Letters and digits only, so that it looks the same in a URL and in XML; no secret and no input is likely to hold it. */
const markOf = (role: SecretRole): string => `placeholder0for0${role.replaceAll('-', '0')}0here`;
const marks = new Map(secretRoles.map((role) => [markOf(role), holes[role]]));
const anyMark = new RegExp(`(${[...marks.keys()].join('|')})`);

const partsOf = (text: string): Part[] =>
  text
    .split(anyMark)
    .filter((part) => part !== '')
    .map((part) => {
      const hole = marks.get(part);
      return hole === undefined ? { text: part } : { hole };
    });

/**
 * A call as a program in another language. The request is the one that would be sent: the clients build it with markers in place of keys,
 * and it is intercepted before it leaves. Errors: those that a call meets before anything leaves.
 */
export async function writeSnippet(
  connection: Connection,
  callable: Callable,
  given: Given,
  description: ServiceDescription | undefined,
  language: SnippetLanguage,
): Promise<Result<{ text: string; placeholders: string[] }>> {
  let caught: OutgoingRequest | undefined;
  const transport = async (request: OutgoingRequest) => {
    caught = request;
    return fail(appError('cancelled'));
  };
  const secrets: CallSecrets = {};
  for (const role of secretRoles) secrets[secretFieldOf[role]] = markOf(role);
  const profile = { connection, secrets };
  const made =
    callable.interface === 'rest'
      ? await callRest({
          profile,
          endpoint: callable.name,
          fields: given.fields as Record<string, string>,
          transport,
          timeoutMs: 1000,
        })
      : await callSoap({
          profile,
          operation: callable.name,
          fields: { ...given.fields, ...guideKeys(callable, markOf('lookup-key')) },
          description,
          transport,
          timeoutMs: 1000,
        });
  if (!caught) return made.ok ? fail(appError('internal', { charge: 'not-applicable' })) : made;
  const { method, url, headers, body } = caught;
  const template: Template = {
    method,
    address: `${url.origin}${url.pathname}${callable.interface === 'soap' ? url.search : ''}`,
    parameters:
      callable.interface === 'soap' ? [] : [...url.searchParams].map(([name, value]) => [name, partsOf(value)]),
    headers: Object.entries(headers),
    body: body === undefined ? null : partsOf(body),
  };
  const text = writers[language](template);
  return ok({
    text,
    placeholders: [...marks.values()].map((hole) => `<${hole}>`).filter((hole) => text.includes(hole)),
  });
}

/** The guide's ApiKey as a field: no other SOAP operation takes a REST key. */
export function guideKeys(callable: Callable, value: string): Record<string, string> {
  return Object.fromEntries(
    callable.fields.filter((field) => isGuideKey(callable, field)).map((field) => [field.name, value]),
  );
}
