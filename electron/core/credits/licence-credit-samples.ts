import type { BalanceSample } from '../../../shared/domain/credits.ts';
import type { LicenceList } from '../../../shared/domain/licence.ts';

/** The credits of each licence as last seen. Pure. A licence that gave no number is a reading without a figure, not one of 0. */
export function licenceCreditSamples({ licences, readAt }: LicenceList): BalanceSample[] {
  if (readAt === null) return [];
  return licences
    .filter(({ licenceNumber }) => licenceNumber !== '')
    .map((licence) => ({
      source: 'licence',
      label: licence.referenceNo || licence.licenceNumber,
      keyLastFour: licence.guidLastFour,
      credits: licence.credits,
      used: null,
      total: null,
      expiryDate: licence.expiresOn,
      text: licence.credits === null && licence.creditsAvailable !== '' ? licence.creditsAvailable : null,
      at: readAt,
    }));
}
