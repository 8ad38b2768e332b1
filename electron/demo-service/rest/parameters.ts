import { type RestEndpoint, removedParameters, searchPhraseForm } from '../../../shared/catalogue/rest-endpoints.ts';
import type { DemoSettings } from '../options.ts';
import type { RestRefusal } from './key-check.ts';

export type Parameters = Readonly<Record<string, string>>;

const bad = (message: string): RestRefusal => ({ status: 400, code: 'bad-parameter', message });

/** The parameters by their published names, each of which may occur once; or the refusal of the request. */
export function readParameters(url: URL, endpoint: RestEndpoint, settings: DemoSettings): Parameters | RestRefusal {
  const known = [...endpoint.parameters, ...(endpoint.name === 'Search' ? searchPhraseForm.parameters : [])].map(
    ({ name }) => name,
  );
  const removed: readonly string[] = removedParameters;
  const values: Record<string, string> = {};
  for (const [name, value] of url.searchParams) {
    if (removed.includes(name)) {
      if (settings.includeGeoData === 'refuse') return bad(`The parameter ${name} was removed in February 2026.`);
    } else if (!known.includes(name)) {
      if (settings.unknownParameter === 'refuse') return bad(`There is no parameter ${name}.`);
    } else if (name in values) return bad(`The parameter ${name} is given twice.`);
    else values[name] = value;
  }
  return values;
}

/** A boolean parameter: true or false in upper or lower case; the default if it is absent or empty. */
export function readBoolean(values: Parameters, name: string, byDefault: boolean): boolean | RestRefusal {
  const value = values[name]?.trim().toLowerCase() ?? '';
  if (value === '') return byDefault;
  if (value === 'true') return true;
  return value === 'false' ? false : bad(`The parameter ${name} is true or false.`);
}

/** A required text parameter. */
export function readRequired(values: Parameters, name: string): string | RestRefusal {
  const value = values[name]?.trim() ?? '';
  return value === '' ? bad(`The parameter ${name} is missing.`) : value;
}

/** maxresults: a whole number from 1; absent: 100, or the maximum if that is lower. One above it is lowered or refused, by `overMax`. */
export function readMaxResults(values: Parameters, settings: DemoSettings): number | RestRefusal {
  const value = values.maxresults?.trim() ?? '';
  if (value === '') return Math.min(100, settings.maxResults);
  if (!/^\d{1,9}$/.test(value) || Number(value) < 1) return bad('The parameter maxresults is a whole number from 1.');
  if (Number(value) <= settings.maxResults) return Number(value);
  return settings.overMax === 'clamp'
    ? settings.maxResults
    : bad(`The parameter maxresults is at most ${settings.maxResults}.`);
}

/** Whether a reader above returned a refusal. */
export function isRefusal(value: unknown): value is RestRefusal {
  return typeof value === 'object' && value !== null && 'status' in value && 'code' in value;
}
