import type { SoapVersion } from '../../../../shared/domain/connection.ts';
import { type AppError, appError } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { type CallableOperation, matchField, type RequestField } from '../operation.ts';

/** The caller's value for a field. A list goes into one text (`list` fields) or into repeated elements. */
type FieldValue = string | number | boolean | readonly string[];
export type FieldValues = Readonly<Record<string, FieldValue | undefined>>;

/** Envelope namespaces of SOAP 1.1 (W3C Note, 2000) and 1.2 (field notes, "SOAP transport"). */
const envelopeNamespaces: Readonly<Record<SoapVersion, string>> = {
  '1.1': 'http://schemas.xmlsoap.org/soap/envelope/',
  '1.2': 'http://www.w3.org/2003/05/soap-envelope',
};

/** Everything that XML 1.0 (2.2) does not allow in a document, lone surrogates included. */
const impossible = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

/** Text as element content. A carriage return is written as a reference: a parser turns a bare one into a line feed. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"\r]/g, (character) => escapes[character] ?? character);
}

/** Whether XML 1.0 can carry the text at all. */
export function isXmlText(text: string): boolean {
  return !impossible.test(text);
}

const refuse = (field: RequestField | string, message: string): { ok: false; error: AppError } =>
  fail(appError('bad-input', { message, field: typeof field === 'string' ? field : field.name }));

function textOf(field: RequestField, value: string | number | boolean): Result<string> {
  if (field.type === 'integer') {
    const text = typeof value === 'string' ? value.trim() : String(value);
    const number = /^[+-]?\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= -2147483648 && number <= 2147483647)) {
      return refuse(field, `${field.label} must be a whole number.`);
    }
    return ok(String(number));
  }
  if (field.type === 'boolean') {
    const text = String(value).trim().toLowerCase();
    return text === 'true' || text === 'false' ? ok(text) : refuse(field, `${field.label} must be true or false.`);
  }
  if (field.type === 'number') {
    const text = String(value).trim();
    return text !== '' && Number.isFinite(Number(text)) ? ok(text) : refuse(field, `${field.label} must be a number.`);
  }
  const text = String(value);
  return isXmlText(text) ? ok(text) : refuse(field, `${field.label} contains a control character that cannot be sent.`);
}

function joinList(field: RequestField, values: readonly string[], separator: string): Result<readonly string[]> {
  for (const value of values) {
    const text = textOf(field, value);
    if (!text.ok) return text;
    if (!field.repeats && values.length > 1 && value.includes(separator)) {
      return refuse(field, `“${value}” contains the separator of this list (${separator}).`);
    }
  }
  if (field.repeats) return ok(values);
  return field.list || values.length <= 1
    ? ok([values.join(separator)])
    : refuse(field, `${field.label} takes one value only.`);
}

/**
 * Checks the caller's input against the operation and turns it into the texts to be sent, by the operation's field names. `listSeparator`:
 * the connection's; empty means the default, a comma. Errors: 'bad-input' naming the field.
 */
export function readFields(
  operation: CallableOperation,
  given: FieldValues,
  listSeparator: string,
): Result<Map<string, readonly string[]>> {
  const texts = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const field = matchField(operation.fields, name);
    if (!field) return refuse(name, `${operation.name} has no field ${name}.`);
    if (texts.has(field.name)) return refuse(name, `${field.name} is given twice.`);
    if (typeof value === 'object') {
      const joined = joinList(field, value, listSeparator === '' ? ',' : listSeparator);
      if (!joined.ok) return joined;
      texts.set(field.name, joined.value);
    } else {
      const text = textOf(field, value);
      if (!text.ok) return text;
      texts.set(field.name, [text.value]);
    }
  }
  for (const field of operation.fields) {
    if (field.required && !texts.has(field.name)) return refuse(field, `${field.label} is missing.`);
  }
  return ok(texts);
}

/** `texts` undefined: none was given. */
function writeField(field: RequestField, texts: readonly string[] | undefined, namespace: string): string[] {
  const { name, member } = field;
  const own =
    field.namespace === undefined || field.namespace === namespace ? '' : ` xmlns="${escapeXml(field.namespace)}"`;
  const write = (tag: string, text: string) => `<${tag}>${escapeXml(text)}</${tag}>`;
  if (texts === undefined && !field.always) return [];
  if (member !== undefined)
    return [`<${name}${own}>${(texts ?? []).map((text) => write(member, text)).join('')}</${name}>`];
  // An empty text is no number. A field that the description requires and that must not be nil has been asked for.
  if (texts === undefined && field.type !== 'string')
    return [`<${name}${own} xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true" />`];
  return (texts ?? ['']).map((text) => `<${name}${own}>${escapeXml(text)}</${name}>`);
}

/**
 * The envelope: fields in the operation's order; a field without a text is left out (field notes: request fields are minOccurs=0) unless
 * the description requires it, where a text is empty and a number is nil; an empty text is an empty element.
 */
export function buildEnvelope(
  version: SoapVersion,
  namespace: string,
  operation: CallableOperation,
  given: ReadonlyMap<string, readonly string[]>,
): string {
  const fields = operation.fields.flatMap((field) => writeField(field, given.get(field.name), namespace));
  const element = operation.described?.requestElement ?? operation.name;
  return (
    `<?xml version="1.0" encoding="utf-8"?>\n<soap:Envelope xmlns:soap="${envelopeNamespaces[version]}"><soap:Body>` +
    `<${element} xmlns="${escapeXml(namespace)}">${fields.join('')}</${element}></soap:Body></soap:Envelope>`
  );
}

/** The action of an operation: the description's, else the namespace, a slash unless it ends with one, and the name (field notes). */
export function actionOf(version: SoapVersion, namespace: string, operation: CallableOperation): string {
  const described = operation.described?.actions[version];
  return described ?? `${namespace}${namespace.endsWith('/') ? '' : '/'}${operation.name}`;
}

/** Headers of a version. Errors: 'bad-input' if the action is not allowed in a header. */
export function buildHeaders(version: SoapVersion, action: string): Result<Record<string, string>> {
  if (!/^[\x20-\x7e]*$/.test(action) || action.includes('"')) {
    return refuse('soapNamespace', 'The namespace contains characters that cannot be sent in a header.');
  }
  if (version === '1.1') {
    return ok({ 'content-type': 'text/xml; charset=utf-8', accept: 'text/xml', soapaction: `"${action}"` });
  }
  const parameter = action === '' ? '' : `; action="${action}"`;
  return ok({ 'content-type': `application/soap+xml; charset=utf-8${parameter}`, accept: 'application/soap+xml' });
}
