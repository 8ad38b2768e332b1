import { publishedCredits } from '../../shared/catalogue/price.ts';
import { findRestEndpoint } from '../../shared/catalogue/rest-endpoints.ts';
import { soapOperations } from '../../shared/catalogue/soap-operations.ts';
import type { DemoSettings } from './options.ts';

/** Prices of operations for which none is published: guesses, which `--price Operation=credits` replaces. */
const guessed: Readonly<Record<string, number>> = {
  ServiceTest: 0,
  SearchThoroughfare_ByPostcodeDistrict: 0,
  SearchThoroughfare_ByStreet: 0,
  LightSearchPremise_BySearchExpression: 0,
  SearchMultiByMultiKeywords: 0,
  AdvancedSearch: 0,
  GetLicenseDetails: 0,
  GetLicenseList: 0,
  RegisterLicense: 0,
  UnregisterLicense: 0,
  GetAvailableCredits: 0,
};

/**
 * Credits for one answered SOAP call. A twin costs as much as its operation. Published prices come from the catalogue; the others
 * are guesses: 0 for licence operations and searches, 1 for everything else.
 */
export function soapPrice(base: string, settings: DemoSettings): number {
  const set = settings.prices[base];
  if (set !== undefined) return set;
  const operation = soapOperations.find(({ name }) => name === base);
  const published = operation && publishedCredits(operation.price);
  return published ?? guessed[base] ?? 1;
}

/** Credits for one answered REST call. `--price` replaces the base price; the surcharge for the UPRN is added to it. */
export function restPrice(name: string, uprn: boolean, settings: DemoSettings): number {
  const endpoint = findRestEndpoint(name);
  if (!endpoint) throw new Error(`No endpoint ${name}.`);
  const base = publishedCredits(endpoint.price) ?? 0;
  const asked = publishedCredits(endpoint.price, { uprn }) ?? base;
  return (settings.prices[name] ?? base) + (asked - base);
}
