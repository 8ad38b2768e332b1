import { priceOf, publishedCredits } from '../../../shared/catalogue/price.ts';
import type { UprnOperation } from '../../../shared/domain/lookup/lookup.ts';
import { formatCredits as credits } from '../../../shared/domain/text/figures.ts';

export interface UprnWay {
  operation: UprnOperation;
  uprn: boolean;
  credits: number;
  explanation: string;
}

/**
 * The cheapest call that returns the UPRN of a premise (promise 3). Which shape a service answers in is not published, so it goes by what
 * was last seen: in shape A GetPremiseGeoData has it for 1 credit, where asking GetPremise again with uprn=true costs 2; shape B's geo data
 * does not have it (field notes, "What follows"). Never seen: the call that is published to return it. null: no REST.
 */
export function planUprn(hasRest: boolean, lastShape: 'A' | 'B' | null): UprnWay | null {
  if (!hasRest) return null;
  const geo = publishedCredits(priceOf('GetPremiseGeoData')) ?? 0;
  const again = publishedCredits(priceOf('GetPremise'), { uprn: true }) ?? 0;
  if (lastShape === 'A')
    return {
      operation: 'GetPremiseGeoData',
      uprn: false,
      credits: geo,
      explanation: `The UPRN comes from GetPremiseGeoData for ${credits(geo)}. GetPremise with uprn=true would cost ${again}.`,
    };
  return {
    operation: 'GetPremise',
    uprn: true,
    credits: again,
    explanation:
      lastShape === 'B'
        ? `In shape B GetPremiseGeoData has no UPRN, so GetPremise is asked again with uprn=true for ${credits(again)}.`
        : `GetPremise with uprn=true brings the UPRN for ${credits(again)}. Whether GetPremiseGeoData would, for ${geo}, is known once this service has answered.`,
  };
}
