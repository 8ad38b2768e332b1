import type { Address, AddressField, AddressOrigin } from './address.ts';

/** A record's field name → the address field it fills. */
export type FieldMap = Readonly<Record<string, AddressField>>;

/** One flat record as texts; the reader has converted everything else to text. */
export type TextRecord = Readonly<Record<string, string | null | undefined>>;

export interface BuildPlan {
  map: FieldMap;
  /** The field that holds the premise identifier. */
  idField: string;
  /** Fields whose 0 means missing. */
  zeroIsMissing?: readonly string[];
  /** Published fields that are not part of an address: lines, error flags. Not listed as unknown. */
  consumed?: readonly string[];
  lines?: readonly string[];
}

/** Reads a flat record into the model by a map. Texts are trimmed of surrounding white space, otherwise kept as they came. */
export function buildAddress(record: TextRecord, plan: BuildPlan, origin: AddressOrigin): Address {
  const address: Address = { premiseId: '', fields: {}, emptyFields: [], lines: null, other: [], origin };
  const consumed = new Set(plan.consumed);
  const zeroIsMissing = new Set(plan.zeroIsMissing);
  for (const [name, raw] of Object.entries(record)) {
    const text = (raw ?? '').trim();
    const value = zeroIsMissing.has(name) && /^0+(\.0*)?$/.test(text) ? '' : text;
    const field = Object.hasOwn(plan.map, name) ? plan.map[name] : undefined;
    if (name === plan.idField) address.premiseId = value;
    else if (field !== undefined) {
      if (value === '') address.emptyFields.push(field);
      else address.fields[field] = { value, source: origin };
    } else if (!consumed.has(name) && value !== '') address.other.push({ name, value, source: origin });
  }
  dropNullIsland(address);
  const values = (plan.lines ?? []).map((line) => line.trim()).filter((line) => line !== '');
  if (values.length > 0) address.lines = { values, source: origin };
  return address;
}

/** 0, 0 is off Africa: a service that writes 0 for a missing number has no position here. */
function dropNullIsland(address: Address): void {
  for (const pair of [
    ['latitude', 'longitude'],
    ['easting', 'northing'],
  ] as const) {
    if (pair.every((field) => /^[+-]?0+(\.0*)?$/.test(address.fields[field]?.value ?? ''))) {
      for (const field of pair) {
        delete address.fields[field];
        address.emptyFields.push(field);
      }
    }
  }
}
