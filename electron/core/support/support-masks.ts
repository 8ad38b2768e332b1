import type { SupportMask } from '../../../shared/contract/support.ts';
import { maskGuids } from '../transport/redact/service-text.ts';

/** What is known of a call and its surroundings that may be masked. */
export interface MaskSubjects {
  masks: readonly SupportMask[];
  /** What was asked for: subjects of calls. */
  subjects: readonly string[];
  machines: readonly string[];
  people: readonly string[];
  /** Addresses of the connection. */
  addresses: readonly string[];
}

export interface Masker {
  /** A value that is an address, an identifier of one, or what was typed to find it. */
  subject(value: string): string;
  machine(name: string): string;
  person(name: string): string;
  balance(value: number | null): number | string | null;
  /** Free text: whatever is known is masked wherever it occurs in it. */
  text(value: string): string;
  url(address: string): string;
  /**
   * The body of a request or an answer: by its structure, with the values of fields masked except those that say nothing about an address.
   */
  body(text: string): string;
}

export const maskPattern = /\[masked: [^\]\n]*\]/g;
const mark = (what: string): string => `[masked: ${what}]`;
const lengthOf = (value: string | number): string => {
  const text = String(value);
  return /^\d+$/.test(text) ? `${text.length} digits` : `${text.length} characters`;
};

/** Fields of requests and answers that say how the call went, and nothing about an address. Compared ignoring case. */
const plainFields = new Set(
  [
    'IsError',
    'Return_Code',
    'ReturnCode',
    'status',
    'code',
    'error',
    'ErrorCode',
    'success',
    'count',
    'total',
    'maxresults',
    'truncated',
    'type',
    'kind',
    'faultcode',
    'version',
    'ServiceTestResult',
  ].map((name) => name.toLowerCase()),
);
/** Sentences of the service: kept if no address can be in them, with what is known masked. */
const sentences = new Set(['errormessage', 'message', 'faultstring', 'errordescription', 'reason']);
const plainNames = new Set('API GUID HTTP HTTPS ID IP REST SOAP UDPRN UPRN URL XML'.split(' '));

/** No digit, and no capital except at the start of a sentence: whatever a service quotes of its data has one or the other. */
const isPlain = (sentence: string): boolean =>
  !/\d/.test(sentence.replaceAll(maskPattern, '')) &&
  sentence
    .replaceAll(maskPattern, '')
    .split(/(?<=[.!?:]) +/)
    .every((part) => {
      const [, ...rest] = part.split(/[^\p{L}]+/u);
      return rest.every((word) => plainNames.has(word) || !/\p{Lu}/u.test(word));
    });
const figures = /credit|balance|used/i;
/** Fields that name a machine, which need not be known: one that was only typed stands in no list. */
const machineFields = /machine(?:name|id)?$/i;

/** Hosts of standards, which every SOAP message names, and what reads like a host. */
const standardHosts = new Set(['schemas.xmlsoap.org', 'www.w3.org', 'schemas.microsoft.com', 'tempuri.org', 'asp.net']);
/**
 * Names with dots as proxies and servers write them into headers and errors, with a port if there is one. Types of .NET and Java are none:
 * they end in a word with one capital.
 */
const dottedName =
  /(?<![\p{L}\p{N}_.\\-])(?<!(?<!\/)\/)((?:[A-Za-z\d-]+\.)+([a-z]{2,24}|[A-Z]{2,24}))(?::\d+)?(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}])/gu;
const fileEndings =
  /^(?:asmx|aspx|config|cs|csv|dll|exe|html?|java|js|json|log|pdf|php|svc|ts|tsv|txt|wsdl|xlsx?|xml|zip)$/i;
