/** One element. Names keep their prefix only if `keepPrefixes` was requested. */
export interface XmlElement {
  name: string;
  /** Of the element's name; absent if names keep their prefix, or a prefix was never declared. Empty: none. */
  namespace?: string;
  attributes: Readonly<Record<string, string>>;
  children: XmlElement[];
  /** All text directly inside, unchanged: nothing trimmed, nothing coerced. */
  text: string;
}

export const noAttributes: Readonly<Record<string, string>> = Object.freeze({});

/** The namespaces in scope at an element, by prefix; '' is the default one. */
export type NamespaceScope = Readonly<Record<string, string>>;
export const noNamespaces: NamespaceScope = Object.freeze(Object.assign(Object.create(null), { '': '' }));

/** Names that must not become members of an object: fast-xml-parser refuses them too, and its message begins alike. */
const refusedNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** A name that may be a member of an object. Throws for one that may not; `parseXml` turns that into 'unsafe-answer'. */
export const guardName = (name: string): string => {
  if (refusedNames.has(name)) throw new Error(`[SECURITY] Invalid name: "${name}"`);
  return name;
};

/** `nil` of whatever prefix (`xsi:nil`); the others keep theirs: a data set's `diffgr:id` is not its row's `id`. Throws as `guardName`. */
export function nameAttribute(name: string): string {
  const local = guardName(name.slice(name.indexOf(':') + 1));
  return local === 'nil' ? local : name;
}

const predefined: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function decodeReference(whole: string, body: string): string {
  if (!body.startsWith('#')) return Object.hasOwn(predefined, body) ? (predefined[body] as string) : whole;
  const code = /^#x/i.test(body) ? Number.parseInt(body.slice(2), 16) : Number.parseInt(body.slice(1), 10);
  const possible = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return possible ? String.fromCodePoint(code) : whole;
}

/** The five predefined entities and numeric references; any other name stays as it was written. */
export function decodeReferences(text: string): string {
  return text.includes('&') ? text.replace(/&(#x[0-9a-f]{1,8}|#\d{1,8}|[a-z]{2,4});/gi, decodeReference) : text;
}

/** The first child of a local name. */
export function childOf(element: XmlElement, name: string): XmlElement | undefined {
  return element.children.find((child) => child.name === name);
}

/** The first element of a local name, at any depth, the element itself included. */
export function findElement(element: XmlElement, name: string): XmlElement | undefined {
  if (element.name === name) return element;
  for (const child of element.children) {
    const found = findElement(child, name);
    if (found) return found;
  }
  return undefined;
}

/** `xsi:nil`: sent as "no value". */
export function isNil(element: XmlElement): boolean {
  const nil = element.attributes.nil?.trim();
  return nil === 'true' || nil === '1';
}
