import type {
  DescribedElement,
  DescribedType,
  DescriptionNote,
} from '../../../../shared/domain/service-description.ts';
import { keyOf, type NamedElement, type QualifiedName, resolveName } from '../xml/names.ts';

export const schemaNamespace = 'http://www.w3.org/2001/XMLSchema';

interface Schema {
  targetNamespace: string;
  qualified: boolean;
}

interface Global {
  element: NamedElement;
  schema: Schema;
}

/** Content of a type: its members, or a plain text of a built-in type. */
interface Content {
  fields: DescribedElement[];
  any: boolean;
  simple?: string;
}

/** A description of the family has about two thousand elements. What is kept is parsed again for each call, so it stays small. */
const elementBudget = 20_000;
/** Types met while parsing others. A chain longer than the stack must not be what ends the parsing. */
const deepestType = 200;
const mostNotes = 200;

const groups: ReadonlySet<string> = new Set(['sequence', 'all', 'choice']);

const occurs = (element: NamedElement): { min: number; max: number | null } => {
  const { minOccurs, maxOccurs } = element.attributes;
  const min = /^\d{1,9}$/.test(minOccurs ?? '') ? Number(minOccurs) : 1;
  if (maxOccurs === 'unbounded') return { min, max: null };
  return { min, max: /^\d{1,9}$/.test(maxOccurs ?? '') ? Number(maxOccurs) : Math.max(1, min) };
};

/**
 * All schemas of a description, read on demand. Whatever is not found or not understood is noted and does not stop the rest. Reading throws
 * a RangeError if the description unfolds into more than its budget; `readDescriptionText` turns that into 'unsafe-answer'.
 */
export class SchemaSet {
  readonly types = new Map<string, DescribedType>();
  /** Namespaces that `any` elements name. */
  readonly anyNamespaces: string[] = [];
  private readonly globals = new Map<string, Global>();
  private readonly inProgress = new Set<string>();
  private budget = elementBudget;
  private readonly weights = new WeakMap<DescribedElement, number>();
  private readonly targetNamespace: string;
  private readonly notes: DescriptionNote[];

  constructor(targetNamespace: string, notes: DescriptionNote[]) {
    this.targetNamespace = targetNamespace;
    this.notes = notes;
  }

  /** `adopted`: the namespace of the including schema, for one that names none itself. */
  add(schema: NamedElement, adopted: string): void {
    const targetNamespace = schema.attributes.targetNamespace?.trim() ?? adopted;
    const own: Schema = { targetNamespace, qualified: schema.attributes.elementFormDefault === 'qualified' };
    for (const element of schema.children) {
      const local = element.attributes.name;
      if (element.namespace !== schemaNamespace || local === undefined) continue;
      const kind = element.local === 'complexType' || element.local === 'simpleType' ? 'type' : element.local;
      const key = kind + keyOf({ namespace: targetNamespace, local });
      if (!this.globals.has(key)) this.globals.set(key, { element, schema: own });
    }
  }

  /** The members of a global element's type, or undefined if there is no such element. */
  readGlobalElement(name: QualifiedName): Content | undefined {
    const found = this.globals.get(`element${keyOf(name)}`);
    return found && this.readElementContent(found.element, found.schema);
  }

  /** References may multiply what a short text describes, like an entity bomb; beyond the budget parsing ends. */
  private spend(elements: number): void {
    this.budget -= elements;
    if (this.budget < 0) throw new RangeError('The description unfolds into too many elements.');
  }

  /** An element with everything inside it; a type that extends another repeats its members. */
  private weigh(element: DescribedElement): number {
    let weight = this.weights.get(element);
    if (weight === undefined) {
      weight = (element.fields ?? []).reduce((sum, field) => sum + this.weigh(field), 1);
      this.weights.set(element, weight);
    }
    return weight;
  }

  private note(kind: DescriptionNote['kind'], subject: string, detail: string): void {
    if (this.notes.length >= mostNotes) return;
    if (!this.notes.some((note) => note.kind === kind && note.subject === subject))
      this.notes.push({ kind, subject, detail });
  }

  private typeKey({ namespace, local }: QualifiedName): string {
    return namespace === this.targetNamespace ? local : `{${namespace}}${local}`;
  }

  private readElementContent(element: NamedElement, schema: Schema): Content {
    const inline = element.children.find((child) => child.local === 'complexType' || child.local === 'simpleType');
    if (inline) return inline.local === 'simpleType' ? this.readSimple(inline) : this.readComplex(inline, schema);
    const type = element.attributes.type;
    if (type === undefined) return { fields: [], any: false };
    const key = this.readTypeReference(resolveName(element, type));
    const named = this.types.get(key);
    return named ? { fields: named.fields, any: named.any } : { fields: [], any: false, simple: key };
  }

  /** A built-in type's local name, or the key under `types`; named simple types become what they restrict. */
  private readTypeReference(name: QualifiedName): string {
    if (name.namespace === schemaNamespace) return name.local;
    const key = this.typeKey(name);
    if (this.types.has(key)) return key;
    const found = this.globals.get(`type${keyOf(name)}`);
    if (!found) {
      this.note('unresolved', name.local, `The type ${name.local} is not in the description.`);
      return '';
    }
    if (this.inProgress.has(key)) return key;
    if (this.inProgress.size >= deepestType) throw new RangeError('The types of the description are nested too deep.');
    this.inProgress.add(key);
    const content =
      found.element.local === 'simpleType'
        ? this.readSimple(found.element)
        : this.readNamedComplex(key, name.local, found);
    this.inProgress.delete(key);
    return content.simple ?? key;
  }

