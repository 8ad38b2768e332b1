import {
  type RestEndpointName,
  restEndpoints,
  searchItemFields,
  searchPhraseForm,
} from '../../../shared/catalogue/rest-endpoints.ts';
import { isJsonObject, jsonText } from '../../../shared/domain/text/json-values.ts';
import type { TextJson } from './json-text.ts';

/**
 * What may arrive, parsed loosely: fields may be missing, null, extra, of another type or letter case. The two published shapes and the two
 * search answers are distinguished by what arrives, never by a setting.
 */

/** Values as texts by field name, in the published spelling if there is one; null is '', a nested value its JSON. */
export type TextFields = Record<string, string>;

const endpoint = <Name extends RestEndpointName>(name: Name) =>
  restEndpoints.find((one) => one.name === name) as Extract<(typeof restEndpoints)[number], { name: Name }>;
const premise = endpoint('GetPremise');
const geoData = endpoint('GetPremiseGeoData');
const credits = endpoint('GetCredits');

interface ShapeNames {
  all: ReadonlyMap<string, string>;
  own: ReadonlySet<string>;
}

const lower = (names: readonly { readonly name: string }[]): string[] => names.map(({ name }) => name.toLowerCase());

function shapeNames(
  mine: readonly { readonly name: string }[],
  theirs: readonly { readonly name: string }[],
): ShapeNames {
  const others = new Set(lower(theirs));
  return {
    all: new Map(mine.map(({ name }) => [name.toLowerCase(), name])),
    own: new Set(lower(mine).filter((name) => !others.has(name))),
  };
}

const premiseNames = {
  A: shapeNames(premise.shapes.A.fields, premise.shapes.B.fields),
  B: shapeNames(premise.shapes.B.fields, premise.shapes.A.fields),
};
const geoNames = {
  A: shapeNames(geoData.shapes.A.fields, geoData.shapes.B.fields),
  B: shapeNames(geoData.shapes.B.fields, geoData.shapes.A.fields),
};
const creditNames = new Map(credits.shapes.B.fields.map(({ name }) => [name.toLowerCase(), name]));
const queryNames = new Map(searchItemFields.map(({ name }) => [name.toLowerCase(), name]));
const phraseNames = new Map(searchPhraseForm.itemFields.map(({ name }) => [name.toLowerCase(), name]));

/** A member by name ignoring case, an exact match first; undefined if there is none. */
export function member(value: unknown, name: string): unknown {
  if (!isJsonObject(value)) return undefined;
  if (Object.hasOwn(value, name)) return value[name];
  const wanted = name.toLowerCase();
  const found = Object.keys(value).find((key) => key.length === name.length && key.toLowerCase() === wanted);
  return found === undefined ? undefined : value[found];
}

/** Fields as texts, published ones under their published spelling. null: not an object. */
function readFields(value: unknown, names: ReadonlyMap<string, string>): TextFields | null {
  if (Array.isArray(value)) return value.length === 1 ? readFields(value[0], names) : null;
  if (!isJsonObject(value)) return null;
  const read = new Map<string, string>();
  for (const [name, content] of Object.entries(value)) {
    const known = names.get(name.toLowerCase());
    const taken = known !== undefined && known !== name && Object.hasOwn(value, known);
    read.set(taken ? name : (known ?? name), jsonText(content));
  }
  return Object.fromEntries(read);
}

const countOwn = (value: unknown, { own }: ShapeNames): number =>
  isJsonObject(value) ? Object.keys(value).filter((name) => own.has(name.toLowerCase())).length : 0;

export interface ShapedFields {
  shape: 'A' | 'B';
  fields: TextFields;
}

/** Fields of a premise that a service may fill in where it found none: the question repeated, and what is the same for each. */
const saysNothing: ReadonlySet<string> = new Set([
  'id',
  'udprn',
  'country',
  'countryName',
  'countryIso2',
  'countryIso3',
  'countryIsoNumber',
]);
/** Geographic data may lack the position of a premise that is there. */
const nothing: ReadonlySet<string> = new Set();

/**
 * One record in shape A or B, of whichever wrapper has one. The fields decide, because either document's wrapper may hold the other's
 * fields; the wrapper decides where they do not; without a wrapper the object itself is read.
 */
