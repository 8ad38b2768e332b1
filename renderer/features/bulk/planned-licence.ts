import type { PlannedLicence } from '../../../shared/domain/licences/licence-change.ts';
import { describeUnreadCredits, quoteUnread } from '../../lib/licences/as-it-came.ts';
import { formatDate, formatNumber } from '../../lib/text/format.ts';

// What the account's list said of a licence, as short texts. null: the list does not name it; undefined: nothing is known.

type Listed = PlannedLicence | null | undefined;
const unlisted = (licence: null | undefined): string => (licence === null ? 'not listed' : '');

export const describeStatus = (licence: Listed): string =>
  licence ? licence.status.trim() || 'empty' : unlisted(licence);

export function describeSeats(licence: Listed): string {
  if (!licence) return unlisted(licence);
  const { seatsUsed, seatsFree } = licence;
  return seatsUsed === null || seatsFree === null ? 'unknown' : `${seatsUsed} of ${seatsUsed + seatsFree} used`;
}

export function describeExpiry(licence: Listed): string {
  if (!licence) return unlisted(licence);
  if (licence.expiresOn !== null) return formatDate(licence.expiresOn);
  return quoteUnread(licence.expiryDate);
}

export function describeCredits(licence: Listed): string {
  if (!licence) return unlisted(licence);
  return licence.credits === null ? describeUnreadCredits(licence) : formatNumber(licence.credits);
}
