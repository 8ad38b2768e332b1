import type { Licence } from '../../../shared/domain/licence.ts';
import { expiresSoon, isExpired, seatsOf } from './licence-facts.ts';

export const quickFacets = [
  { id: 'soon', label: 'Expires in 30 days' },
  { id: 'expired', label: 'Expired' },
  { id: 'free', label: 'Free seats' },
  { id: 'unknown', label: 'Seats unknown' },
] as const;
export type QuickFacet = (typeof quickFacets)[number]['id'];

export interface LicenceFilter {
  text: string;
  /** Empty: every type, every status. */
  types: readonly string[];
  statuses: readonly string[];
  quick: readonly QuickFacet[];
}

export const noFilter: LicenceFilter = { text: '', types: [], statuses: [], quick: [] };

export const isFiltering = (filter: LicenceFilter): boolean =>
  filter.text.trim() !== '' || filter.types.length + filter.statuses.length + filter.quick.length > 0;

const matchesQuick: Record<QuickFacet, (licence: Licence, today: string) => boolean> = {
  soon: expiresSoon,
  expired: isExpired,
  free: (licence, today) => seatsOf(licence, today).free > 0,
  unknown: (licence, today) => seatsOf(licence, today).unknown,
};

const textOf = (licence: Licence): string =>
  [
    licence.referenceNo,
    licence.accountName,
    licence.guidLastFour,
    licence.licenceNumber,
    licence.typeName,
    licence.typeDescription,
    licence.expiryDate,
    licence.allowedIpAddress,
    licence.status,
    ...Object.values(licence.unknownFields),
  ]
    .join('\n')
    .toLowerCase();

/** The licences that pass every part of the filter; each word of the text must be found somewhere in the record. */
export function filterLicences(licences: readonly Licence[], filter: LicenceFilter, today: string): readonly Licence[] {
  if (!isFiltering(filter)) return licences;
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return licences.filter(
    (licence) =>
      (filter.types.length === 0 || filter.types.includes(licence.typeName)) &&
      (filter.statuses.length === 0 || filter.statuses.includes(licence.status)) &&
      filter.quick.every((facet) => matchesQuick[facet](licence, today)) &&
      (words.length === 0 || words.every((word) => textOf(licence).includes(word))),
  );
}

export const countQuick = (licences: readonly Licence[], facet: QuickFacet, today: string): number =>
  licences.filter((licence) => matchesQuick[facet](licence, today)).length;

/** The values that came, each with how often, in their order as text. */
export function observedValues(
  licences: readonly Licence[],
  fieldOf: (licence: Licence) => string,
): { value: string; count: number }[] {
  return [...Map.groupBy(licences, fieldOf)]
    .map(([value, members]) => ({ value, count: members.length }))
    .sort((a, b) => a.value.localeCompare(b.value, 'en-GB'));
}
