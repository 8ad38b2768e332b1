import type { ConnectionView } from '../../../shared/contract/connections.ts';
import type { AppError } from '../../../shared/errors.ts';

/**
 * The connection whose key a failure is about: the one that has the key which was sent, whichever is in use. null: that key is gone by
 * now, or there is none to replace.
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
