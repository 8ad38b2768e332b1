import { type X2jOptions, XMLParser } from 'fast-xml-parser';
import { appError } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import {
  decodeReferences,
  guardName,
  type NamespaceScope,
  nameAttribute,
  noAttributes,
  noNamespaces,
  type XmlElement,
} from './element.ts';
import { findXmlProblem } from './guard.ts';
import { readPlainXml } from './plain.ts';

/** The form in which fast-xml-parser asks for a decoder of references. */
const entityDecoder = {
  setExternalEntities: () => {},
  addInputEntities: () => {},
  setXmlVersion: () => {},
  reset: () => {},
  decode: decodeReferences,
};

/** Pinned: each default that coerces, trims, drops or guesses is off. */
const pinned: X2jOptions = {
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: true,
  entityDecoder,
  ignoreDeclaration: true,
  ignorePiTags: true,
  maxNestedTags: 512,
  jPath: false,
  onDangerousProperty: (name: string) => name,
};

const parser = new XMLParser({ ...pinned, removeNSPrefix: false });

type OrderedNode = Readonly<Record<string, unknown>>;

function toElement(name: string, children: readonly OrderedNode[], attributes: unknown): XmlElement {
  const element: XmlElement = {
    name,
    attributes: attributes === undefined ? noAttributes : (attributes as Record<string, string>),
    children: [],
    text: '',
  };
  for (const node of children) {
    for (const key in node) {
      if (key === ':@') continue;
      if (key === '#text') element.text += node[key] as string;
      else element.children.push(toElement(key, node[key] as OrderedNode[], node[':@']));
      break;
    }
  }
  return element;
}

/** The same with local names and namespaces in place of prefixes; the declarations are removed from the attributes. */
function resolveNames(element: XmlElement, outer: NamespaceScope): XmlElement {
  let scope = outer;
  let attributes: Record<string, string> | undefined;
  for (const [name, value] of Object.entries(element.attributes)) {
    const parts = name.split(':');
    if (parts[0] === 'xmlns') scope = Object.assign(Object.create(null), scope, { [parts[1] ?? '']: value });
    else {
      attributes ??= {};
      attributes[nameAttribute(name)] = value;
    }
  }
  const colon = element.name.indexOf(':');
  const namespace = scope[colon === -1 ? '' : element.name.slice(0, colon)];
  return {
    name: guardName(element.name.slice(colon + 1)),
    ...(namespace === undefined ? {} : { namespace }),
    attributes: attributes ?? noAttributes,
    children: element.children.map((child) => resolveNames(child, scope)),
    text: element.text,
  };
}

/**
 * Longer answers, in characters, bypass fast-xml-parser if `readPlainXml` can parse them: it takes a sixth of the time for 10,000 records
 * (test/bench). They are always parsed in the worker, whose threshold is lower.
 */
export const longestOrdinary = 256 * 1024;

export interface ParseOptions {
  /** Keeps `prefix:name` and the `xmlns` attributes, for reading descriptions. */
  keepPrefixes?: boolean;
}

/** The root element of a text. `unsafe-answer` for what is refused for safety, `unreadable-answer` if it is not well formed. */
export function parseXml(text: string, options: ParseOptions = {}): Result<XmlElement> {
  const problem = findXmlProblem(text);
  if (problem) {
    return fail(
      appError(problem.kind === 'unsafe' ? 'unsafe-answer' : 'unreadable-answer', { detail: problem.detail }),
    );
  }
  try {
    const plain = options.keepPrefixes || text.length <= longestOrdinary ? undefined : readPlainXml(text);
    if (plain) return ok(plain);
    const root = toElement('', parser.parse(text) as OrderedNode[], undefined).children[0];
    return root
      ? ok(options.keepPrefixes ? root : resolveNames(root, noNamespaces))
      : fail(appError('unreadable-answer', { detail: 'There is no document.' }));
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return fail(appError(detail.startsWith('[SECURITY]') ? 'unsafe-answer' : 'unreadable-answer', { detail }));
  }
}