function readShaped(
  value: unknown,
  wrappers: { A: string; B: string },
  names: { A: ShapeNames; B: ShapeNames },
  ignored: ReadonlySet<string>,
): ShapedFields | 'empty' | null {
  const wrapped = { A: member(value, wrappers.A), B: member(value, wrappers.B) };
  if (wrapped.A === undefined && wrapped.B === undefined) return readRecord(value, null, names, ignored);
  const records = (['A', 'B'] as const)
    .filter((wrapper) => wrapped[wrapper] !== undefined && wrapped[wrapper] !== null)
    .map((wrapper) => readRecord(wrapped[wrapper], wrapper, names, ignored));
  return records.find((record) => record !== null && record !== 'empty') ?? (records.includes(null) ? null : 'empty');
}

/** What one wrapper holds, or the object itself (`wrapper` null). It is empty if nothing is in its fields beside the ignored ones. */
function readRecord(
  value: unknown,
  wrapper: 'A' | 'B' | null,
  names: { A: ShapeNames; B: ShapeNames },
  ignored: ReadonlySet<string>,
): ShapedFields | 'empty' | null {
  let content = value;
  if (Array.isArray(content)) {
    if (content.length === 0) return 'empty';
    if (content.length > 1) return null;
    content = content[0];
  }
  const a = countOwn(content, names.A);
  const b = countOwn(content, names.B);
  const shape = a > b ? 'A' : b > a ? 'B' : wrapper;
  if (shape === null) return null;
  const fields = readFields(content, names[shape].all);
  if (fields === null) return null;
  const isEmpty = (field: string) => /^[\s0.]*$/.test(field) || field === 'false';
  return Object.entries(fields).every(([name, field]) => ignored.has(name) || isEmpty(field))
    ? 'empty'
    : { shape, fields };
}

/** /GetPremise. 'empty': the service answered without a premise. null: neither published shape. */
export const readPremise = (value: TextJson): ShapedFields | 'empty' | null =>
  readShaped(value, { A: premise.shapes.A.member, B: premise.shapes.B.member }, premiseNames, saysNothing);

/** /GetPremiseGeoData, likewise. */
export const readGeoData = (value: TextJson): ShapedFields | 'empty' | null =>
  readShaped(value, { A: geoData.shapes.A.member, B: geoData.shapes.B.member }, geoNames, nothing);

export type CreditsWire = { shape: 'A'; credits: string } | { shape: 'B'; fields: TextFields };

/** /GetCredits: a number, or an object of numbers. null: neither. */
export function readCredits(value: TextJson): CreditsWire | null {
  const content = member(value, 'credits');
  if (typeof content === 'string' && content.trim() !== '') return { shape: 'A', credits: content };
  const fields = readFields(content ?? value, creditNames);
  return fields !== null && [...creditNames.values()].some((name) => Object.hasOwn(fields, name))
    ? { shape: 'B', fields }
    : null;
}

export interface SearchWire {
  form: 'query' | 'phrase';
  items: TextFields[];
  /** The list itself came as null: nothing found, or the shell of an error. */
  absent: boolean;
  /** totalResults as it came; '' if it was not sent. */
  total: string;
}

/**
 * /Search: `results` or `items`, whichever form was requested, the one that has rows. Rows that are no objects are skipped. null: neither
 * list, or one all of whose rows are skipped, which is not an empty one.
 */
export function readSearch(value: unknown): SearchWire | null {
  const results = member(value, 'results');
  const phrases = member(value, 'items');
  const bare = Array.isArray(value) ? value : undefined;
  const absent = results === null || phrases === null;
  const filled = [results, phrases].find((one) => Array.isArray(one) && one.length > 0);
  const list = filled ?? results ?? phrases ?? bare ?? (absent ? [] : undefined);
  if (!Array.isArray(list)) return null;
  const looksLikePhrase = list.some((item) => member(item, 'key') !== undefined && member(item, 'id') === undefined);
  const isPhrase = list.length === 0 ? results === undefined && phrases !== undefined : looksLikePhrase;
  const items = list.flatMap((item) => {
    const fields = readFields(item, isPhrase ? phraseNames : queryNames);
    return fields === null ? [] : [fields];
  });
  if (items.length === 0 && list.length > 0) return null;
  return {
    form: isPhrase ? 'phrase' : 'query',
    items,
    absent: absent && list.length === 0,
    total: jsonText(member(value, 'totalResults')),
  };
}
