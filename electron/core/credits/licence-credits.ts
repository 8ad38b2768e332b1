import type { LicenceCredits } from '../../../shared/domain/credits/credits.ts';
import type { LicenceList } from '../../../shared/domain/licences/licence.ts';

/**
 * What the licences last seen held together; null: never read. A sum, since a list may have fifty thousand. A licence without a number has
 * no figure, which is not a figure of 0. Pure.
 */
export function sumLicenceCredits({ licences, readAt }: LicenceList): LicenceCredits | null {
  if (readAt === null) return null;
  const sum: LicenceCredits = { licences: 0, figures: 0, credits: 0, readAt };
  for (const { licenceNumber, credits } of licences) {
    if (licenceNumber === '') continue;
    sum.licences += 1;
    if (credits === null) continue;
    sum.figures += 1;
    sum.credits += credits;
  }
  return sum.licences === 0 ? null : sum;
}
