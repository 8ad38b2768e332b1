import { z } from 'zod';
import { type Address, type AddressField, addressFieldLabels, addressFields, linesOf } from '../address/address.ts';

/**
 * What one answer says of one thing. `cut`: the beginning of a long value. `empty`: the field came without text. `absent`: the answer has no
 * such field. `not-kept`: it has none among those that were kept of it for comparing.
 */
const comparedSideSchema = z.object({
  state: z.enum(['value', 'cut', 'empty', 'absent', 'not-kept']),
  value: z.string(),
});
export type ComparedSide = z.infer<typeof comparedSideSchema>;

/**
 * form: the same except for case, blanks or the way a number is written. neither: no text on either side. not-compared: what was not kept of
 * one answer would decide it.
 */
const comparedVerdicts = ['same', 'form', 'differs', 'left', 'right', 'neither', 'not-compared'] as const;

export const comparedRowSchema = z.object({
  group: z.string(),
  name: z.string(),
  label: z.string(),
  left: comparedSideSchema,
  right: comparedSideSchema,
  verdict: z.enum(comparedVerdicts),
  /** Why, in a few words. */
  explanation: z.string(),
});
export type ComparedRow = z.infer<typeof comparedRowSchema>;

/** One thing an answer says, under the name by which it is matched. */
export interface ComparableField {
  group: string;
  name: string;
  label: string;
  state: 'value' | 'cut' | 'empty';
  value: string;
}

const groupOf = (field: AddressField): string => {
  if (field === 'uprn' || field === 'udprn' || field === 'domesticId') return 'Identifiers';
  if (['latitude', 'longitude', 'easting', 'northing', 'gridReference'].includes(field)) return 'Place';
  if (['barcode', 'mailsort', 'deliveryPointSuffix', 'userCategory'].includes(field)) return 'Post';
  return 'Premise';
};
const groups = ['Premise', 'Identifiers', 'Place', 'Post', 'Fields the published record does not have'];

/** A premise answer as comparable fields: by meaning, so that one thing has one name over both interfaces and both shapes. */
export function comparablePremise(address: Address): ComparableField[] {
  const fields = addressFields.flatMap((name): ComparableField[] => {
    const found = address.fields[name];
    const base = { group: groupOf(name), name, label: addressFieldLabels[name] };
    if (found) return [{ ...base, state: 'value', value: found.value }];
    return address.emptyFields.includes(name) ? [{ ...base, state: 'empty', value: '' }] : [];
  });
  const own = linesOf(address);
  const lines: ComparableField[] = own
    ? [{ group: 'Premise', name: own.name, label: own.label, state: 'value', value: own.value }]
    : [];
  const premise: ComparableField = {
    group: 'Identifiers',
    name: 'premiseId',
    label: 'Premise',
    state: address.premiseId === '' ? 'empty' : 'value',
    value: address.premiseId,
  };
  const other = address.other.map(
    ({ name, value }): ComparableField => ({
      group: groups[4] ?? '',
      name: `other/${name}`,
      label: name,
      state: value === '' ? 'empty' : 'value',
      value,
    }),
  );
  return [...fields, ...lines, premise, ...other];
}

const collapsed = (text: string): string => text.trim().replace(/\s+/g, ' ');
const numberText = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;

/** In what way two texts of different letters mean the same; null: they do not. */
function sameButForm(field: string, left: string, right: string): string | null {
  if (collapsed(left) === collapsed(right)) return 'same; blanks differ';
  if (collapsed(left).toLowerCase() === collapsed(right).toLowerCase()) return 'same; letter case differs';
  // Identifiers and codes are text: leading zeros belong to them.
  const measured = ['latitude', 'longitude', 'easting', 'northing', 'buildingNumber', 'countryIsoNumber'].includes(
    field,
  );
  if (measured && numberText.test(left.trim()) && numberText.test(right.trim()) && Number(left) === Number(right))
    return 'same number, written otherwise';
  if (left.replace(/\s+/g, '').toLowerCase() === right.replace(/\s+/g, '').toLowerCase()) return 'same; blanks differ';
  return null;
}

export const hasText = ({ state }: ComparedSide): boolean => state === 'value' || state === 'cut';

/** Whether two texts, of which one or both are only a beginning, may be the same, but for case and blanks. */
function mayAgree(left: string, right: string): boolean {
  const [one, other] = [left, right].map((text) => text.replace(/ …$/, '').replace(/\s+/g, '').toLowerCase());
  return one !== undefined && other !== undefined && (one.startsWith(other) || other.startsWith(one));
}

