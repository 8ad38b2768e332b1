import { createHash } from 'node:crypto';

/** What makes two questions the same (promise 3). */
export interface CacheKey {
  connectionId: string;
  operation: string;
  /** Normalised by the caller: a postcode in one spelling, an identifier as it is. */
  input: Readonly<Record<string, unknown>>;
  /** What changes the answer without being a field of the question, for example interface or SOAP version. */
  options?: Readonly<Record<string, unknown>>;
}

/** Names in one order at every depth; undefined and absent are the same. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, ordered(member)]),
  );
}

/** The key of a question: a hash, so that a long input does not make a long key. */
export function hashCacheKey(question: CacheKey): string {
  const { connectionId, operation, input, options = {} } = question;
  return createHash('sha256')
    .update(JSON.stringify([connectionId, operation, ordered(input), ordered(options)]))
    .digest('hex');
}
