import type { GivenField } from '../../../shared/contract/operations.ts';
import { checkPostcode } from '../../../shared/domain/address/postcode.ts';
import { listBeside, listValues } from '../../../shared/domain/text/list-values.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { type Callable, ownFields } from './resolve.ts';

/** What is sent, what makes two questions the same, and what the log says. */
export interface Given {
  fields: Record<string, string | string[]>;
  input: Record<string, string | string[]>;
  subject: string;
  /** As the window gave it, for asking again. */
  asked: GivenField[];
}

const collapse = (text: string): string => text.trim().replace(/\s+/g, ' ');

/** One spelling for one meaning: blanks, and the usual form of postcodes. Identifiers stay as they are. */
function normalise(name: string, value: string): string {
  const text = collapse(value);
  if (!/postcode(?!description)/i.test(name)) return text;
  const check = checkPostcode(text);
  const isOne = check.state === 'well-formed' || check.state === 'unusual';
  return (isOne ? check.normalised : undefined) ?? text.toUpperCase();
}

/**
 * Reads what was filled in. A SOAP text field left empty is sent empty, as the family's own clients do; one of another type is left out.
 * Errors: 'bad-input' with the field; a field that the connection fills is never taken from the window.
 */
export function readGiven(callable: Callable, given: readonly GivenField[]): Result<Given> {
  const own = ownFields(callable);
  const byName = new Map(own.map((field) => [field.name, field]));
  const values = new Map<string, readonly string[]>();
  for (const one of given) {
    const { name, values: texts } = one;
    if (!byName.has(name))
      return fail(appError('bad-input', { field: name, message: `${callable.name} has no field ${name} to fill in.` }));
    if (values.has(name)) return fail(appError('bad-input', { field: name, message: `${name} is given twice.` }));
    values.set(name, texts);
  }
  // Without a prototype: a description may name a field “constructor”.
  const fields: Given['fields'] = Object.create(null);
  const input: Given['input'] = Object.create(null);
  const asked: GivenField[] = [];
  for (const field of own) {
    const other = listBeside(field.name);
    const texts = listValues(values.get(field.name) ?? [], other === undefined ? undefined : (values.get(other) ?? []));
    const takesList = field.list === true || field.repeats === true;
    if (texts.length > 1 && !takesList)
      return fail(appError('bad-input', { field: field.name, message: `${field.label} takes one value.` }));
    const first = texts[0];
    if (first === undefined) {
      if (field.required)
        return fail(appError('bad-input', { field: field.name, message: `${field.label} is missing.` }));
      if (callable.interface === 'soap' && field.type === 'string' && !field.repeats) fields[field.name] = '';
      continue;
    }
    asked.push({ name: field.name, values: [...texts] });
    fields[field.name] = takesList ? texts.map((text) => text.trim()) : first.trim();
    input[field.name] = takesList ? texts.map((text) => normalise(field.name, text)) : normalise(field.name, first);
  }
  // A switch is named if it is on: “true” says nothing in a log.
  const subject = own
    .flatMap(({ name, type }) => {
      const value = input[name];
      if (value === undefined) return [];
      return type === 'boolean' ? (String(value).toLowerCase() === 'true' ? [name] : []) : value;
    })
    .filter((value) => value !== '')
    .join(', ');
  return ok({ fields, input, subject: subject.length > 200 ? `${subject.slice(0, 199)}…` : subject, asked });
}
