import { searchItemFields, searchPhraseForm } from '../../../shared/catalogue/rest-endpoints.ts';
import type { Address } from '../../../shared/domain/address/address.ts';
import {
  fromRestGeoData,
  fromRestPremiseA,
  fromRestPremiseB,
} from '../../../shared/domain/address/address-from-rest.ts';
import { type Balance, fromCreditsA, fromCreditsB } from '../../../shared/domain/credits/balance.ts';
import type { TextJson } from './json-text.ts';
import { readCredits, readGeoData, readPremise, readSearch, type SearchWire, type TextFields } from './wire.ts';

/** One row of a search, whichever form it came in. */
export interface RestSearchItem {
  /** The premise's identifier, or the group's key. */
  premiseId: string;
  /** The combined line as the service wrote it. */
  line: string;
  /** A group is a line for several premises and cannot be opened as one (field notes, "REST"). */
  kind: 'premise' | 'group';
  /** Published fields that were not empty, by their published names. */
  fields: TextFields;
  /** Fields that are not published. */
  other: TextFields;
}

export interface RestSearch {
  form: 'query' | 'phrase';
  items: RestSearchItem[];
  /** totalResults; null if the answer does not say. */
  total: number | null;
}

/** Whether a list names nothing, and no count beside it says that there is something. */
export const foundNothing = ({ items, total }: { items: readonly unknown[]; total: number | null }): boolean =>
  items.length === 0 && !total;

/** The same of the JSON of a search. */
export function isEmptySearch(value: unknown): boolean {
  const found = readSearch(value);
  return found !== null && foundNothing({ items: found.items, total: readTotal(found.total) });
}

/** Which published form an answer was recognised as: of a record the shapes A and B, of a search the forms “query” and “phrase”. */
export type RestShape = 'A' | 'B' | 'query' | 'phrase';

/** What an answer means. `missing`: well formed, but without the record asked for. `oddTotal`: totalResults, if it is no count; else ''. */
export type RestMeaning =
  | { kind: 'address'; shape: 'A' | 'B'; address: Address }
  | { kind: 'search'; shape: 'query' | 'phrase'; search: RestSearch; absent: boolean; oddTotal: string }
  | { kind: 'balance'; shape: 'A' | 'B'; balance: Balance }
  | { kind: 'missing' };

const queryFields: ReadonlySet<string> = new Set(searchItemFields.map(({ name }) => name));
const phraseFields: ReadonlySet<string> = new Set(searchPhraseForm.itemFields.map(({ name }) => name));

function toItem(fields: TextFields, form: SearchWire['form']): RestSearchItem {
  const published = form === 'phrase' ? phraseFields : queryFields;
  const filled = Object.entries(fields).filter(([, value]) => value.trim() !== '');
  const kept = Object.fromEntries(filled.filter(([name]) => published.has(name)));
  const type = (kept.type ?? '').toLowerCase();
  const parts = [kept.buildingName, kept.buildingNumber, kept.street, kept.locality, kept.town, kept.postcode];
  return {
    premiseId: (form === 'phrase' ? kept.key : kept.id) ?? '',
    line: (form === 'phrase' ? kept.text : kept.address) ?? parts.filter((part) => part !== undefined).join(', '),
    kind: type === '' || type === 'premise' ? 'premise' : 'group',
    fields: kept,
    other: Object.fromEntries(filled.filter(([name]) => !published.has(name))),
  };
}

/** A whole number in any form of JSON, or with commas between thousands; null: no such number, and not known then. */
function readTotal(text: string): number | null {
  const trimmed = text.trim();
  const plain = /^\d{1,3}(,\d{3})+$/.test(trimmed) ? trimmed.replaceAll(',', '') : trimmed;
  const total = /^\d+(\.\d+)?(e\+?\d+)?$/i.test(plain) ? Number(plain) : Number.NaN;
  return Number.isSafeInteger(total) ? total : null;
}

/** Wire to model, pure. null: nothing published looks like this. */
export function readMeaning(endpoint: string, value: TextJson): RestMeaning | null {
  switch (endpoint) {
    case 'Search': {
      const found = readSearch(value);
      if (found === null) return null;
      const items = found.items.map((item) => toItem(item, found.form));
      const total = readTotal(found.total);
      return {
        kind: 'search',
        shape: found.form,
        search: { form: found.form, items, total },
        absent: found.absent,
        oddTotal: total === null ? found.total.trim() : '',
      };
    }
    case 'GetPremise': {
      const found = readPremise(value);
      if (found === null) return null;
      if (found === 'empty') return { kind: 'missing' };
      const address = found.shape === 'A' ? fromRestPremiseA(found.fields) : fromRestPremiseB(found.fields);
      return { kind: 'address', shape: found.shape, address };
    }
    case 'GetPremiseGeoData': {
      const found = readGeoData(value);
      if (found === null) return null;
      if (found === 'empty') return { kind: 'missing' };
      return { kind: 'address', shape: found.shape, address: fromRestGeoData(found.fields, found.shape) };
    }
    case 'GetCredits': {
      const found = readCredits(value);
      if (found === null) return null;
      const balance = found.shape === 'A' ? fromCreditsA(found.credits) : fromCreditsB(found.fields);
      return { kind: 'balance', shape: found.shape, balance };
    }
    default:
      return null;
  }
}
