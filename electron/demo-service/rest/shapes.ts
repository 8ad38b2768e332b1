import type { Country } from '../gazetteer/data/town-rows.ts';
import { formatAddressLines, formatOneLine } from '../gazetteer/format.ts';
import { splitPostcode } from '../gazetteer/postcodes.ts';
import type { Premise } from '../gazetteer/types.ts';
import type { DemoSettings } from '../options.ts';

/** The JSON answers in both published shapes. Missing text is "" and a missing number is 0 (field notes, REST). */

type Json = Record<string, unknown>;
type Shape = DemoSettings['shape'];

/** The number if the text is digits only, otherwise 0: ranges and numbers with a suffix are in the building's name. */
const asNumber = (text: string): number => (/^\d+$/.test(text) ? Number(text) : 0);

const provinces: Readonly<Record<Country, string>> = {
  England: 'ENG',
  Scotland: 'SCT',
  Wales: 'WLS',
  'Northern Ireland': 'NIR',
};

/** Outward code, inward code and delivery point suffix, as in the barcode on a letter. */
const barcodeOf = (premise: Premise): string => premise.postcode.replace(' ', '') + premise.deliveryPointSuffix;

/** Answer of /GetPremise. It has the UPRN only if that was requested (and paid for). */
export function premiseAnswer(premise: Premise, uprn: boolean, shape: Shape): Json {
  return shape === 'a' ? { item: premiseA(premise, uprn) } : { premise: premiseB(premise, uprn) };
}

function premiseA(premise: Premise, uprn: boolean): Json {
  const lines = formatAddressLines(premise, { withoutPostcode: true }).slice(0, -1);
  // Five lines are published, so the last one takes all that remain.
  const fifth = lines.slice(4).join(', ');
  return {
    id: premise.id,
    domesticId: premise.deliveryPointSuffix,
    adminAreaName: premise.countyLocalAuthority,
    barcode: barcodeOf(premise),
    buildingName: premise.buildingName,
    buildingNumber: asNumber(premise.buildingNumber),
    city: premise.postTown,
    company: premise.organisation,
    countryIso2: 'GB',
    countryIso3: 'GBR',
    countryIsoNumber: 826,
    countryName: 'United Kingdom',
    district: premise.dependentLocality,
    line1: lines[0] ?? '',
    line2: lines[1] ?? '',
    line3: lines[2] ?? '',
    line4: lines[3] ?? '',
    line5: fifth,
    poBox: premise.poBox,
    postalCode: premise.postcode,
    province: provinces[premise.country],
    secondaryStreet: premise.dependentThoroughfare,
    street: premise.thoroughfare,
    subBuilding: premise.subBuilding,
    department: premise.department,
    lat: premise.latitude.toFixed(6),
    long: premise.longitude.toFixed(6),
    ...(uprn ? { uprn: premise.uprn } : {}),
    udprn: premise.udprn,
  };
}

function premiseB(premise: Premise, uprn: boolean): Json {
  const halves = splitPostcode(premise.postcode);
  return {
    id: premise.id,
    ...(uprn ? { uprn: premise.uprn } : {}),
    buildingName: premise.buildingName,
    buildingNumber: premise.buildingNumber,
    subBuildingName: premise.subBuilding,
    dependentStreet: premise.dependentThoroughfare,
    street: premise.thoroughfare,
    doubleDependentLocality: premise.doubleDependentLocality,
    dependentLocality: premise.dependentLocality,
    locality: premise.dependentLocality,
    town: premise.postTown,
    county: premise.countyFormerPostal,
    postcode: premise.postcode,
    postcodeInward: halves?.inward ?? '',
    postcodeOutward: halves?.outward ?? '',
    country: premise.country,
    latitude: premise.latitude,
    longitude: premise.longitude,
    eastings: premise.easting ?? 0,
    northings: premise.northing ?? 0,
  };
}

/** Answer of /GetPremiseGeoData. Shape A has the UPRN, shape B the grid reference. */
export function geoDataAnswer(premise: Premise, shape: Shape): Json {
  if (shape === 'a')
    return {
      item: {
        id: premise.id,
        lat: premise.latitude.toFixed(6),
        long: premise.longitude.toFixed(6),
        uprn: premise.uprn,
        udprn: premise.udprn,
      },
    };
  return {
    geoData: {
      premiseId: premise.id,
      latitude: premise.latitude,
      longitude: premise.longitude,
      eastings: premise.easting ?? 0,
      northings: premise.northing ?? 0,
      gridReference: premise.gridReference,
    },
  };
}

/** Answer of /GetCredits; `expires` in days since 1970. */
export function creditsAnswer(remaining: number, used: number, expires: number, shape: Shape): Json {
  if (shape === 'a') return { credits: remaining };
  const expiryDate = new Date(expires * 86_400_000).toISOString().slice(0, 10);
  return { credits: { remaining, used, total: remaining + used, expiryDate } };
}

/** One result of /Search. */
export function searchItem(premise: Premise): Json {
  return {
    id: premise.id,
    address: formatOneLine(premise),
    buildingName: premise.buildingName,
    buildingNumber: premise.buildingNumber,
    street: premise.thoroughfare,
    locality: premise.dependentLocality,
    town: premise.postTown,
    county: premise.countyFormerPostal,
    postcode: premise.postcode,
    country: premise.country,
  };
}

/**
 * The second published answer: premises, or, if there are more than `most`, a Group for each postcode that has several of them, whose key
 * is a phrase that finds it. How the real service groups is not published.
 */
export function keyedItems(premises: readonly Premise[], total: number, most: number): Json {
  const single = (premise: Premise): Json => ({ key: premise.id, text: formatOneLine(premise), type: 'Premise' });
  if (total <= most) return { items: premises.map(single) };
  const items = [...Map.groupBy(premises, ({ postcode }) => postcode)].map(([postcode, members]) => {
    const [first] = members;
    if (first && members.length === 1) return single(first);
    const where = [first?.thoroughfare, first?.postTown, postcode].filter(Boolean).join(', ');
    return { key: postcode, text: `${where} (${members.length} addresses)`, type: 'Group' };
  });
  return { items };
}
