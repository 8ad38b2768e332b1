import type { RestEndpoint } from '../../../shared/catalogue/rest-endpoints.ts';
import { type AppError, appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { CallProfile } from '../connections/profile.ts';
import { plainForm } from '../transport/redact/secret-patterns.ts';

export type KeyRole = 'lookup' | 'master';

export interface ChosenKey {
  role: KeyRole;
  value: string;
}

/** Two spellings of a GUID are one key; what differs in its letters' case alone is taken for one, since a master key is never risked. */
export const isSameKey = (one: string, other: string): boolean =>
  plainForm(one.trim()).toLowerCase() === plainForm(other.trim()).toLowerCase();

const sameKey = (): AppError =>
  appError('wrong-key-role', {
    message: 'The lookup key was entered as a master key too; a master key is not used for lookups.',
    next: 'Create a key in the provider’s portal and enter it with the role “lookup”. If it is not a master key, remove it as one.',
    field: 'key',
  });

/** The lookup key that a SOAP request takes as a field. Errors: `no-credential`; `wrong-key-role` if it is the master key (promise 13). */
export function lookupKeyOf({ secrets: { lookupKey, masterKey = '' } }: CallProfile): Result<string> {
  if (lookupKey === undefined)
    return fail(
      appError('no-credential', {
        message: 'The connection has no lookup key, which this request takes.',
        field: 'key',
      }),
    );
  return isSameKey(lookupKey, masterKey) ? fail(sameKey()) : ok(lookupKey);
}

/**
 * The key a call may carry (promise 13; specification, Authentication 3). A master key never leaves for a lookup endpoint, even if the
 * same key was entered in both places: the profile then has it in both (connections/master-keys.ts). GetCredits prefers the lookup key,
 * whose balance pays for lookups. Errors: 'wrong-key-role', 'no-credential'.
 */
export function chooseKey(profile: CallProfile, endpoint: RestEndpoint): Result<ChosenKey> {
  const lookup = profile.secrets.lookupKey?.trim() ?? '';
  const master = profile.secrets.masterKey?.trim() ?? '';
  const takesMaster = endpoint.keyRoles.includes('master');
  if (!takesMaster && lookup !== '' && isSameKey(lookup, master)) return fail(sameKey());
  if (lookup !== '') return ok({ role: 'lookup', value: lookup });
  if (takesMaster && master !== '') return ok({ role: 'master', value: master });
  if (master !== '') return fail(appError('wrong-key-role', { field: 'key' }));
  return fail(appError('no-credential', { message: 'The connection has no lookup key.', field: 'key' }));
}
