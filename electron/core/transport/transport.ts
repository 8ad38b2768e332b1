import type { Timings } from '../../../shared/domain/call.ts';
import type { Result } from '../../../shared/result.ts';

/** One request, ready to leave. Credentials are already in `url` or `body`: only code that has proved the origin builds one. */
export interface OutgoingRequest {
  method: 'GET' | 'POST';
  url: URL;
  headers: Record<string, string>;
  body?: string;
  /** Whole call, from the first byte to the last. */
  timeoutMs: number;
  /** Answer body after decompression; more is `answer-too-large`. */
  maxBytes: number;
  signal?: AbortSignal | undefined;
}

export interface IncomingAnswer {
  status: number;
  /** Lower-case names; repeated ones joined with a comma. */
  headers: Record<string, string>;
  body: Uint8Array;
  timings: Timings;
}

/**
 * Sends once. Never retries, never follows a redirect (3xx comes back as an answer). Errors before the first byte may have left
 * have charge 'not-charged'; after it 'may-have-been-charged' (safety.md 1 and 4).
 */
export type Transport = (request: OutgoingRequest) => Promise<Result<IncomingAnswer>>;
