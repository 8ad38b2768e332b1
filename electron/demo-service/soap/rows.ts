import { formatAddressLines, formatOneLine, formatThoroughfare } from '../gazetteer/format.ts';
import type { PostcodeCentroid, Premise, SearchOutcome, Thoroughfare } from '../gazetteer/types.ts';
import { type Answer, badInput, nothingFound, type Row, tooVague } from './answer.ts';

/** A row of a list: the address with its postcode and delivery point. */
function listRow(premise: Premise): Row {
  return { List_Address: formatOneLine(premise), Unique_Delivery_Point: premise.id };
}

export function thoroughfareRow(thoroughfare: Thoroughfare): Row {
  return { List_Address: formatThoroughfare(thoroughfare), Identifier: thoroughfare.id };
}

/** Separates the lines of FullAddress: the four characters backslash, r, backslash, n (field notes: seen). */
const lineBreak = '\\r\\n';

/** A full address. Its coordinates are empty, as in the real address operations (field notes: seen). */
export function addressRow(premise: Premise): Row {
  const lines = formatAddressLines(premise);
  return {
    Unique_Delivery_Point: premise.id,
    Organisation_Department: premise.department,
    Organisation: premise.organisation,
    Sub_Building_Name: premise.subBuilding,
    Building_Name: premise.buildingName,
    // Field notes: one space if there is no number.
    Number: premise.buildingNumber === '' ? ' ' : premise.buildingNumber,
    Dependent_Street: premise.dependentThoroughfare,
    Street: premise.thoroughfare,
    Double_Dependent_Locality: premise.doubleDependentLocality,
    Dependent_Locality: premise.dependentLocality,
    Post_Town: premise.postTown,
    County_LocalAuthority: premise.countyLocalAuthority,
    County_Administrative: premise.countyAdministrative,
    County_FormerPostal: premise.countyFormerPostal,
    County_Traditional: premise.countyTraditional,
    Country: premise.country,
    Postcode: premise.postcode,
    Post_Office_Box: premise.poBox,
    User_Category: premise.userCategory,
    Mailsort_Sortcode: premise.mailsort,
    Delivery_Point_Suffix: premise.deliveryPointSuffix,
    FullAddress: lineBreak + lines.map((line) => line + lineBreak).join('') + lineBreak,
  };
}

/** Degrees, minutes and seconds: "52° 03′ 21.4″ N". */
function degreesMinutesSeconds(degrees: number, positive: string, negative: string): string {
  const tenths = Math.round(Math.abs(degrees) * 36_000);
  const whole = Math.floor(tenths / 36_000);
  const minutes = Math.floor((tenths % 36_000) / 600);
  const seconds = ((tenths % 600) / 10).toFixed(1);
  return `${whole}° ${String(minutes).padStart(2, '0')}′ ${seconds.padStart(4, '0')}″ ${degrees < 0 ? negative : positive}`;
}

/** Coordinates of a premise or of a postcode's middle. Grid fields are empty outside the National Grid. */
export function coordinateRow(place: PostcodeCentroid | Premise): Row {
  return {
    Postcode: place.postcode,
    Grid_Reference: place.gridReference,
    x_Coord: place.easting === null ? '' : String(place.easting),
    y_Coord: place.northing === null ? '' : String(place.northing),
    Latitude_Deg_Min_Sec: degreesMinutesSeconds(place.latitude, 'N', 'S'),
    Longitude_Deg_Min_Sec: degreesMinutesSeconds(place.longitude, 'E', 'W'),
    Latitude_Degrees: place.latitude.toFixed(6),
    Longitude_Degrees: place.longitude.toFixed(6),
  };
}

/** Coordinates with the administrative and health areas. */
export function geographicRow(place: PostcodeCentroid | Premise): Row {
  return {
    ...coordinateRow(place),
    Country_Code: place.countryCode,
    Country_Name: place.country,
    Administrative_County: place.countyAdministrative,
    Local_Auth_Name: place.countyLocalAuthority,
    Local_Auth_Ward_Code: place.wardCode,
    Local_Auth_Ward_Name: place.wardName,
    NHS_Regional_Office: place.nhsRegionalOffice,
    NHS_Strat_Health_Board_Code: place.nhsStrategicHealthBoardCode,
    NHS_Strat_Health_Board_Name: place.nhsStrategicHealthBoardName,
    NHS_Primary_Health_Auth_Code: place.nhsPrimaryHealthAuthorityCode,
    NHS_Primary_Health_Board_Code: place.nhsPrimaryHealthBoardCode,
    NHS_Primary_Health_Board_Name: place.nhsPrimaryHealthBoardName,
    M_Details: `${place.wardName}, ${place.countyLocalAuthority}`,
    G_Details: `${place.country}, ${place.countyFormerPostal}`,
  };
}

/** Premises sorted as text (field notes: Flat 1, Flat 10, Flat 2). */
export function listPremises(premises: readonly Premise[]): Answer {
  return listRows(premises.map(listRow));
}

export function listRows(rows: readonly Row[]): Answer {
  if (rows.length === 0) return nothingFound;
  const text = (row: Row): string => row.List_Address ?? '';
  return { kind: 'records', rows: rows.toSorted((a, b) => (text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0)) };
}

/** The answer to a search that was refused; undefined if it was not. */
export function refusalOf<T>(outcome: SearchOutcome<T>): Answer | undefined {
  if (outcome.refusal === 'empty') return badInput('there is nothing to search for.');
  return outcome.refusal === null ? undefined : tooVague;
}
