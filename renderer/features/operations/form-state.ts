import {
  type FormField,
  fieldLimits,
  type GivenField,
  type OperationForm,
} from '../../../shared/contract/operations.ts';
import type { ChannelInput } from '../../../shared/contract.ts';
import { checkPostcode } from '../../../shared/domain/address/postcode.ts';
import { listBeside, listValues } from '../../../shared/domain/text/list-values.ts';
import { createKeyedStore } from '../../lib/session/keyed-store.ts';
import { countOf, formatNumber } from '../../lib/text/format.ts';

/** What is filled in for one operation; it stays while the window is open. */
export interface FormState {
  /** By field; a list has one value a line. */
  values: Readonly<Record<string, string>>;
  dataset: boolean;
  /** The saved lookup this came from. */
  savedId: string | null;
}

const forms = createKeyedStore<FormState>(
  { values: {}, dataset: false, savedId: null },
  { most: 200, sessionKey: 'operations/form' },
);
export const formKey = (connectionId: string, operation: string): string => `${connectionId}/${operation}`;

export const useForm = forms.use;
export const changeForm = forms.change;

/** The text in a field. */
export const textOf = (state: FormState, { name, initial }: OperationForm['fields'][number]): string =>
  (Object.hasOwn(state.values, name) ? state.values[name] : undefined) ?? initial;

/** The values in a field: a list has one a line. */
function valuesOf(field: OperationForm['fields'][number], form: OperationForm, state: FormState): string[] {
  const linesOf = (one: OperationForm['fields'][number]): string[] =>
    one.list === null ? [textOf(state, one)] : textOf(state, one).split('\n');
  const other = form.fields.find(({ name }) => name === listBeside(field.name));
  return listValues(linesOf(field), other && linesOf(other));
}

/** Why the values of a field are more than one call can send; null: they are not. */
export function excessOf(values: readonly string[]): string | null {
  if (values.length > fieldLimits.values)
    return `${countOf(values.length, 'line')}; one call takes ${formatNumber(fieldLimits.values)} at most.`;
  const longest = Math.max(0, ...values.map((value) => value.length));
  return longest > fieldLimits.characters
    ? `A line has ${countOf(longest, 'character')}; ${formatNumber(fieldLimits.characters)} at most can be sent.`
    : null;
}

/**
 * What a text in a field seems wrong for, shown while typing and judged on this computer; the service has the last word. null: nothing.
 * Half a postcode is a district: the field for one has the name of a field for a whole postcode, and only its label says so.
 */
export function adviceOn({ name, type, label, list }: FormField, value: string): string | null {
  const text = value.trim();
  if (text === '' || list !== null) return null;
  if (type === 'integer' && !/^[+-]?\d+$/.test(text)) return 'Not a whole number.';
  if (type === 'number' && !Number.isFinite(Number(text))) return 'Not a number.';
  const isPostcode = /postcode/i.test(name) && !/district/i.test(label);
  return isPostcode && /\d/.test(text) ? (checkPostcode(text).hint ?? null) : null;
}

/** What a form sends; empty fields are left out. */
function fieldsOf(form: OperationForm, state: FormState): GivenField[] {
  return form.fields.flatMap((field) => {
    const values = valuesOf(field, form, state);
    return values.length === 0 ? [] : [{ name: field.name, values }];
  });
}

export const askedOf = (
  connectionId: string,
  form: OperationForm,
  state: FormState,
): ChannelInput<'operations.price'> => ({
  connectionId,
  operation: form.name,
  dataset: state.dataset && form.twin !== null,
  fields: fieldsOf(form, state),
});

/** What an operation was or would be asked with. */
export type Asked = Pick<ChannelInput<'operations.price'>, 'dataset' | 'fields'>;

const longest = 200;

/** What an answer was asked with, in words; null: the form would ask the same. */
export function askedOtherwise(form: OperationForm, asked: Asked, now: Asked): string | null {
  const said = ({ dataset = false, fields }: Asked) => JSON.stringify([dataset, fields]);
  if (said(asked) === said(now)) return null;
  const labels = new Map(form.fields.map(({ name, label }) => [name, label]));
  const text = [
    ...asked.fields.map(({ name, values }) => `${labels.get(name) ?? name} ${values.join(', ')}`),
    ...(form.twin === null ? [] : [asked.dataset ? 'as a data set' : 'not as a data set']),
  ].join('; ');
  if (text === '') return 'nothing filled in';
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

/** Puts the values of a saved lookup or an earlier call into the form. */
export function fillForm(
  connectionId: string,
  operation: string,
  from: { dataset: boolean; fields: readonly GivenField[]; savedId?: string },
): void {
  forms.change(formKey(connectionId, operation), {
    values: Object.fromEntries(from.fields.map(({ name, values }) => [name, values.join('\n')])),
    dataset: from.dataset,
    savedId: from.savedId ?? null,
  });
}
