import {
  isSecretField,
  maskSecret,
  secretAnswerFields,
  secretRequestFields,
} from '../../../../shared/secret-fields.ts';
import { mayHoldPercentFields, percentPatterns } from './percent-fields.ts';

/** Which list of shared/secret-fields.ts counts; the pattern of the map key field always does. */
export type Direction = 'request' | 'answer' | 'both';

const alreadyMasked = /^••••.{0,4}$/u;

/** Last four only if the text is the value itself, not an encoding of it. */
function maskValue(value: string): string {
  const trimmed = value.trim();
  if (trimmed === '' || alreadyMasked.test(trimmed)) return value;
  return /^[\w.{}-]+$/.test(trimmed) ? maskSecret(trimmed) : '••••';
}

/** A `"` or `'`, a `<` and a `>` as a text inside another text writes them: in XML, even several levels deep, and in JSON. */
const escapes = {
  quote: `(?:&(?:amp;){0,4}(?:quot|apos|#0{0,8}3[49]|#x0{0,8}2[27]);|\\\\{1,8}(?:"|u002[27]))`,
  xml: {
    open: '&(?:amp;){0,4}(?:lt|#0{0,8}60|#x0{0,8}3c);',
    close: '&(?:amp;){0,4}(?:gt|#0{0,8}62|#x0{0,8}3e);',
  },
  json: { open: '\\\\{1,8}u003c', close: '\\\\{1,8}u003e' },
} as const;

/**
 * Whether a reference could write one of them: without any, a text of XML can name a secret's field only with `"`, `=`, `%` or a
 * backslash. A plain `&amp;`, as in “Smith &amp; Sons”, is none.
 */
