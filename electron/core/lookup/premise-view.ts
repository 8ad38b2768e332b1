import {
  type Address,
  type AddressField,
  addressFieldLabels,
  addressFields,
  describeOrigin,
  linesOf,
  mergeAddresses,
  textOf,
} from '../../../shared/domain/address/address.ts';
import { envelopeLines, oneLine, premiseLines } from '../../../shared/domain/address/address-envelope.ts';
import type { PremiseView, Provenance } from '../../../shared/domain/lookup/lookup.ts';
import { locate } from './position.ts';

export interface PremiseParts {
  premiseId: string;
  /** Full addresses before geo data (`addressesOf`); of each the answer just opened first, then the others, newest first. */
  addresses: readonly Address[];
  provenance: Provenance;
  cachedAnswers: Provenance[];
  /** null: the service has no way to it. */
  uprnPlan: PremiseView['uprnPlan'];
}

/** Fields shown in their own places beside the map, not in the list. */
const elsewhere: ReadonlySet<AddressField> = new Set<AddressField>([
  'uprn',
  'udprn',
  'latitude',
  'longitude',
  'easting',
  'northing',
  'gridReference',
]);

/** The premise as the window shows it: one address over all answers known of it, every value with its source. Pure. null: no answer. */
export function viewPremise({
  premiseId,
  addresses,
  provenance,
  cachedAnswers,
  uprnPlan,
}: PremiseParts): PremiseView | null {
  const address = mergeAddresses(addresses);
  if (!address) return null;
  const sourced = (field: AddressField) => {
    const value = address.fields[field];
    return value ? { value: value.value, source: describeOrigin(value.source) } : null;
  };
  const uprn = sourced('uprn');
  const lines = linesOf(address);
  return {
    premiseId,
    title: titleOf(address),
    envelope: envelopeLines(address),
    oneLine: oneLine(address),
    fields: [
      ...addressFields.flatMap((name) => {
        const value = address.fields[name];
        if (!value || elsewhere.has(name)) return [];
        return [{ name, label: addressFieldLabels[name], value: value.value, source: describeOrigin(value.source) }];
      }),
      ...(lines === null ? [] : [{ ...lines, source: describeOrigin(lines.source) }]),
    ],
    emptyFields: address.emptyFields.filter((name) => !elsewhere.has(name)).map((name) => addressFieldLabels[name]),
    otherFields: address.other.map(({ name, value, source }) => ({ name, value, source: describeOrigin(source) })),
    uprn,
    udprn: sourced('udprn'),
    ...locate(address),
    uprnPlan: uprn ? null : uprnPlan,
    provenance,
    cachedAnswers,
  };
}

/** What names the premise, on one line: "The Old Bark House, 18 Tannery Row". */
function titleOf(address: Address): string {
  const tail = new Set([textOf(address, 'postTown'), textOf(address, 'postcode')].map((text) => text.toUpperCase()));
  const head = premiseLines(address).filter((line) => !tail.has(line.toUpperCase()));
  return (head.length > 0 ? head : envelopeLines(address).slice(0, 1)).slice(0, 3).join(', ') || address.premiseId;
}

/** What a premise is called in a list; its postcode is empty if the answer has none. */
export const namePremise = (address: Address): { title: string; postcode: string } => ({
  title: titleOf(address),
  postcode: textOf(address, 'postcode'),
});
