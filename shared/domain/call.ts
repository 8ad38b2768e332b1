/**
 * How a question uses the saved answers, by the words of the Fetch Standard (request's cache mode). `default`: a saved answer, or one call.
 * `reload`: one call, whatever is saved. `only-if-cached`: a saved answer or the error `not-cached`; nothing is ever sent.
 */
export const cacheModes = ['default', 'reload', 'only-if-cached'] as const;
export type CacheMode = (typeof cacheModes)[number];

/** How long each part of one call took, in milliseconds; absent if it did not happen (a reused connection has no name look-up). */
export interface Timings {
  queued?: number;
  name?: number;
  tcp?: number;
  tls?: number;
  sent?: number;
  waiting?: number;
  received?: number;
  decoded?: number;
  total: number;
  reusedConnection: boolean;
}

/** A request as it may be shown: secrets masked by field name and by value. */
export interface RedactedRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: string;
}

/** A long text in memory that main and the decoding thread share, so that it crosses without being copied. */
export interface SharedText {
  /** UTF-8. */
  bytes: SharedArrayBuffer;
  /** Characters. */
  length: number;
}

/** An answer as it came, secrets masked. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  /** A long text that the decoding thread has read is in shared memory. */
  text: string | SharedText;
  bytes: number;
}

/** What was sent and received in a call, redacted; `raw` is absent if no answer came. */
export interface Exchange {
  request: RedactedRequest;
  raw?: RawAnswer;
  timings?: Timings;
}
