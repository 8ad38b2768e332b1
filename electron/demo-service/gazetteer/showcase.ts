import type { PremiseDraft, StreetDraft } from './drafts.ts';
import { draftPremise } from './drafts.ts';
import { showcaseSize } from './plan.ts';

export const showcaseStreet = 'Tannery Row';
export const showcaseYard = 'Tannery Yard';
export const showcaseLocality = 'Bartonsham Mead';

/**
 * The postcode that demonstrations and screenshots use, laid out by hand: one premise of each kind that the formatter distinguishes.
 * It is the same for every seed and count.
 */
export function layOutShowcase(row: StreetDraft, yard: StreetDraft): PremiseDraft[] {
  const house = (buildingNumber: number): PremiseDraft => draftPremise(row, { buildingNumber: String(buildingNumber) });
  const flat = (number: number): PremiseDraft =>
    draftPremise(row, { subBuilding: `Flat ${number}`, buildingNumber: '20' });
  const unit = (number: number, organisation: string): PremiseDraft =>
    draftPremise(yard, { buildingName: `Unit ${number}`, organisation, userCategory: 'Business' });
  const premises = [
    ...[2, 4].map(house),
    draftPremise(row, { buildingNumber: '6', organisation: 'Weir End Upholstery', userCategory: 'Business' }),
    ...[8, 10, 12, 14, 16].map(house),
    draftPremise(row, { buildingName: 'The Old Bark House', buildingNumber: '18' }),
    ...[1, 2, 3, 4, 9, 10, 11].map(flat),
    ...[22, 24].map(house),
    draftPremise(row, { buildingName: '26-28', organisation: 'Lugg Valley Cycles', userCategory: 'Business' }),
    house(30),
    draftPremise(row, { buildingName: '30A' }),
    ...[32, 34, 36].map(house),
    unit(1, 'Pomona Press Works'),
    unit(2, 'Pomona & Sons Ltd'),
    unit(3, "Bishop's Frome Joinery"),
    unit(10, 'Café Noémie'),
    ...[38, 40, 42, 44, 46, 48].map(house),
  ];
  if (premises.length !== showcaseSize) throw new RangeError('The showcase must hold as many premises as planned.');
  return premises;
}
