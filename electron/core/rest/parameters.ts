import { type RestEndpoint, removedParameters, searchPhraseForm } from '../../../shared/catalogue/rest-endpoints.ts';
import type { FieldDef } from '../../../shared/catalogue/types.ts';
import { checkPostcode } from '../../../shared/domain/address/postcode.ts';
import type { SearchForm } from '../../../shared/domain/connection.ts';
import { type AppError, appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';

/** By published name. null and undefined: not given. Booleans and integers may be given as text. */
export type RestFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export type Parameter = [name: string, value: string];

const refuse = (field: string, message: string, next?: string): Result<never, AppError> =>
  fail(appError('bad-input', { field, message, ...(next === undefined ? {} : { next }) }));

/**
 * Checks the input against the catalogue and writes it as parameters, in the published order, without the key. For /Search in its second
 * published form `query` becomes `phrase`, `opensearch` is false for a full postcode and true otherwise unless given, and `maxresults` is
 * left out (field notes, "REST"). Errors: 'bad-input' with the field.
 */
export function buildParameters(
  endpoint: RestEndpoint,
  fields: RestFields,
  searchForm: SearchForm,
): Result<Parameter[]> {
  const given = Object.entries(fields).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name, value] as const],
  );
  for (const [name] of given) {
    const refused = refuseRemoved(name) ?? refuseKey(endpoint, name);
    if (refused !== null) return refused;
  }
  const values = new Map(given);
  const usesPhrase = endpoint.name === 'Search' && searchForm === 'phrase';
  const own = writeAll(endpoint.parameters, values, usesPhrase ? searchPhraseForm.parameters : [], endpoint);
  if (!own.ok) return own;
  return usesPhrase ? toPhraseForm(own.value) : requireAll(endpoint.parameters, own.value);
}

function refuseRemoved(name: string): Result<never, AppError> | null {
  return removedParameters.some((removed) => removed.toLowerCase() === name.toLowerCase())
    ? refuse(
        name,
        `${name} was removed from the service in February 2026 and is not sent.`,
        'Leave it out: coordinates always come, and in shape A the UDPRN. Ask with uprn=true for the UPRN, which costs 1 credit more.',
      )
    : null;
}

function refuseKey(endpoint: RestEndpoint, name: string): Result<never, AppError> | null {
  return endpoint.parameters.some((parameter) => parameter.credential !== undefined && parameter.name === name)
    ? refuse(name, 'The key comes from the connection, never from a field.', 'Add it under Connections.')
    : null;
}

function writeAll(
  parameters: readonly FieldDef[],
  values: ReadonlyMap<string, string | number | boolean>,
  more: readonly FieldDef[],
  endpoint: RestEndpoint,
): Result<Map<string, string>> {
  const known = new Map([...parameters, ...more].map((parameter) => [parameter.name, parameter]));
  const written = new Map<string, string>();
  for (const [name, value] of values) {
    const parameter = known.get(name);
    if (parameter === undefined) {
      const names = [...known.values()].flatMap((field) => (field.credential ? [] : [field.name]));
      return refuse(
        name,
        `${endpoint.name} has no parameter “${name}”.`,
        names.length === 0 ? 'It takes none.' : `It takes ${names.join(', ')}.`,
      );
    }
    const text = writeValue(parameter, value);
    if (!text.ok) return text;
    if (text.value !== '') written.set(name, text.value);
  }
  return ok(written);
}

function writeValue(parameter: FieldDef, value: string | number | boolean): Result<string> {
  const { name, label } = parameter;
  const text = String(value);
  switch (parameter.type) {
    case 'integer':
      if (text.trim() === '') return ok('');
      // No published integer parameter counts below one.
      return /^\d{1,9}$/.test(text.trim()) && Number(text) > 0
        ? ok(String(Number(text)))
        : refuse(name, `${label} must be a whole number from 1.`);
    case 'number':
      if (text.trim() === '') return ok('');
      return Number.isFinite(Number(text)) ? ok(text.trim()) : refuse(name, `${label} must be a number.`);
    case 'boolean':
      if (text.trim() === '') return ok('');
      return /^(true|false)$/i.test(text.trim())
        ? ok(text.trim().toLowerCase())
        : refuse(name, `${label} must be true or false.`);
    case 'string':
      // Identifiers are text: a number has already lost its leading zeros.
      if (typeof value !== 'string') return refuse(name, `${label} must be text.`);
      if (!text.isWellFormed()) return refuse(name, `${label} contains an incomplete character, which cannot be sent.`);
      // Blank counts as missing; any other text is sent as it was given.
      return ok(text.trim() === '' ? '' : text);
  }
}

function requireAll(parameters: readonly FieldDef[], values: ReadonlyMap<string, string>): Result<Parameter[]> {
  const list: Parameter[] = [];
  for (const parameter of parameters) {
    const value = values.get(parameter.name);
    if (value !== undefined) list.push([parameter.name, value]);
    else if (parameter.required && parameter.credential === undefined) {
      return refuse(parameter.name, `${parameter.label} is missing.`);
    }
  }
  return ok(list);
}

function toPhraseForm(values: ReadonlyMap<string, string>): Result<Parameter[]> {
  const query = values.get('query');
  const phrase = values.get('phrase');
  if (query !== undefined && phrase !== undefined && query !== phrase) {
    return refuse('phrase', 'query and phrase are the same question in two forms, and differ here.');
  }
  const words = phrase ?? query;
  if (words === undefined) return refuse('query', 'Postcode, street, business or building is missing.');
  const exact = checkPostcode(words).state === 'well-formed';
  return ok([
    ['phrase', words],
    ['opensearch', values.get('opensearch') ?? String(!exact)],
  ]);
}
