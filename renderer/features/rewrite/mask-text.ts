import { isSecretField, maskSecret } from '../../../shared/secret-fields.ts';

// name=value, name: value, "name": "value", name = 'value'; the name in any notation of code: apiKey, API_KEY, x-api-key.
// The lookbehind lets a name begin only at its first letter: else a word of 10,000 letters would be tried from each of its letters.
const pair = /(["'`]?)(?<![\w.-])([\w.-]+)\1(\s*(?::=|=>|[=:])\s*)(?!\/\/)(["'`]?)([^\s&"'`,;<>{}()[\]#?]+)\4/g;
// A parameter of an address, whatever characters its value has.
const parameter = /([?&;])([\w.%-]+)=([^\s&#"'`<>]+)/g;
const element = /<((?:\w+:)?)(\w+)(\s[^<>]*)?>([^<>]+)<\/\1\2>/g;

const plain = (name: string): string => name.replace(/^x-/i, '').replace(/[-_.]/g, '');

/** Whether a name in pasted code is that of a secret: a published spelling, or one of the usual names of constants for it. */
const namesSecret = (name: string): boolean =>
  isSecretField(name) ||
  isSecretField(plain(name)) ||
  /(?:api|licen[cs]e|master|lookup|access|account)_?-?(?:key|guid)$/i.test(name);

const decode = (name: string): string => {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
};

/** Masks every secret by the name it appears under. Done before a pasted text is shown or stored anywhere. */
export function maskSecretsIn(text: string): string {
  return text
    .replace(element, (whole, prefix: string, name: string, attributes: string | undefined, value: string) =>
      namesSecret(name) ? `<${prefix}${name}${attributes ?? ''}>${maskSecret(value.trim())}</${prefix}${name}>` : whole,
    )
    .replace(parameter, (whole, before: string, name: string, value: string) =>
      namesSecret(decode(name)) ? `${before}${name}=${maskSecret(value)}` : whole,
    )
    .replace(pair, (whole, quote: string, name: string, between: string, open: string, value: string) =>
      namesSecret(name) ? `${quote}${name}${quote}${between}${open}${maskSecret(value)}${open}` : whole,
    );
}
