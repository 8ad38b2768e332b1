import { type X2jOptions, XMLParser } from 'fast-xml-parser';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { answerLimits, findXmlProblem, type XmlLimits } from './xml-guard.ts';

/** One element. Names keep their prefix only where `keepPrefixes` was asked for. */
export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: XmlElement[];
  /** All text directly inside, as it stands: nothing trimmed, nothing coerced. */
  text: string;
}

const predefined: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function decodeReference(whole: string, body: string): string {
  if (!body.startsWith('#')) return Object.hasOwn(predefined, body) ? (predefined[body] as string) : whole;
  const code = /^#x/i.test(body) ? Number.parseInt(body.slice(2), 16) : Number.parseInt(body.slice(1), 10);
  const possible = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return possible ? String.fromCodePoint(code) : whole;
}

/** The five predefined entities and numeric references; any other name stays as it was written. */
const entityDecoder = {
  setExternalEntities: () => {},
  addInputEntities: () => {},
  setXmlVersion: () => {},
  reset: () => {},
  decode: (text: string) =>
    text.includes('&') ? text.replace(/&(#x[0-9a-f]{1,8}|#\d{1,8}|[a-z]{2,4});/gi, decodeReference) : text,
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

const noAttributes: Readonly<Record<string, string>> = Object.freeze({});

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
    const ordered = (options.keepPrefixes ? withPrefixes : withoutPrefixes).parse(text) as OrderedNode[];
    const root = toElement('', ordered, undefined).children[0];
    return root ? ok(root) : fail(appError('unreadable-answer', { detail: 'There is no document.' }));
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return fail(appError(detail.startsWith('[SECURITY]') ? 'unsafe-answer' : 'unreadable-answer', { detail }));
  }
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