function judge(field: string, left: ComparedSide, right: ComparedSide): Pick<ComparedRow, 'verdict' | 'explanation'> {
  for (const [name, side] of Object.entries({ left, right }))
    if (side.state === 'not-kept')
      return { verdict: 'not-compared', explanation: `not among the first values of the ${name} answer` };
  if (!hasText(left) && !hasText(right)) return { verdict: 'neither', explanation: 'in neither' };
  const missing = (side: ComparedSide) => (side.state === 'empty' ? 'came empty' : 'not in that answer');
  if (!hasText(right)) return { verdict: 'left', explanation: `left only; right ${missing(right)}` };
  if (!hasText(left)) return { verdict: 'right', explanation: `right only; left ${missing(left)}` };
  if ((left.state === 'cut' || right.state === 'cut') && mayAgree(left.value, right.value))
    return { verdict: 'not-compared', explanation: 'begins the same; the rest is not compared' };
  if (left.value === right.value) return { verdict: 'same', explanation: 'same' };
  const form = sameButForm(field, left.value, right.value);
  return form === null ? { verdict: 'differs', explanation: 'differs' } : { verdict: 'form', explanation: form };
}

const sideOf = (field: ComparableField | undefined, missing: 'absent' | 'not-kept'): ComparedSide =>
  field === undefined ? { state: missing, value: '' } : { state: field.state, value: field.value };

/**
 * One row for a thing that at least one of two answers names; none if neither does. `missing`: what is to be said of an answer that does not
 * name it.
 */
export function compareField(
  left: ComparableField | undefined,
  right: ComparableField | undefined,
  missing: 'absent' | 'not-kept' = 'absent',
): ComparedRow[] {
  const named = left ?? right;
  if (named === undefined) return [];
  const { group, name, label } = named;
  const [a, b] = [sideOf(left, missing), sideOf(right, missing)];
  return [{ group, name, label, left: a, right: b, ...judge(name, a, b) }];
}

/**
 * Finds for the things of one answer those of the other, by name. An answer may name one several times, such as a premise with two
 * organisations: ask `takeSame` for each first, then `take`, so that an answer does not differ from itself. `add` the others from the last
 * to the first.
 */
export function createPairing() {
  const same = new Map<string, ComparableField[]>();
  const named = new Map<string, ComparableField[]>();
  const taken = new Set<ComparableField>();
  const keep = (lists: Map<string, ComparableField[]>, key: string, field: ComparableField) => {
    const list = lists.get(key);
    if (list) list.push(field);
    else lists.set(key, [field]);
  };
  function takeFrom(list: ComparableField[] | undefined): ComparableField | undefined {
    for (let field = list?.pop(); field; field = list?.pop())
      if (!taken.has(field)) {
        taken.add(field);
        return field;
      }
    return undefined;
  }
  return {
    add(field: ComparableField): void {
      keep(same, `${field.name}\n${field.value}`, field);
      keep(named, field.name, field);
    },
    takeSame: ({ name, value }: ComparableField) => takeFrom(same.get(`${name}\n${value}`)),
    take: ({ name }: ComparableField) => takeFrom(named.get(name)),
    isTaken: (field: ComparableField): boolean => taken.has(field),
  };
}

/**
 * Matches the fields of two answers by name; the order is the left one's, groups together, then what only the right one has. `most`: of an
 * answer with so many fields there may be more that are not kept.
 */
export function compareFields(
  left: readonly ComparableField[],
  right: readonly ComparableField[],
  most = Number.POSITIVE_INFINITY,
): ComparedRow[] {
  const missingIn = ({ length }: readonly ComparableField[]) => (length < most ? 'absent' : 'not-kept');
  const pairing = createPairing();
  for (const field of right.toReversed()) pairing.add(field);
  const same = left.map(pairing.takeSame);
  const rows = [
    ...left.flatMap((field, index) => compareField(field, same[index] ?? pairing.take(field), missingIn(right))),
    ...right
      .filter((field) => !pairing.isTaken(field))
      .flatMap((field) => compareField(undefined, field, missingIn(left))),
  ];
  const order = (name: string): number => {
    const at = addressFields.indexOf(name as AddressField);
    return at < 0 ? addressFields.length : at;
  };
  const place = (group: string): number => {
    const at = groups.indexOf(group);
    return at < 0 ? groups.length : at;
  };
  return rows
    .map((one, index) => ({ one, index }))
    .sort(
      (a, b) => place(a.one.group) - place(b.one.group) || order(a.one.name) - order(b.one.name) || a.index - b.index,
    )
    .map(({ one }) => one);
}
