import type { DemoContext } from '../context.ts';
import type { Premise } from '../gazetteer/types.ts';
import { type Answer, badInput, nothingFound } from './answer.ts';
import type { Handler } from './handler.ts';
import { addressRow } from './rows.ts';
import { refusePostcode } from './search-operations.ts';
import { guideOperation } from './served-operations.ts';

/** The operations that return full addresses. */
export const addressOperations = {
  GetPremiseAddress: ({ sUniqueDeliveryPointID }, context) => openAddress(sUniqueDeliveryPointID, context),
  GetPremiseAddressFromUDP: ({ sUniqueDeliveryPointID }, context) => openAddress(sUniqueDeliveryPointID, context),
  GetAddress: ({ sUDP }, context) => openAddress(sUDP, context),
  GetAddressesForPostcode: ({ Postcode = '' }, context) =>
    refusePostcode(Postcode) ?? listAddresses(context.gazetteer.premisesAtPostcode(Postcode), context),
  GetAddressesForPostcodeAndHouseNumber: ({ Postcode = '', HouseNumber = '' }, context) =>
    refusePostcode(Postcode) ??
    listAddresses(context.gazetteer.premisesAtPostcodeAndNumber(Postcode, { number: HouseNumber }), context),
  [guideOperation]: ({ Postcode = '' }, { gazetteer }) => {
    const refused = refusePostcode(Postcode);
    if (refused) return { kind: 'fault', message: 'The postcode is badly formed.' };
    return { kind: 'records', rows: gazetteer.premisesAtPostcode(Postcode).map(guideRow) };
  },
} satisfies Record<string, Handler>;

/** The delivery point with exactly this identifier. Without its leading zeros it is a different identifier. */
function openAddress(id: string | undefined, { gazetteer }: DemoContext): Answer {
  const wanted = id?.trim() ?? '';
  if (!/^\d{8}$/.test(wanted)) return badInput('a delivery point is 8 digits.');
  const premise = gazetteer.premiseById(wanted);
  return premise ? { kind: 'records', rows: [addressRow(premise)] } : nothingFound;
}

function listAddresses(premises: readonly Premise[], { settings }: DemoContext): Answer {
  if (premises.length === 0) return nothingFound;
  const shown = premises.slice(0, settings.truncateAt);
  return { kind: 'records', rows: shown.map(addressRow), truncated: shown.length < premises.length };
}

const guideRow = (premise: Premise) => ({
  BuildingNumber: premise.buildingNumber,
  Street: premise.thoroughfare,
  Locality: premise.dependentLocality,
  Town: premise.postTown,
  County: premise.countyFormerPostal,
  Postcode: premise.postcode,
  Latitude: premise.latitude.toFixed(6),
  Longitude: premise.longitude.toFixed(6),
});
