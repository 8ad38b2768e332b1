import type { Result } from '../../../../shared/result.ts';
import { ok } from '../../../../shared/result.ts';
import type { XmlElement } from './element.ts';
import { parseXml } from './parse.ts';

/** An element with its namespace resolved, for documents in which prefixes matter. */
export interface NamedElement {
  local: string;
  namespace: string;
  attributes: Readonly<Record<string, string>>;
  children: NamedElement[];
  text: string;
  /** Prefixes in force here, the default one under the empty text. */
  scope: ReadonlyMap<string, string>;
}

export interface QualifiedName {
  namespace: string;
  local: string;
}

const predeclared: ReadonlyMap<string, string> = new Map([['xml', 'http://www.w3.org/XML/1998/namespace']]);

function scopeOf(element: XmlElement, outer: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  let scope: Map<string, string> | undefined;
  for (const [name, value] of Object.entries(element.attributes)) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue;
    scope ??= new Map(outer);
    scope.set(name.slice(6), value.trim());
  }
  return scope ?? outer;
}

function resolve(scope: ReadonlyMap<string, string>, name: string): QualifiedName {
  const colon = name.indexOf(':');
  const prefix = colon === -1 ? '' : name.slice(0, colon);
  return { namespace: scope.get(prefix) ?? '', local: colon === -1 ? name : name.slice(colon + 1) };
}

function nameElement(element: XmlElement, outer: ReadonlyMap<string, string>): NamedElement {
  const scope = scopeOf(element, outer);
  const { namespace, local } = resolve(scope, element.name);
  return {
    local,
    namespace,
    attributes: element.attributes,
    children: element.children.map((child) => nameElement(child, scope)),
    text: element.text,
    scope,
  };
}

/** The root of a document, each element with its namespace. Errors as `parseXml`. */
export function parseNamed(text: string): Result<NamedElement> {
  const root = parseXml(text, { keepPrefixes: true });
  return root.ok ? ok(nameElement(root.value, predeclared)) : root;
}

/** What a `prefix:name` in an attribute value means at its position. */
export function resolveName(element: NamedElement, value: string): QualifiedName {
  return resolve(element.scope, value.trim());
}

export function childrenNamed(element: NamedElement | undefined, namespace: string, local: string): NamedElement[] {
  return element?.children.filter((child) => child.local === local && child.namespace === namespace) ?? [];
}

export const keyOf = ({ namespace, local }: QualifiedName): string => `{${namespace}}${local}`;
