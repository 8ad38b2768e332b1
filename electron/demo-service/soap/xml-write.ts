/**
 * The service's own XML writer. The client's encoder and decoder come from another library and other hands, so that a
 * mistake about XML cannot pass by being made twice.
 */

/** What cannot stand as it is: markup, a carriage return (a reader would turn it into a line feed), and what XML 1.0 cannot carry. */
const special = /[&<>"]|[^\t\n\u0020-\uFFFD]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

const named: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#xD;',
};

/** Text for element content or a double-quoted attribute. What XML 1.0 cannot carry becomes U+FFFD. */
export function escapeXml(value: string): string {
  return value.replace(special, (character) => named[character] ?? '\uFFFD');
}

/** An element with text; an empty element where the text is empty (field notes: success sends empty elements). */
export function textElement(name: string, value: string): string {
  return value === '' ? `<${name} />` : `<${name}>${escapeXml(value)}</${name}>`;
}

/** Attributes from pairs; undefined ones are left out. */
export function attributes(values: Readonly<Record<string, string | undefined>>): string {
  let written = '';
  for (const [name, value] of Object.entries(values))
    if (value !== undefined) written += ` ${name}="${escapeXml(value)}"`;
  return written;
}

/** An element around content that is XML already. */
export function element(
  name: string,
  content: string,
  values: Readonly<Record<string, string | undefined>> = {},
): string {
  const opening = `<${name}${attributes(values)}`;
  return content === '' ? `${opening} />` : `${opening}>${content}</${name}>`;
}
