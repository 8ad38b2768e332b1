import { identifierFields } from '../../catalogue/records.ts';
import type { AddressField } from './address.ts';
import { premiseA } from './address-from-rest.ts';
import { soapPremise } from './address-from-soap.ts';

const addressIdentifiers: ReadonlySet<AddressField> = new Set(
  [...Object.entries(premiseA), ...Object.entries(soapPremise)].flatMap(([name, field]) =>
    identifierFields.has(name) ? [field] : [],
  ),
);

/** Whether a field of an address, or one of a record that no published one has, is an identifier by the catalogue. */
export const isIdentifier = (name: string): boolean =>
  addressIdentifiers.has(name as AddressField) || identifierFields.has(name);