const postcode = /\b[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b/gi;
/** Identifiers of premises have at least five digits; times, prices and sizes do not appear so in a sentence. */
const longNumber = /(?<![\d.:,-])\d{5,}(?![\d:]|\.\d)/g;
const shortestName = 3;

/** Whole words of a list, the longest first; null: none. */
function wordsOf(list: readonly string[]): RegExp | null {
  const words = [...new Set(list.map((one) => one.trim()).filter((one) => one.length >= shortestName))];
  if (words.length === 0) return null;
  const longestFirst = words.sort((a, b) => b.length - a.length).map(RegExp.escape);
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${longestFirst.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
}

/** One stand-in for each name, the same wherever it occurs. */
function standIns(what: string) {
  const numbers = new Map<string, number>();
  return (name: string): string => {
    const key = name.trim().toLowerCase();
    const number = numbers.get(key) ?? numbers.size + 1;
    numbers.set(key, number);
    return mark(`${what} ${number}`);
  };
}

const isMasked = (text: string): boolean => text.startsWith('••••') || /^\[masked: /.test(text);

/**
 * Masks for one support file. Keys and GUIDs were masked when the exchange was stored, and are masked once more wherever they have a GUID's
 * form.
 */
export function createMasker({ masks, subjects, machines, people, addresses }: MaskSubjects): Masker {
  const on = new Set(masks);
  const machineOf = standIns('machine');
  const personOf = standIns('person');
  const urls = addresses.flatMap((one) => URL.parse(one) ?? []);
  const basePaths = urls.map(({ pathname }) => pathname);
  const hostWords = on.has('hosts') ? wordsOf(urls.flatMap(({ host, hostname }) => [host, hostname])) : null;
  const machineWords = on.has('names') ? wordsOf(machines) : null;
  const personWords = on.has('names') ? wordsOf(people) : null;
  const subjectWords = on.has('addresses') ? wordsOf(subjects) : null;

  const subject = (value: string): string =>
    on.has('addresses') && value !== '' && !isMasked(value) ? mark(lengthOf(value)) : text(value);

  function text(value: string): string {
    let result = maskGuids(value);
    if (on.has('hosts'))
      result = result.replace(/(https?:\/\/)([^/\s"'<>?#\\]+)/gi, (whole, scheme: string, host: string) =>
        standardHosts.has(host.toLowerCase()) ? whole : `${scheme}${mark('host name')}`,
      );
    if (hostWords) result = outside(result, (part) => part.replace(hostWords, mark('host name')));
    if (on.has('hosts'))
      result = outside(result, (part) =>
        part.replace(dottedName, (whole, name: string, ending: string) =>
          standardHosts.has(name.toLowerCase()) || fileEndings.test(ending) ? whole : mark('host name'),
        ),
      );
    if (subjectWords) result = outside(result, (part) => part.replace(subjectWords, (found) => mark(lengthOf(found))));
    if (on.has('addresses')) {
      result = outside(result, (part) => part.replace(postcode, mark('postcode')));
      result = outside(result, (part) => part.replace(longNumber, (found) => mark(lengthOf(found))));
    }
    if (machineWords) result = outside(result, (part) => part.replace(machineWords, machineOf));
    if (personWords) result = outside(result, (part) => part.replace(personWords, personOf));
    return result;
  }

  function url(address: string): string {
    if (!URL.canParse(address)) return text(address);
    const { protocol, host, pathname, searchParams } = new URL(address);
    const base = basePaths.find((path) => pathname.startsWith(path)) ?? '';
    const rest = pathname.slice(base.length);
    // Names of endpoints have no digit and no escape; what was asked for has.
    const path = on.has('addresses')
      ? rest
          .split('/')
          .map((segment) => (/[\d%]/.test(segment) ? subject(decode(segment)) : segment))
          .join('/')
      : text(rest);
    const query = [...searchParams].map(([name, value]) => {
      const shown = plainFields.has(name.toLowerCase()) || isMasked(value) ? value : subject(value);
      return `${name}=${shown}`;
    });
    const shownHost = on.has('hosts') ? mark('host name') : host;
    return `${protocol}//${shownHost}${base}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`;
  }

  function leaf(name: string, value: string | number): string | number {
    const field = name.toLowerCase();
    if (figures.test(name)) return on.has('balances') ? mark('figure') : value;
    if (on.has('names') && machineFields.test(name) && typeof value === 'string' && value.trim() !== '')
      return isMasked(value) ? value : machineOf(value);
    if (typeof value === 'number' && plainFields.has(field)) return value;
    if (!on.has('addresses')) return typeof value === 'string' ? text(value) : value;
    if (typeof value === 'string' && (plainFields.has(field) || sentences.has(field))) {
      const shown = text(value);
      if (isPlain(shown) || (plainFields.has(field) && !/\s/.test(value))) return shown;
    }
    if (typeof value === 'string') return value.trim() === '' || isMasked(value) ? value : subject(value);
    return mark(lengthOf(value));
  }

  function json(value: unknown, name: string): unknown {
    if (typeof value === 'string' || typeof value === 'number') return leaf(name, value);
    if (Array.isArray(value)) return value.map((one) => json(one, name));
    if (typeof value !== 'object' || value === null) return value;
    const members = new Map<string, unknown>();
    for (const [key, one] of Object.entries(value)) {
      // A service may write what it was asked for as a name; two such may be masked alike.
      const shown = text(key);
      members.set(members.has(shown) ? `${shown} ${members.size + 1}` : shown, json(one, key));
    }
    return Object.fromEntries(members);
  }

  /** Tags stay; what is between them and in their attributes is judged by the tag's name. */
  function xml(value: string): string {
    let name = '';
    return value.replace(/<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<!--[\s\S]*?(?:-->|$)|<[^>]*(?:>|$)|[^<]+/g, (token) => {
      if (token.startsWith('<![CDATA[')) return `<![CDATA[${leaf(name, token.slice(9).replace(/\]\]>$/, ''))}]]>`;
      if (token.startsWith('<!--')) return `<!--${mark(lengthOf(token.slice(4)))}-->`;
      if (!token.startsWith('<')) return token.trim() === '' ? token : String(leaf(name, token.trim()));
      // What follows an end tag belongs to the element around it, for which there is no rule.
      name = /^<([^\s/>!?]+)/.exec(token)?.[1]?.replace(/^.*:/, '') ?? '';
      return token.replace(
        // From the beginning of a name alone: tried from each of its letters, a tag of one long word costs the square of its length.
        /(?<![\w:.-])([\w:.-]+)(\s*=\s*)("[^"]*"|'[^']*')/g,
        (_whole, key: string, equals: string, quoted: string) => {
          const inner = quoted.slice(1, -1);
          const isSchema = /^<xsd?:/i.test(token) && /^(?:name|type|ref|minOccurs|maxOccurs)$/.test(key);
          const isForm = isSchema || /^xmlns|^(?:xsi|xsd|diffgr|msdata):|^(?:version|encoding)$/i.test(key);
          const shown = isForm ? text(inner) : String(leaf(key, inner));
          return `${key}${equals}"${shown}"`;
        },
      );
    });
  }

  function body(value: string): string {
    const trimmed = value.trim();
    if (trimmed === '') return value;
    if (trimmed.startsWith('<')) return xml(value);
    if (/^[[{"]|^-?\d|^(?:true|false|null)$/.test(trimmed)) {
      try {
        return JSON.stringify(json(JSON.parse(trimmed), ''), null, 2);
      } catch {
        // Cut short, or no JSON at all: as below.
      }
    }
    // What cannot be parsed cannot be masked by its fields.
    return on.has('addresses') ? mark(`text that is neither JSON nor XML, ${lengthOf(value)}`) : text(value);
  }

  return {
    subject,
    machine: (name) => (on.has('names') && name !== '' ? machineOf(name) : maskGuids(name)),
    person: (name) => (on.has('names') && name !== '' ? personOf(name) : maskGuids(name)),
    balance: (value) => (value !== null && on.has('balances') ? mark('figure') : value),
    text,
    url,
    body,
  };
}

/** Works on what is not masked yet. */
function outside(text: string, work: (part: string) => string): string {
  return text
    .split(/(\[masked: [^\]\n]*\])/)
    .map((part, index) => (index % 2 === 1 ? part : work(part)))
    .join('');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
