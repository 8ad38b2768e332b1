import type { Connection, LookupInterface } from '../../../shared/domain/connection.ts';
import { checkPostcode } from '../../../shared/domain/postcode.ts';
import type { CacheKey } from '../answers/cache-key.ts';

/** What is sent for a search, and the question it is cached under: spellings that mean the same are one question. */
export interface SearchQuestion {
  question: CacheKey;
  interface: LookupInterface;
  operation: 'Search' | 'SearchPremise_ByPostcode' | 'SearchPremise_ByWordMatchOnAll';
  fields: Record<string, string | number>;
  /** As shown and logged. */
  subject: string;
}

const collapse = (text: string): string => text.trim().replace(/\s+/g, ' ');

/** A search over the interface that the connection prefers; SOAP has one operation for postcodes and one for words. */
export function askSearch(connection: Connection, text: string, maxResults: number | null): SearchQuestion {
  const typed = collapse(text);
  const check = checkPostcode(typed);
  const postcode = check.state === 'well-formed' || check.state === 'unusual' ? check.normalised : undefined;
  const subject = postcode ?? typed;
  const input = { text: postcode ?? typed.toLowerCase() };
  const { id: connectionId, preferredInterface, searchForm } = connection;
  if (preferredInterface === 'soap') {
    const operation = postcode === undefined ? 'SearchPremise_ByWordMatchOnAll' : 'SearchPremise_ByPostcode';
    return {
      question: { connectionId, operation, input, options: { interface: 'soap' } },
      interface: 'soap',
      operation,
      fields: postcode === undefined ? { sSearch: typed } : { sPostcode: postcode },
      subject,
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
    fields: { query: subject, ...(most === null ? {} : { maxresults: most }) },
    subject,
  };
}

export interface PremiseQuestion {
  question: CacheKey;
  interface: LookupInterface;
  operation: 'GetPremise' | 'GetPremiseGeoData' | 'GetPremiseAddress';
  fields: Record<string, string | boolean>;
}

/** Opening a premise. Identifiers are taken as they are: leading zeros belong to them. */
export function askPremise(connectionId: string, premiseId: string, protocol: LookupInterface): PremiseQuestion {
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

/** The REST ways to a UPRN. */
export function askRest(
  connectionId: string,
  premiseId: string,
  operation: 'GetPremise' | 'GetPremiseGeoData',
  uprn: boolean,
): PremiseQuestion {
  return {
    question: { connectionId, operation, input: { premiseId }, options: { interface: 'rest', uprn } },
    interface: 'rest',
    operation,
    fields: uprn ? { id: premiseId, uprn: true } : { id: premiseId },
  };
}
