import { decodeReferences, noAttributes, type XmlElement } from './xml-element.ts';

/**
 * Names that fast-xml-parser refuses; its message begins alike, so that both readers end in 'unsafe-answer'.
 */
const refusedNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const attribute = /([^\s"'<>/=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const tagEnd = /[^"'>]*(?:(?:"[^"]*"|'[^']*')[^"'>]*)*>/y;

const guardName = (name: string): string => {
  if (refusedNames.has(name)) throw new Error(`[SECURITY] Invalid name: "${name}"`);
  return name;
};

function readAttributes(source: string): Readonly<Record<string, string>> {
  let found: Record<string, string> | undefined;
  for (const [, name = '', double, single] of source.matchAll(attribute)) {
    const parts = name.split(':');
    if (parts[0] === 'xmlns') continue;
    found ??= {};
    found[guardName(parts.length === 2 ? (parts[1] as string) : name)] = decodeReferences(double ?? single ?? '');
  }
  return found ?? noAttributes;
}

/**
 * The short way through answers as the family sends them: elements, attributes and text only. Undefined where there is a
 * comment, CDATA or a processing instruction: those go through fast-xml-parser, which takes six times as long for 10,000
 * records. Expects a text that `findXmlProblem` has passed; a test holds both readers to the same result.
 */
export function readPlainXml(text: string): XmlElement | undefined {
  let at = /^\uFEFF?(?:<\?xml\s[^?]*\?>)?/.exec(text)?.[0].length ?? 0;
  if (text.includes('<!') || text.indexOf('<?', at) !== -1) return undefined;
  const source = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  if (source !== text) at = /^\uFEFF?(?:<\?xml\s[^?]*\?>)?/.exec(source)?.[0].length ?? 0;
  const localNames = new Map<string, string>();
  const localName = (raw: string): string => {
    let local = localNames.get(raw);
    if (local === undefined) {
      local = guardName(raw.slice(raw.indexOf(':') + 1));
      localNames.set(raw, local);
    }
    return local;
  };

  const document: XmlElement = { name: '', attributes: noAttributes, children: [], text: '' };
  const open: XmlElement[] = [];
  let current = document;
  for (;;) {
    const start = source.indexOf('<', at);
    if (start === -1) return document.children[0];
    if (start > at) current.text += decodeReferences(source.slice(at, start));
    if (source.charCodeAt(start + 1) === 0x2f) {
      current = open.pop() ?? document;
      at = source.indexOf('>', start) + 1;
      continue;
    }
    at = source.indexOf('>', start) + 1;
    let tag = source.slice(start + 1, at - 1);
    let attributes = noAttributes;
    let selfClosing = false;
    if (!localNames.has(tag)) {
      // A `>` may stand in a quoted value.
      tagEnd.lastIndex = start + 1;
      tag = (tagEnd.exec(source)?.[0] ?? '>').slice(0, -1);
      at = start + 2 + tag.length;
      selfClosing = tag.endsWith('/');
      if (selfClosing) tag = tag.slice(0, -1);
      const space = tag.search(/\s/);
      if (space !== -1) {
        attributes = readAttributes(tag.slice(space));
        tag = tag.slice(0, space);
      }
    }
    const element: XmlElement = { name: localName(tag), attributes, children: [], text: '' };
    current.children.push(element);
    if (!selfClosing) {
      open.push(current);
      current = element;
    }
  }
}
