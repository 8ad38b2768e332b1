import { z } from 'zod';
import { searchWords } from '../text/search-words.ts';
import { type Licence, type LicenceField, licenceFieldNames } from './licence.ts';
import { plainId } from './licence-ids.ts';

/**
 * soon: expires today or within 30 days. free: has a free seat and is not expired. unknown: its seats are not known. no-machine: no
 * machine's last answer named it.
 */
export const quickFacets = ['soon', 'expired', 'free', 'unknown', 'no-machine'] as const;
export type QuickFacet = (typeof quickFacets)[number];

const values = z.array(z.string().max(500)).max(200);
/** What narrows the list of licences. Empty: every type, every status. */
export const licenceFilterSchema = z.strictObject({
  text: z.string().max(500),
  types: values,
  statuses: values,
  quick: z.array(z.enum(quickFacets)).max(quickFacets.length),
});
export type LicenceFilter = z.infer<typeof licenceFilterSchema>;

export const noFilter: LicenceFilter = { text: '', types: [], statuses: [], quick: [] };

export const isFiltering = (filter: LicenceFilter): boolean =>
  filter.text.trim() !== '' || filter.types.length + filter.statuses.length + filter.quick.length > 0;

/** What a filter needs to know besides the licences. */
export interface FilterFacts {
  /** YYYY-MM-DD. */
  today: string;
  /** Numbers, in the form of `plainId`, of the licences that some machine's last answer named. */
  onMachines: ReadonlySet<string>;
}

const expiryWindowDays = 30;

/** A licence is expired on the day after its expiry. Unknown is not expired. */
export const isExpiredOn = (licence: Pick<Licence, 'expiresOn'>, today: string): boolean =>
  licence.expiresOn !== null && licence.expiresOn < today;

/** Whole days from one YYYY-MM-DD to another. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);

const windowEnds = new Map<string, string>();

/** Last day of the window that begins today; computed once a day, since fifty thousand licences are compared with it. */
function windowEnd(today: string): string {
  const known = windowEnds.get(today);
  if (known !== undefined) return known;
  const end = new Date(Date.parse(today) + expiryWindowDays * 86_400_000).toISOString().slice(0, 10);
  windowEnds.set(today, end);
  return end;
}

/** Whether a licence expires today or within the next 30 days. */
export const expiresSoon = ({ expiresOn }: Pick<Licence, 'expiresOn'>, today: string): boolean =>
  expiresOn !== null && expiresOn >= today && expiresOn <= windowEnd(today);

/** Seats are known only if both numbers came. */
export const seatsUnknown = (licence: Pick<Licence, 'seatsUsed' | 'seatsFree'>): boolean =>
  licence.seatsUsed === null || licence.seatsFree === null;

const agreed = (a: number | null, b: number | null): number | null => (a === b ? a : null);

/** One licence of two records of it. Each that is merged into it later changes it in the same way, in whatever order they come. */
function mergeTwo(one: Licence, other: Licence, today: string): Licence {
  const [earlier, later] = (one.expiresOn ?? '') <= (other.expiresOn ?? '') ? [one, other] : [other, one];
  const sameState = isExpiredOn(one, today) === isExpiredOn(other, today);
  return {
    ...(earlier.expiresOn === null || isExpiredOn(earlier, today) ? later : earlier),
    credits: agreed(one.credits, other.credits),
    seatsUsed: agreed(one.seatsUsed, other.seatsUsed),
    seatsFree: sameState ? agreed(one.seatsFree, other.seatsFree) : null,
  };
}

/**
 * Each licence once: a list may name one more than once. It has the expiry that comes next, or else the last that has passed, and no figure
 * where its records differ. A record without a number is a licence of its own.
 */
export function mergeRecords(licences: readonly Licence[], today: string): Licence[] {
  const merged = new Map<string | Licence, Licence>();
  for (const licence of licences) {
    const key = plainId(licence.licenceNumber) || licence;
    const known = merged.get(key);
    merged.set(key, known ? mergeTwo(known, licence, today) : licence);
  }
  return [...merged.values()];
}

const matches: Record<QuickFacet, (licence: Licence, facts: FilterFacts) => boolean> = {
  soon: (licence, { today }) => expiresSoon(licence, today),
  expired: (licence, { today }) => isExpiredOn(licence, today),
  free: (licence, { today }) => (licence.seatsFree ?? 0) > 0 && !isExpiredOn(licence, today),
  unknown: seatsUnknown,
  'no-machine': (licence, { onMachines }) => !onMachines.has(plainId(licence.licenceNumber)),
};

/** Counts and codes, which a typed digit would find in every row. */
const notSearched: ReadonlySet<LicenceField> = new Set(['creditsAvailable', 'inUse', 'available', 'returnCode']);
const searchedFields = licenceFieldNames.filter((field) => !notSearched.has(field));

/** The searchable text of each licence of a list, in its order: made once per list, since fifty thousand are searched at every key. */
const texts = new WeakMap<readonly Licence[], string[]>();

const textOf = (licence: Licence): string =>
  [...searchedFields.map((field) => licence[field]), ...Object.values(licence.unknownFields)].join('\n').toLowerCase();

/** Makes some of a list's texts in advance; false: all are made. */
export function prepareTexts(licences: readonly Licence[], most: number): boolean {
  const made = texts.get(licences) ?? [];
  texts.set(licences, made);
  for (const licence of licences.slice(made.length, made.length + most)) made.push(textOf(licence));
  return made.length < licences.length;
}

function textsOf(licences: readonly Licence[]): readonly string[] {
  prepareTexts(licences, licences.length);
  return texts.get(licences) ?? [];
}

/** The licences that pass every part of the filter; each word of the text must be found somewhere in the record. */
export function filterLicences(
  licences: readonly Licence[],
  filter: LicenceFilter,
  facts: FilterFacts,
): readonly Licence[] {
  if (!isFiltering(filter)) return licences;
  const words = searchWords(filter.text);
  const searched = words.length === 0 ? [] : textsOf(licences);
  return licences.filter(
    (licence, index) =>
      words.every((word) => searched[index]?.includes(word)) &&
      (filter.types.length === 0 || filter.types.includes(licence.typeName)) &&
      (filter.statuses.length === 0 || filter.statuses.includes(licence.status)) &&
      filter.quick.every((facet) => matches[facet](licence, facts)),
  );
}

export const countQuick = (licences: readonly Licence[], facet: QuickFacet, facts: FilterFacts): number =>
  licences.reduce((count, licence) => count + (matches[facet](licence, facts) ? 1 : 0), 0);

/** The values that came, each with how often, in their order as text. */
export function observedValues(
  licences: readonly Licence[],
  fieldOf: (licence: Licence) => string,
): { value: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const licence of licences) counts.set(fieldOf(licence), (counts.get(fieldOf(licence)) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => a.value.localeCompare(b.value, 'en-GB'));
}
