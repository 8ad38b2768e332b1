import { type RecordName, records } from '../../../../shared/catalogue/records.ts';
import type { RecordDef, RecordField } from '../../../../shared/catalogue/types.ts';
import { isSecretField } from '../../../../shared/secret-fields.ts';
import { hasNestingReference } from '../../transport/redact/redact-fields.ts';
import { decodeReferences } from '../xml/element.ts';
import { booleans, type FoldedRecord } from './fold.ts';

/** How the records of one answer are written, as regular expressions: a single match recognises a whole record and where it ends. */
export interface RecordPattern {
  /** Matches one record at its position; captures nothing. */
  whole: RegExp;
  /** Where a record of the pattern begins. */
  begins: string;
  /** A record of the pattern that contains this text. */
  write(text: string): string;
  /** Of a record written by `write`: its text. */
  textOf(record: FoldedRecord): unknown;
  /** The record that begins there, which `whole` has matched. */
  read(text: string, from: number): FoldedRecord;
  /** No element of it has the name of a secret. */
  isPlain: boolean;
}

interface Member {
  field: RecordField;
  /** As written, with its prefix. */
  tag: string;
}

/** Of the text in which its first record begins. */
const longestHead = 64 * 1024;

const localName = (tag: string): string => tag.slice(tag.indexOf(':') + 1);
const escapeSource = (text: string): string => text.replace(/[^\w:]/g, '\\$&');
const isTagName = /^[\w:.-]+$/;

/** A content with no reference except a plain `&amp;`. */
const withoutNesting = '[^<"=%\\\\\\r&]*(?:&amp;(?!#|[a-zA-Z]{2,4};)[^<"=%\\\\\\r&]*)*';

const contents: Readonly<Record<Exclude<RecordField['type'], 'string'>, string>> = {
  boolean: '[Tt]rue|[Ff]alse|[01]',
  integer: '[+-]?\\d{1,15}',
};

/**
 * The fields in the order in which the first record has them; one that it lacks goes after its neighbour in the catalogue, since an empty
 * field may not be sent. Undefined: a field occurs twice, or contains elements.
 */
function membersOf(def: RecordDef, first: string, prefix: string): Member[] | undefined {
  const known = new Map(def.fields.map((field) => [field.name, field]));
  const members: Member[] = [];
  for (const [, tag = ''] of first.matchAll(/<([^\s/<>]+)/g)) {
    const field = known.get(localName(tag));
    if (!field || !isTagName.test(tag)) return undefined;
    known.delete(field.name);
    members.push({ field, tag });
  }
  def.fields.forEach((field, index) => {
    if (!known.has(field.name)) return;
    const before = def.fields[index - 1];
    members.splice(members.findIndex((member) => member.field === before) + 1, 0, { field, tag: prefix + field.name });
  });
  return members;
}

/**
 * One field: left out, empty, nil or with a content. A content excludes whatever would have to be processed further: line ends to be
 * normalised, and anything with which a secret or its field name could be written inside a text (`maskSecretFields`).
 */
function writeMember({ field, tag }: Member, gap: string, text: string): { whole: string; taken: string } {
  const content = field.type === 'string' ? text : contents[field.type];
  const forms = [
    ...(field.type === 'string' ? [' ?'] : []),
    ...(field.required ? [] : [' (?:xsi|i):nil="(?:true|1)" ?']),
  ];
  // A field that cannot match keeps its place among the captures.
  const form = forms.length === 0 ? '(?!)' : forms.join('|');
  const one = (open: string) =>
    `(?:<${escapeSource(tag)}(?:>${open}${content})</${escapeSource(tag)}>|${open}${form})/>)${gap})?`;
  return { whole: one('(?:'), taken: one('(') };
}

/** `content`, or without one `form`: the text between the name and the end of the tag; neither: it was not sent. */
function readMember({ type }: RecordField, content: string | undefined, form: string | undefined): unknown {
  if (content === undefined) return form === undefined ? undefined : form.length > 1 ? null : '';
  if (type === 'string') return decodeReferences(content);
  return type === 'boolean' ? booleans[content.toLowerCase()] : Number(content);
}

/**
 * The pattern of the records of a list, learnt from the first one: the order of its fields, prefixes, line breaks. Undefined if that one is
 * written differently: with attributes, with elements that no definition knows, or with one inside another.
 */
export function learnPattern(name: RecordName, text: string): RecordPattern | undefined {
  const def: RecordDef = records[name];
  if (def.listOf !== undefined) return undefined;
  const begin = new RegExp(`<((?:[\\w.-]+:)?)${name}>`).exec(text.slice(0, longestHead));
  const end = begin ? text.indexOf(`</${begin[1]}${name}>`, begin.index) : -1;
  if (!begin || end === -1) return undefined;
  const [begins, prefix = ''] = begin;
  const first = text.slice(begin.index + begins.length, end);
  const gap = /(?:^|>)\s+</.test(first) ? '\\s*' : '';
  const members = membersOf(def, first.replace(/<\/[^>]*>/g, ''), /<([\w.-]+:)/.exec(first)?.[1] ?? prefix);
  const carrier = members?.find(({ field }) => field.type === 'string');
  if (!members || !carrier) return undefined;
  const content = hasNestingReference(text) ? withoutNesting : '[^<"=%\\\\\\r]*';
  const written = members.map((member) => writeMember(member, gap, content));
  const close = `</${escapeSource(prefix + name)}>${gap}`;
  const whole = new RegExp(`${escapeSource(begins)}${gap}${written.map((one) => one.whole).join('')}${close}`, 'y');
  const taken = new RegExp(`${escapeSource(begins)}${gap}${written.map((one) => one.taken).join('')}${close}`, 'y');
  const fields = members.map(({ field }) => field);
  const required = fields.filter((field) => field.required);
  return {
    whole,
    begins,
    isPlain: fields.every(({ name: of }) => !isSecretField(of)),
    write: (mark) => `${begins}<${carrier.tag}>${mark}</${carrier.tag}></${prefix}${name}>`,
    textOf: (record) => record[carrier.field.name],
    read(source, from) {
      taken.lastIndex = from;
      const found = taken.exec(source) ?? [];
      const record: FoldedRecord = {};
      for (let index = 0; index < fields.length; index += 1) {
        const field = fields[index] as RecordField;
        const value = readMember(field, found[2 * index + 1], found[2 * index + 2]);
        if (value !== undefined) record[field.name] = value;
      }
      for (const field of required)
        if (!Object.hasOwn(record, field.name)) record[field.name] = field.type === 'boolean' ? false : null;
      return record;
    },
  };
}
