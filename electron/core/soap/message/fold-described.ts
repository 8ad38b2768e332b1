import type { DescribedElement, ServiceDescription } from '../../../../shared/domain/service-description.ts';
import { isNil, type XmlElement } from '../xml/element.ts';
import { foldGeneric, type GenericValue } from './fold.ts';

type Types = ServiceDescription['types'];

/** Members of an element's type: its own, or those of the named type it refers to. */
function membersOf(definition: DescribedElement, types: Types): readonly DescribedElement[] {
  return definition.fields ?? (Object.hasOwn(types, definition.type) ? (types[definition.type]?.fields ?? []) : []);
}

const byName = new WeakMap<readonly DescribedElement[], ReadonlyMap<string, DescribedElement>>();

/** Built once per type: an answer has it a hundred thousand times. */
function namedMembers(members: readonly DescribedElement[]): ReadonlyMap<string, DescribedElement> {
  let named = byName.get(members);
  if (named === undefined) {
    named = new Map(members.map((member) => [member.name, member]));
    byName.set(members, named);
  }
  return named;
}

/**
 * Folds an element by its description: what may repeat is always an array, all text stays text, and what it does not mention is kept as it
 * is. Without a definition all is kept as it is.
 */
export function foldDescribed(
  element: XmlElement,
  definition: DescribedElement | undefined,
  types: Types,
): GenericValue {
  if (definition === undefined || isNil(element)) return foldGeneric(element);
  const members = namedMembers(membersOf(definition, types));
  // A text in place of a structure is kept as well.
  if (members.size === 0 || (element.children.length === 0 && element.text.trim() !== '')) return foldGeneric(element);
  const value = new Map<string, GenericValue>();
  for (const [name, member] of members) if (member.maxOccurs !== 1) value.set(name, []);
  for (const child of element.children) {
    const folded = foldDescribed(child, members.get(child.name), types);
    const existing = value.get(child.name);
    if (Array.isArray(existing)) {
      if (folded !== null) existing.push(folded);
    } else value.set(child.name, existing === undefined ? folded : [existing, folded]);
  }
  return Object.fromEntries(value);
}
