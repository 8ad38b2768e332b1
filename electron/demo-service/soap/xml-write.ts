/**
 * The service's own XML writer. It shares no code with the client's encoder and decoder, so that a
 * mistake about XML cannot go unnoticed by being made at both ends.
 */

/** Characters to escape: markup, a carriage return (a reader would turn it into a line feed), and those that XML 1.0 does not allow. */
const special = /[&<>"]|[^\t\n\u0020-\uFFFD]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

const named: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#xD;',
};

/** Escapes text for element content or a double-quoted attribute. Characters that XML 1.0 does not allow become U+FFFD. */
export function escapeXml(value: string): string {
  return value.replace(special, (character) => named[character] ?? '\uFFFD');
}

/** An element with text, or an empty element for '' (field notes: a successful answer has empty elements). */
export function textElement(name: string, value: string): string {
  return value === '' ? `<${name} />` : `<${name}>${escapeXml(value)}</${name}>`;
}

/** Attributes from pairs, without those that are undefined. */
export function attributes(values: Readonly<Record<string, string | undefined>>): string {
  let written = '';
  for (const [name, value] of Object.entries(values))
    if (value !== undefined) written += ` ${name}="${escapeXml(value)}"`;
  return written;
}

/** An element around content that is already XML. */
export function element(
  name: string,
  content: string,
  values: Readonly<Record<string, string | undefined>> = {},
): string {
  const opening = `<${name}${attributes(values)}`;
  return content === '' ? `${opening} />` : `${opening}>${content}</${name}>`;
}
