import type { ConnectionView } from '../../../shared/contract/connections.ts';
import { type SecretRole, secretRoles } from '../../../shared/domain/connection.ts';
import type { AppError, ErrorCode } from '../../../shared/errors.ts';
import type { KeyToReplace, Missing } from '../../lib/connection/connection-dialogs.ts';

/**
 * The connection whose key a failure is about: the one that has the key that was sent, whichever is in use. null: that key was removed since,
 * or there is none to replace.
 */
export function ownerOfKey(
  { sentWith }: Pick<AppError, 'sentWith'>,
  connections: readonly ConnectionView[],
  current: ConnectionView | null,
): ConnectionView | null {
  const owner =
    sentWith === undefined
      ? current
      : (connections.find(({ secrets }) => secrets.some(({ id }) => id === sentWith.id)) ?? null);
  return owner !== null && owner.connection.kind !== 'demo' && owner.secrets.length > 0 ? owner : null;
}

/**
 * The roles of the keys that fill a request's fields, by the published names; the first that fits. One operation spells sGUID as sGuid, and
 * the name of a map key may have a provider's name in it.
 */
const rolesOfFields: readonly (readonly [RegExp, SecretRole])[] = [
  [/^key$/i, 'lookup-key'],
  [/^(?:licenceid|slicenseid)$/i, 'licence-id'],
  [/^sguid$/i, 'account-guid'],
  [/^licencekey$/i, 'licence-key'],
  [/^s\w*key$/i, 'web-map-key'],
];
const roleOf = (field = ''): SecretRole | undefined =>
  secretRoles.find((role) => role === field) ?? rolesOfFields.find(([name]) => name.test(field))?.[1];

/** Failures caused by a stored key: a new value replaces it. */
const ofTheKey: ReadonlySet<ErrorCode> = new Set(['credentials-refused', 'keychain-absent']);
/** Failures caused by something that the connection lacks. */
const ofWhatLacks: ReadonlySet<ErrorCode> = new Set(['no-credential', 'wrong-key-role', 'not-configured']);

/** What can resolve a failure without leaving its screen: another value for a key, or what the connection lacks. null: neither. */
export function keyWay(
  error: AppError,
  connections: readonly ConnectionView[],
  current: ConnectionView | null,
): { kind: 'replace'; key: KeyToReplace } | { kind: 'complete'; view: ConnectionView; missing: Missing } | null {
  const role = roleOf(error.field);
  if (ofTheKey.has(error.code)) {
    const view = ownerOfKey(error, connections, current);
    return view && { kind: 'replace', key: { view, why: error.message, secretId: error.sentWith?.id, role } };
  }
  if (!ofWhatLacks.has(error.code) || current === null || current.connection.kind === 'demo') return null;
  if (error.code === 'not-configured' || error.field === 'AccountName' || error.field === 'sAccountName')
    return { kind: 'complete', view: current, missing: { words: error.message, key: null } };
  if (role === undefined) return null;
  // The failure may be of another connection: a key that this one already has is not asked for.
  if (!current.secrets.some((one) => one.role === role))
    return { kind: 'complete', view: current, missing: { words: error.message, key: role } };
  return error.code === 'wrong-key-role' ? { kind: 'replace', key: { view: current, why: error.message, role } } : null;
}
