import type { Premise, Thoroughfare } from './types.ts';

export interface AddressFormat {
  /** Omit the postcode, for records that have it in a separate field. */
  readonly withoutPostcode?: boolean;
}

/**
 * Building names that are written on the street's line, as a number is: they begin and end with a digit ("26-28"), begin with a digit and
 * end with a digit and a letter ("30A"), or are a single letter. This is Royal Mail's rule.
 */
const isLikeNumber = (name: string): boolean => /^\d(.*\d)?[A-Z]?$/i.test(name) || /^[A-Z]$/i.test(name);

const join = (separator: string, ...parts: string[]): string => parts.filter((part) => part !== '').join(separator);

/** The address as lines of an envelope, in Royal Mail's order and without empty lines. */
export function formatAddressLines(premise: Premise, format: AddressFormat = {}): string[] {
  const { organisation, department, poBox, subBuilding, buildingName, buildingNumber } = premise;
  const lines = [organisation, department, poBox && `PO Box ${poBox}`];
  let lead = buildingNumber;
  if (buildingName !== '' && buildingNumber === '' && isLikeNumber(buildingName)) {
    lines.push(subBuilding);
    lead = buildingName;
  } else if (subBuilding !== '' && isLikeNumber(subBuilding)) lines.push(join(' ', subBuilding, buildingName));
  else lines.push(subBuilding, buildingName);
  // The number comes before the first line that names a place: a yard, otherwise the street, otherwise a locality.
  for (const line of [
    premise.dependentThoroughfare,
    premise.thoroughfare,
    premise.doubleDependentLocality,
    premise.dependentLocality,
  ]) {
    if (line === '') continue;
    lines.push(join(' ', lead, line));
    lead = '';
  }
  lines.push(lead, premise.postTown);
  if (!format.withoutPostcode) lines.push(premise.postcode);
  return lines.filter((line) => line !== '');
}

/** The address on one line: "Weir End Upholstery, 6 Tannery Row, Bartonsham Mead, Hereford, HR10 2DT". */
export function formatOneLine(premise: Premise, format: AddressFormat = {}): string {
  return formatAddressLines(premise, format).join(', ');
}

/** A street on one line: "Tannery Yard, Tannery Row, Bartonsham Mead, Hereford, HR10". */
export function formatThoroughfare(street: Thoroughfare): string {
  const { dependentThoroughfare, thoroughfare, locality, postTown, postcodeDistrict } = street;
  return join(', ', dependentThoroughfare, thoroughfare, locality, postTown, postcodeDistrict);
}