  private readNamedComplex(key: string, name: string, { element, schema }: Global): Content {
    const type: DescribedType = { name, fields: [], any: false };
    // Entered before its members are read: a type may contain itself.
    this.types.set(key, type);
    const content = this.readComplex(element, schema);
    if (content.simple !== undefined) this.types.delete(key);
    type.fields = content.fields;
    type.any = content.any;
    return content;
  }

  private readSimple(type: NamedElement): Content {
    const restriction = type.children.find((child) => child.local === 'restriction');
    const base = restriction?.attributes.base;
    const simple =
      restriction && base !== undefined ? this.readTypeReference(resolveName(restriction, base)) : 'string';
    return { fields: [], any: false, simple: this.types.has(simple) ? 'string' : simple };
  }

  private readComplex(type: NamedElement, schema: Schema): Content {
    const content: Content = { fields: [], any: false };
    for (const part of type.children) {
      if (part.local === 'simpleContent') return { ...content, simple: 'string' };
      if (part.local === 'complexContent') this.readDerived(part, schema, content);
      else this.readParticle(part, schema, content, { min: 1, max: 1 });
    }
    return content;
  }

  private readDerived(complexContent: NamedElement, schema: Schema, content: Content): void {
    for (const derivation of complexContent.children) {
      const base = derivation.attributes.base;
      if (derivation.local === 'extension' && base !== undefined) {
        const name = resolveName(derivation, base);
        const key = this.readTypeReference(name);
        const type = this.types.get(key);
        for (const field of type?.fields ?? []) {
          this.spend(this.weigh(field));
          content.fields.push(field);
        }
        content.any ||= type?.any ?? false;
      }
      for (const part of derivation.children) this.readParticle(part, schema, content, { min: 1, max: 1 });
    }
  }

  private readParticle(
    part: NamedElement,
    schema: Schema,
    content: Content,
    outer: { min: number; max: number | null },
  ): void {
    if (part.namespace !== schemaNamespace) return;
    this.spend(1);
    const own = occurs(part);
    const max = outer.max === null || own.max === null ? null : outer.max * own.max;
    const within = { min: part.local === 'choice' ? 0 : Math.min(outer.min, own.min), max };
    if (groups.has(part.local)) {
      for (const child of part.children) this.readParticle(child, schema, content, within);
    } else if (part.local === 'group' && part.attributes.ref !== undefined) {
      this.readGroup(part, content, within);
    } else if (part.local === 'any') {
      content.any = true;
      const namespace = part.attributes.namespace?.trim() ?? '';
      if (namespace !== '' && !namespace.startsWith('##')) this.anyNamespaces.push(namespace.split(/\s+/)[0] as string);
    } else if (part.local === 'element') {
      const described = this.readElement(part, schema, outer.min === 0 ? 0 : own.min, max, content);
      if (described) content.fields.push(described);
    }
  }

  private readGroup(part: NamedElement, content: Content, within: { min: number; max: number | null }): void {
    const name = resolveName(part, part.attributes.ref as string);
    const key = `group${keyOf(name)}`;
    const found = this.globals.get(key);
    if (!found || this.inProgress.has(key)) {
      this.note('unresolved', name.local, `The group ${name.local} is not in the description.`);
      return;
    }
    this.inProgress.add(key);
    for (const child of found.element.children) this.readParticle(child, found.schema, content, within);
    this.inProgress.delete(key);
  }

  private readElement(
    element: NamedElement,
    schema: Schema,
    minOccurs: number,
    maxOccurs: number | null,
    owner: Content,
  ): DescribedElement | undefined {
    const { ref, name } = element.attributes;
    if (ref !== undefined) {
      const target = resolveName(element, ref);
      if (target.namespace === schemaNamespace) {
        // A data set that includes its schema: `ref="s:schema"`.
        owner.any = true;
        return undefined;
      }
      const found = this.globals.get(`element${keyOf(target)}`);
      if (!found) this.note('unresolved', target.local, `The element ${target.local} is not in the description.`);
      return this.describe(found?.element ?? element, found?.schema ?? schema, target, minOccurs, maxOccurs);
    }
    if (name === undefined) return undefined;
    const form = element.attributes.form ?? (schema.qualified ? 'qualified' : 'unqualified');
    const namespace = form === 'qualified' ? schema.targetNamespace : '';
    return this.describe(element, schema, { namespace, local: name }, minOccurs, maxOccurs);
  }

  private describe(
    element: NamedElement,
    schema: Schema,
    { namespace, local }: QualifiedName,
    minOccurs: number,
    maxOccurs: number | null,
  ): DescribedElement {
    const inline = element.children.find((child) => child.local === 'complexType' || child.local === 'simpleType');
    const described: DescribedElement = {
      name: local,
      type: '',
      minOccurs,
      maxOccurs,
      nillable: ['true', '1'].includes(element.attributes.nillable ?? ''),
      namespace,
    };
    if (inline) {
      const content = this.enter(element, () => this.readElementContent(element, schema));
      if (content?.simple !== undefined) described.type = content.simple;
      else described.fields = content?.fields ?? [];
      if (content?.any) described.any = true;
    } else if (element.attributes.type !== undefined) {
      described.type = this.readTypeReference(resolveName(element, element.attributes.type));
    }
    return described;
  }

  private readonly entered = new Set<NamedElement>();

  /** Global elements with anonymous types may refer to themselves through `ref`. */
  private enter<T>(element: NamedElement, read: () => T): T | undefined {
    if (this.entered.has(element)) return undefined;
    this.entered.add(element);
    try {
      return read();
    } finally {
      this.entered.delete(element);
    }
  }
}
