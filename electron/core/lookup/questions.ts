import type { Connection, Protocol } from '../../../shared/domain/connection.ts';
import type { SearchOf, UprnOperation } from '../../../shared/domain/lookup/lookup.ts';
import {
  type LookupText,
  readLookupText,
  type SoapSearch,
  streetSearchOf,
} from '../../../shared/domain/lookup/lookup-text.ts';
import type { CacheKey } from '../answers/cache-key.ts';

/** What is sent for a search, and the question it is cached under: spellings that mean the same are one question. */
export interface SearchQuestion {
  question: CacheKey;
  interface: Protocol;
  operation: 'Search' | SoapSearch['operation'];
  fields: Record<string, string | number>;
  of: SearchOf;
  /** As shown and logged. */
  subject: string;
}

export interface SearchRequest {
  text: string;
  maxResults: number | null;
  /** Absent: the one the connection prefers. */
  interface?: Protocol | null;
  of?: SearchOf;
}

/** A search of premises by text, of streets by text, or of the premises on one street. Only SOAP knows streets. */
export function askSearch(connection: Connection, request: SearchRequest): SearchQuestion {
  const { of = { kind: 'text' } } = request;
  const read = readLookupText(request.text);
  if (of.kind === 'text') return askText(connection, read, request);
  const { operation, fields } = of.kind === 'streets' ? streetsOf(read) : premisesOf(of.id);
  // An identifier is taken unchanged.
  const input = of.kind === 'streets' ? plainInput(fields) : fields;
  return {
    question: { connectionId: connection.id, operation, input, options: { interface: 'soap' } },
    interface: 'soap',
    operation,
    fields,
    of,
    subject: read.text,
  };
}

function askText(connection: Connection, read: LookupText, { maxResults, ...request }: SearchRequest): SearchQuestion {
  const { id: connectionId, searchForm } = connection;
  const protocol = request.interface ?? connection.preferredInterface;
  const input = { text: read.kind === 'postcode' ? read.text : read.text.toLowerCase() };
  const of: SearchOf = { kind: 'text' };
  if (protocol === 'soap') {
    const { operation, fields } = read.asks ?? byWords(read.text);
    return {
      question: { connectionId, operation, input, options: { interface: 'soap' } },
      interface: 'soap',
      operation,
      fields: { ...fields },
      of,
      subject: read.text,
    };
  }
  // The second form has no parameter for the number of results.
  const most = searchForm === 'phrase' ? null : maxResults;
  return {
    question: {
      connectionId,
      operation: 'Search',
      input,
      options: { interface: 'rest', searchForm, maxResults: most },
    },
    interface: 'rest',
    operation: 'Search',
    fields: { query: read.text, ...(most === null ? {} : { maxresults: most }) },
    of,
    subject: read.text,
  };
}

interface Sent {
  operation: SoapSearch['operation'];
  fields: Record<string, string>;
}

const byWords = (text: string): Sent => ({ operation: 'SearchPremise_ByWordMatchOnAll', fields: { sSearch: text } });

/** The streets of a postcode's district, or those of a name. */
function streetsOf(read: LookupText): Sent {
  if (read.kind === 'postcode' || read.kind === 'start-of-postcode') {
    const district = /^([A-Z]+\d[A-Z\d]?)(?: \d|\d[A-Z]{1,2}$|$)/.exec(read.text)?.[1] ?? read.text;
    return { operation: 'SearchThoroughfare_ByPostcodeDistrict', fields: { sPostcode: district } };
  }
  const { operation, fields } = streetSearchOf(read.text);
  return { operation, fields: { ...fields } };
}

const premisesOf = (id: string): Sent => ({
  operation: 'SearchPremise_ByThouroughfareID',
  fields: { sThouroughfareID: id },
});

/** Words mean the same in either case. */
const plainInput = (fields: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value.toLowerCase()]));

export interface PremiseQuestion {
  question: CacheKey;
  interface: Protocol;
  operation: UprnOperation | 'GetPremiseAddress';
  fields: Record<string, string | boolean>;
}

/** Opening a premise. Identifiers are taken unchanged: leading zeros belong to them. */
export function askPremise(connectionId: string, premiseId: string, protocol: Protocol): PremiseQuestion {
  if (protocol === 'soap') {
    const operation = 'GetPremiseAddress';
    return {
      question: { connectionId, operation, input: { premiseId }, options: { interface: 'soap' } },
      interface: 'soap',
      operation,
      fields: { sUniqueDeliveryPointID: premiseId },
    };
  }
  return askRest(connectionId, premiseId, 'GetPremise', false);
}

/** A premise over REST by one of its endpoints; `uprn`: sent as `uprn=true`, a question with a price of its own. */
export function askRest(
  connectionId: string,
  premiseId: string,
  operation: UprnOperation,
  uprn: boolean,
): PremiseQuestion {
  return {
    question: { connectionId, operation, input: { premiseId }, options: { interface: 'rest', uprn } },
    interface: 'rest',
    operation,
    fields: uprn ? { id: premiseId, uprn: true } : { id: premiseId },
  };
}