export function hasNestingReference(text: string): boolean {
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) {
    nesting.lastIndex = at;
    if (nesting.test(text)) return true;
  }
  return false;
}
const nesting = /&(?!amp;(?!#|[a-z]{2,4};))/iy;

interface FieldPatterns {
  /** Matches wherever any of the others can: a single test spares a text without such a name all of them. */
  anyName: RegExp;
  json: RegExp;
  nestedJson: RegExp;
  bareJson: RegExp;
  element: RegExp;
  escapedElement: RegExp;
  elementInJson: RegExp;
  attribute: RegExp;
  escapedAttribute: RegExp;
  parameter: RegExp;
  percent: readonly RegExp[];
}

/** From a beginning to its end, or to the end of a text that was cut off. */
const upTo = (begin: string, end: string): string => `${begin}(?:(?!${end})[\\s\\S])*(?:${end})?`;

/** Text, CDATA sections, and comments and instructions, across which a value may be split into pieces. */
const elementContent = `(?:${[
  upTo('<!\\[CDATA\\[', '\\]\\]>'),
  upTo('<!--', '-->'),
  upTo('<\\?', '\\?>'),
  '[^<]+',
].join('|')})+`;

function buildPatterns(fields: readonly string[]): FieldPatterns {
  const names = [...new Set(fields.map((field) => field.toLowerCase()))];
  const name = `(?:${names.join('|')}|s[a-z0-9]*key)`;
  const element = `((?:[\\w.-]+:)?${name})`;
  const { quote, xml, json } = escapes;
  const shortest = [...names, 'key'].filter(
    (one, _index, all) => !all.some((part) => part !== one && one.includes(part)),
  );
  const escapedElement = ({ open, close }: { open: string; close: string }, end: string) =>
    new RegExp(`(${open}${element}(?:\\s(?:(?!${open}|${close})[^<>])*)?${close})((?:(?!${open})[^<>${end}])+)`, 'gi');
  return {
    anyName: new RegExp([...new Set(shortest)].join('|'), 'i'),
    json: new RegExp(`("${name}"\\s{0,32}:\\s{0,32}")((?:[^"\\\\]|\\\\.)*)`, 'gi'),
    nestedJson: new RegExp(`((${quote})${name}\\2\\s{0,32}:\\s{0,32}\\2)((?:(?!\\2).)+)`, 'gi'),
    bareJson: new RegExp(`(("|${quote})${name}\\2\\s{0,32}:\\s{0,32})([^\\s"\\\\,{}\\[\\]&]+)`, 'gi'),
    element: new RegExp(`(<${element}(?:\\s[^<>]*)?>\\s{0,32})(${elementContent})`, 'gi'),
    escapedElement: escapedElement(xml, ''),
    // Beyond the end of the string it is in there is another value.
    elementInJson: escapedElement(json, '"'),
    attribute: new RegExp(`((?<![\\w.-])${name}\\s{0,32}=\\s{0,32})(?:"([^"<>]*)"|'([^'<>]*)')`, 'gi'),
    escapedAttribute: new RegExp(`((?<![\\w.-])${name}\\s{0,32}=\\s{0,32}(${quote}))((?:(?!\\2)[^<>])+)`, 'gi'),
    parameter: new RegExp(
      `((?:(?<![\\w.-])|(?<=%26|%3f))${name}(?:=|%3d))(?!\\\\{1,8}["u])((?:(?!%26)[^&\\s"'<>#])+)`,
      'gi',
    ),
    percent: percentPatterns(name),
  };
}

const fieldsOf: Readonly<Record<Direction, readonly string[]>> = {
  request: secretRequestFields,
  answer: secretAnswerFields,
  both: [...secretRequestFields, ...secretAnswerFields],
};
const built: Partial<Record<Direction, FieldPatterns>> = {};
/** Built when the first text is masked, which no start waits for. */
function patternsOf(direction: Direction): FieldPatterns {
  built[direction] ??= buildPatterns(fieldsOf[direction]);
  return built[direction];
}

/**
 * Masks values by the name of the field they are in: XML elements and attributes, JSON members, each also inside a text of XML or JSON and
 * percent-encoded, and query parameters. For values nobody knows, such as the GUID that a licence record returns.
 */
export function maskSecretFields(text: string, direction: Direction): string {
  const use = patternsOf(direction);
  if (!use.anyName.test(text)) return text;
  let result = text;
  const isEscaped = result.includes('&') || result.includes('\\');
  if (result.includes('"')) {
    result = result.replace(use.json, (_whole, head: string, value: string) => head + maskValue(value));
  }
  if (isEscaped) {
    result = result.replace(use.nestedJson, (_whole, head: string, _quote, value: string) => head + maskValue(value));
  }
  if (isEscaped || result.includes('"')) {
    result = result.replace(use.bareJson, (whole, head: string, quote: string, value: string) =>
      value === 'null' ? whole : head + quote + maskValue(value) + quote,
    );
  }
  if (result.includes('<')) {
    result = result.replace(use.element, (_whole, head: string, _name, value: string) => head + maskElement(value));
  }
  if (isEscaped) {
    for (const pattern of [use.escapedElement, use.elementInJson, use.escapedAttribute])
      result = result.replace(pattern, (_whole, head: string, _part, value: string) => head + maskValue(value));
  }
  if (result.includes('%') && mayHoldPercentFields(result)) {
    for (const pattern of use.percent)
      result = result.replace(pattern, (...found) => {
        const { head, value } = found.at(-1) as { head: string; value: string };
        return head + maskValue(value);
      });
  }
  if (result.includes('=') || result.includes('%3')) {
    result = result
      .replace(use.attribute, (_whole, head: string, double?: string, single?: string) =>
        double === undefined ? `${head}'${maskValue(single ?? '')}'` : `${head}"${maskValue(double)}"`,
      )
      .replace(use.parameter, (_whole, head: string, value: string) => head + maskValue(value));
  }
  return result;
}

function maskElement(content: string): string {
  const open = '<![CDATA[';
  // In pieces, the last four characters of one are not those of the value.
  if (content.lastIndexOf('<') > 0 || /^<[!?](?!\[)/.test(content)) return '••••';
  if (!content.startsWith(open)) return maskValue(content);
  // A section that was cut off is masked to the end of the text.
  return `${open}${maskValue(content.slice(open.length).replace(/\]\]>$/, ''))}]]>`;
}

/** Masks one value if its field name calls for it. */
export function maskByName(name: string, value: string): string {
  return isSecretField(name) && value !== '' ? maskSecret(value) : value;
}
