import { type RecordName, records } from '../../../../shared/catalogue/records.ts';
import type { RecordDef, RecordField } from '../../../../shared/catalogue/types.ts';
import { isNil, type XmlElement } from '../xml/element.ts';

/** A value decoded without a definition: text, nil, members by name, or several of them. */
export type GenericValue = string | null | GenericValue[] | { [name: string]: GenericValue };

/** An element that no definition knows, kept beside the value. `path` like `List[3].New_Field`. */
export interface UnknownElement {
  path: string;
  value: GenericValue;
}

export type FoldedRecord = Record<string, unknown>;

/** Lists of unknown elements, and elements within them, are cut here: the raw answer still has them all. */
const unknownLimit = 1000;
const unknownWithin = 10_000;

export const booleans: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

interface Shape {
  fields: ReadonlyMap<string, RecordField>;
  required: readonly RecordField[];
  child: RecordName | undefined;
}

const shapes = new Map<RecordName, Shape>();

function shapeOf(name: RecordName): Shape {
  let shape = shapes.get(name);
  if (!shape) {
    const def: RecordDef = records[name];
    shape = {
      fields: new Map(def.fields.map((field) => [field.name, field])),
      required: def.fields.filter((field) => field.required),
      child: def.listOf as RecordName | undefined,
    };
    shapes.set(name, shape);
  }
  return shape;
}

/** Any element by its structure alone: leaf text, members by local name, repeated members as an array. */
export function foldGeneric(element: XmlElement): GenericValue {
  if (isNil(element)) return null;
  if (element.children.length === 0) return element.text;
  const members = new Map<string, GenericValue>();
  const repeated = new Set<string>();
  for (const child of element.children) {
    const value = foldGeneric(child);
    const existing = members.get(child.name);
    if (existing === undefined) members.set(child.name, value);
    else if (repeated.has(child.name)) (existing as GenericValue[]).push(value);
    else {
      members.set(child.name, [existing, value]);
      repeated.add(child.name);
    }
  }
  return Object.fromEntries(members);
}

/** Elements in it, itself included; counting ends at the limit. */
export function countElements(element: XmlElement, limit: number): number {
  let count = 1;
  for (const child of element.children) {
    if (count > limit) break;
    count += countElements(child, limit - count);
  }
  return count;
}

/** Folds one result; `unknown` collects what the definition does not know. */
export class RecordFolder {
  readonly unknown: UnknownElement[] = [];
  private within = unknownWithin;

  private keep(path: string, element: XmlElement): void {
    if (this.unknown.length >= unknownLimit) return;
    this.within -= countElements(element, this.within);
    this.unknown.push({ path, value: this.within > 0 ? foldGeneric(element) : '…' });
  }

  /**
   * A record by its definition: strings as they came, absent where not sent, null where nil; required booleans that are not
   * sent are false; `List` is always an array.
   */
  fold(name: RecordName, element: XmlElement | undefined, path = ''): FoldedRecord {
    const shape = shapeOf(name);
    const record: FoldedRecord = {};
    const list: FoldedRecord[] = [];
    for (const child of element && !isNil(element) ? element.children : []) {
      const field = shape.fields.get(child.name);
      if (field && !Object.hasOwn(record, field.name) && (child.children.length === 0 || isNil(child))) {
        const value = this.readField(field, child);
        if (value !== undefined) {
          record[field.name] = value;
          continue;
        }
      } else if (shape.child && !field && this.addMembers(shape.child, child, list, path)) continue;
      this.keep(path + child.name, child);
    }
    for (const field of shape.required) {
      if (!Object.hasOwn(record, field.name)) record[field.name] = field.type === 'boolean' ? false : null;
    }
    if (shape.child) record.List = list;
    return record;
  }

  private readField(field: RecordField, element: XmlElement): unknown {
    if (isNil(element)) return field.required ? undefined : null;
    if (field.type === 'string') return element.text;
    const text = element.text.trim();
    if (field.type === 'boolean') return booleans[text.toLowerCase()];
    return /^[+-]?\d+$/.test(text) ? Number(text) : undefined;
  }

  /**
   * Members of a list in any of the family's forms: a wrapper `List` (or `ArrayOf…`) of records, records without a wrapper, or a `List` for
   * each record. Nil members are dropped. False: this element is no part of a list.
   */
  private addMembers(child: RecordName, element: XmlElement, list: FoldedRecord[], path: string): boolean {
    if (element.name === child || (element.name === 'List' && this.looksLike(child, element))) {
      if (!isNil(element)) list.push(this.fold(child, element, `${path}List[${list.length}].`));
      return true;
    }
    if (element.name !== 'List' && element.name !== `ArrayOf${child}`) return false;
    if (isNil(element)) return true;
    for (const member of element.children) {
      const known = this.addMembers(child, member, list, path);
      if (known) continue;
      if (isNil(member)) continue;
      if (this.looksLike(child, member)) list.push(this.fold(child, member, `${path}List[${list.length}].`));
      else this.keep(`${path}List.${member.name}`, member);
    }
    return true;
  }

  private looksLike(name: RecordName, element: XmlElement): boolean {
    const { fields } = shapeOf(name);
    return element.children.some((child) => child.children.length === 0 && fields.has(child.name));
  }
}
