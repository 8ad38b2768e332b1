import { type X2jOptions, XMLParser } from 'fast-xml-parser';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { decodeReferences, noAttributes, type XmlElement } from './xml-element.ts';
import { answerLimits, findXmlProblem, type XmlLimits } from './xml-guard.ts';
import { readPlainXml } from './xml-plain.ts';

/** The form in which fast-xml-parser asks for a decoder of references. */
const entityDecoder = {
  setExternalEntities: () => {},
  addInputEntities: () => {},
  setXmlVersion: () => {},
  reset: () => {},
  decode: decodeReferences,
};

/** Pinned: each default that coerces, trims, drops or guesses is off (design/architecture.md, Decisions). */
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

const withoutPrefixes = new XMLParser({ ...pinned, removeNSPrefix: true });
const withPrefixes = new XMLParser({ ...pinned, removeNSPrefix: false });

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

export interface ParseOptions {
  /** Keeps `prefix:name` and the `xmlns` attributes, for reading descriptions. */
  keepPrefixes?: boolean;
  limits?: XmlLimits;
}

/** The root element of a text. `unsafe-answer` for what is refused for safety, `unreadable-answer` where it is not well formed. */
export function parseXml(text: string, options: ParseOptions = {}): Result<XmlElement> {
  const problem = findXmlProblem(text, options.limits ?? answerLimits);
  if (problem) {
    return fail(
      appError(problem.kind === 'unsafe' ? 'unsafe-answer' : 'unreadable-answer', { detail: problem.detail }),
    );
  }
  try {
    const plain = options.keepPrefixes ? undefined : readPlainXml(text);
    if (plain) return ok(plain);
    const ordered = (options.keepPrefixes ? withPrefixes : withoutPrefixes).parse(text) as OrderedNode[];
    const root = toElement('', ordered, undefined).children[0];
    return root ? ok(root) : fail(appError('unreadable-answer', { detail: 'There is no document.' }));
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return fail(appError(detail.startsWith('[SECURITY]') ? 'unsafe-answer' : 'unreadable-answer', { detail }));
  }
}
