import type { Licence } from '../../../../shared/domain/licences/licence.ts';

/** False if the expiry could not be read: unknown is not expired. */
export function isExpired(licence: Pick<Licence, 'expiresOn'>, today: string): boolean {
  return licence.expiresOn !== null && licence.expiresOn < today;
}
