import type { PlannedLicence } from '../../../shared/domain/licences/licence-change.ts';

/** A text of the service that could not be read as a number or a date, quoted; “not given” if it is empty. */
export const quoteUnread = (text: string): string => (text.trim() === '' ? 'not given' : `“${text.trim()}”`);

/** Credits that are no number. Plans of earlier versions do not say what came instead. */
export const describeUnreadCredits = ({ creditsAvailable }: PlannedLicence): string =>
  creditsAvailable === undefined ? 'no number' : quoteUnread(creditsAvailable);
