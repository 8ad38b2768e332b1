import { hash } from 'node:crypto';
import { toCanonicalJson } from '../canonical-json.ts';

/** What makes two questions the same (promise 3). */
export interface CacheKey {
  connectionId: string;
  operation: string;
  /** Normalised by the caller: a postcode in one spelling, an identifier as it is. */
  input: Readonly<Record<string, unknown>>;
  /** What changes the answer without being a field of the question, for example interface or SOAP version. */
  options?: Readonly<Record<string, unknown>>;
}

/** The key of a question: a hash, so that a long input does not make a long key. */
export function hashCacheKey(question: CacheKey): string {
  const { connectionId, operation, input, options = {} } = question;
  return hash('sha256', toCanonicalJson([connectionId, operation, input, options]));
}
