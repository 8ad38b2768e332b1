/// <reference path="./sax.d.ts" />
import sax from 'sax';

export interface XmlElement {
  readonly name: string;
  readonly namespace: string;
  readonly attributes: readonly { readonly name: string; readonly namespace: string; readonly value: string }[];
  readonly children: XmlElement[];
  text: string;
}

/** The document is not XML, or XML that this service refuses; the message says why. */
export class XmlRefused extends Error {}

const deepest = 64;
/** Characters that XML 1.0 does not allow. */
const illegal = /[^\t\n\r\u0020-\uFFFD]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** Reads a whole document. Throws `XmlRefused` for a DOCTYPE, an unknown entity, an unbound prefix or a depth over 64. */
export function readXml(source: string): XmlElement {
  if (illegal.test(source)) throw new XmlRefused('The document holds a character that XML cannot carry.');
  const parser = sax.parser(true, { xmlns: true, position: false, strictEntities: true });
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  const addText = (text: string): void => {
    if (illegal.test(text)) throw new XmlRefused('The document refers to a character that XML cannot carry.');
    const current = open.at(-1);
    if (current) current.text += text;
  };
  parser.onerror = (error) => {
    throw new XmlRefused(error.message.split('\n')[0] ?? 'The document is not well-formed.');
  };
  parser.ondoctype = () => {
    throw new XmlRefused('For security reasons DTD is prohibited in this XML document.');
  };
  parser.onopentag = (tag) => {
    const made: XmlElement = {
      name: tag.local,
      namespace: tag.uri,
      attributes: Object.values(tag.attributes).map(({ local, uri, value }) => ({
        name: local,
        namespace: uri,
        value,
      })),
      children: [],
      text: '',
    };
    if (open.length >= deepest) throw new XmlRefused('The document is nested too deeply.');
    if (root && open.length === 0) throw new XmlRefused('There are multiple root elements.');
    open.at(-1)?.children.push(made);
    root ??= made;
    open.push(made);
  };
  parser.onclosetag = () => void open.pop();
  parser.ontext = addText;
  parser.oncdata = addText;
  // XML 1.0, section 2.11, makes every literal line end one line feed; sax leaves that to its caller.
  parser.write(source.replace(/\r\n?/g, '\n')).close();
  if (!root || open.length > 0) throw new XmlRefused('Root element is missing.');
  return root;
}

/** The first child with that name and namespace. */
export function childOf(parent: XmlElement, namespace: string, name: string): XmlElement | undefined {
  return parent.children.find((child) => child.name === name && child.namespace === namespace);
}

/** The value of an attribute, or undefined. */
export function attributeOf(of: XmlElement, namespace: string, name: string): string | undefined {
  return of.attributes.find((attribute) => attribute.name === name && attribute.namespace === namespace)?.value;
}
