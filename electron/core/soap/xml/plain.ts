import {
  decodeReferences,
  guardName,
  type NamespaceScope,
  nameAttribute,
  noAttributes,
  noNamespaces,
  type XmlElement,
} from './element.ts';

const attribute = /([^\s"'<>/=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const tagEnd = /[^"'>]*(?:(?:"[^"]*"|'[^']*')[^"'>]*)*>/y;

interface Attributes {
  attributes: Readonly<Record<string, string>>;
  scope: NamespaceScope;
}

/** The attributes, and the scope with the namespaces declared among them. */
function readAttributes(source: string, outer: NamespaceScope): Attributes {
  let found: Record<string, string> | undefined;
  let scope = outer;
  for (const [, name = '', double, single] of source.matchAll(attribute)) {
    const parts = name.split(':');
    const value = decodeReferences(double ?? single ?? '');
    if (parts[0] === 'xmlns') {
      scope = Object.assign(Object.create(null), scope, { [parts[1] ?? '']: value });
      continue;
    }
    found ??= {};
    found[nameAttribute(name)] = value;
  }
  return { attributes: found ?? noAttributes, scope };
}

/**
 * The short way through long answers as the family sends them: elements, attributes and text only. Undefined if there is a comment, CDATA
 * or a processing instruction: those go through fast-xml-parser, as all ordinary answers do (parse.ts). Expects a text that
 * `findXmlProblem` has passed; a test holds both parsers to the same result.
 */
export function readPlainXml(text: string): XmlElement | undefined {
  let at = /^\uFEFF?(?:<\?xml\s[^?]*\?>)?/.exec(text)?.[0].length ?? 0;
  if (text.includes('<!') || text.indexOf('<?', at) !== -1) return undefined;
  const source = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  if (source !== text) at = /^\uFEFF?(?:<\?xml\s[^?]*\?>)?/.exec(source)?.[0].length ?? 0;
  const names = new Map<string, { local: string; prefix: string }>();
  const nameOf = (raw: string): { local: string; prefix: string } => {
    let name = names.get(raw);
    if (name === undefined) {
      const colon = raw.indexOf(':');
      name = { local: guardName(raw.slice(colon + 1)), prefix: colon === -1 ? '' : raw.slice(0, colon) };
      names.set(raw, name);
    }
    return name;
  };

  const document: XmlElement = { name: '', attributes: noAttributes, children: [], text: '' };
  const open: XmlElement[] = [];
  const scopes: NamespaceScope[] = [];
  let current = document;
  let scope = noNamespaces;
  for (;;) {
    const start = source.indexOf('<', at);
    if (start === -1) return document.children[0];
    if (start > at) current.text += decodeReferences(source.slice(at, start));
    if (source.charCodeAt(start + 1) === 0x2f) {
      current = open.pop() ?? document;
      scope = scopes.pop() ?? noNamespaces;
      at = source.indexOf('>', start) + 1;
      continue;
    }
    at = source.indexOf('>', start) + 1;
    let tag = source.slice(start + 1, at - 1);
    let own: Attributes = { attributes: noAttributes, scope };
    let selfClosing = false;
    if (!names.has(tag)) {
      // A `>` may stand in a quoted value.
      tagEnd.lastIndex = start + 1;
      tag = (tagEnd.exec(source)?.[0] ?? '>').slice(0, -1);
      at = start + 2 + tag.length;
      selfClosing = tag.endsWith('/');
      if (selfClosing) tag = tag.slice(0, -1);
      const space = tag.search(/\s/);
      if (space !== -1) {
        own = readAttributes(tag.slice(space), scope);
        tag = tag.slice(0, space);
      }
    }
    const { local, prefix } = nameOf(tag);
    const namespace = own.scope[prefix];
    const element: XmlElement = { name: local, attributes: own.attributes, children: [], text: '' };
    if (namespace !== undefined) element.namespace = namespace;
    current.children.push(element);
    if (!selfClosing) {
      open.push(current);
      scopes.push(scope);
      current = element;
      scope = own.scope;
    }
  }
}
