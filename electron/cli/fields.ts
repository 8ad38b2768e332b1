import type { CredentialSlot, FieldDef } from '../../shared/catalogue/types.ts';
import { appError } from '../../shared/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { isSecretField } from '../../shared/secret-fields.ts';
import type { RequestField } from '../core/soap/operation.ts';

export type FieldInput = Record<string, string | number | boolean | string[]>;

const wrong = (field: string, message: string, next: string) => fail(appError('bad-input', { field, message, next }));

/** Those that say who pays. The others that a connection fills may be given for one call. */
const credentials: ReadonlySet<CredentialSlot | undefined> = new Set([
  'accountName',
  'licenceId',
  'guid',
  'licenceKey',
  'apiKey',
] as const);

/**
 * Reads `field=value` words, with the operation's field names. A list, or a field of several elements, that is given several times becomes a
 * list. Credentials are refused: caps and ledger follow the connection's own. Errors: `bad-input`, which names fields and never repeats a
 * value.
 */
export function readSettings(
  words: readonly string[],
  fields: readonly (FieldDef & Pick<RequestField, 'repeats'>)[],
): Result<FieldInput> {
  // No prototype, because a description may name a field “constructor”.
  const input: FieldInput = Object.create(null);
  for (const [index, word] of words.entries()) {
    const at = word.indexOf('=');
    if (at < 1)
      return wrong('set', `What follows --set number ${index + 1} is not field=value.`, 'Write --set field=value.');
    const name = word.slice(0, at);
    const field = fields.find((one) => one.name === name);
    if (!field)
      return wrong(
        name,
        `The operation has no field “${name}”.`,
        `Its fields: ${fields.map((one) => one.name).join(', ') || 'none'}.`,
      );
    if (credentials.has(field.credential) || isSecretField(name))
      return wrong(name, `“${name}” is a credential.`, 'Leave it out: it is taken from the connection and its keys.');
    const value = readValue(field, word.slice(at + 1));
    if (!value.ok) return value;
    const before = input[name];
    if (before === undefined) input[name] = value.value;
    else if (field.list || field.repeats)
      input[name] = [...(Array.isArray(before) ? before : [String(before)]), String(value.value)];
    else return wrong(name, `“${name}” is given twice.`, 'Give it once.');
  }
  return ok(input);
}

function readValue(field: FieldDef, text: string): Result<string | number | boolean> {
  if (field.type === 'boolean') {
    if (text === 'true' || text === 'false') return ok(text === 'true');
    return wrong(field.name, `“${field.name}” is true or false.`, 'Write true or false.');
  }
  if (field.type === 'integer' || field.type === 'number') {
    const value = Number(text);
    const form = field.type === 'integer' ? /^[+-]?\d+$/ : /^[+-]?\d+(?:\.\d+)?$/;
    if (form.test(text) && Number.isSafeInteger(Math.trunc(value))) return ok(value);
    return wrong(
      field.name,
      `“${field.name}” takes a ${field.type === 'integer' ? 'whole number' : 'number'}.`,
      'Give a number.',
    );
  }
  // What Node has in place of bytes that are no UTF-8.
  if (text.includes('\uFFFD'))
    return wrong(
      field.name,
      `“${field.name}” has U+FFFD in it, the character for what could not be read as text.`,
      'Give it in UTF-8.',
    );
  return ok(text);
}
