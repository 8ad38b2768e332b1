import type { Timings } from '../../../shared/domain/call.ts';
import type { Result } from '../../../shared/result.ts';

/** One request, ready to leave. Credentials are already in `url` or `body`: only code that has verified the origin builds one. */
export interface OutgoingRequest {
  method: 'GET' | 'POST';
  url: URL;
  headers: Record<string, string>;
  body?: string;
  /** The whole call, from the question to the answer's last byte; waiting for a slot, a proxy script or a connection included. */
  timeoutMs: number;
  /** Answer body after decompression; more is `answer-too-large`. */
  maxBytes: number;
  signal?: AbortSignal | undefined;
  /**
   * Whether an answer is, beyond doubt, the one to this question: something in it was compared with the question and is the same. Called
   * while the connection is reserved; only after a yes does another question use it. A question whose answer has nothing to compare omits
   * this and gets a connection of its own: on a shared one, a stray answer would be taken for its own.
   */
  matches?: ((answer: IncomingAnswer) => boolean | Promise<boolean>) | undefined;
  /**
   * The one thing that is asked about, as `matches` compares it. Two questions in a row about the same have a connection each: a second copy
   * of the first answer, which names it too, would be taken for the second one's.
   */
  about?: string | undefined;
}

export interface IncomingAnswer {
  status: number;
  /** Lower-case names; repeated ones joined with a comma. */
  headers: Record<string, string>;
  body: Uint8Array;
  timings: Timings;
}

/**
 * Sends once. Never retries, never follows a redirect (3xx comes back as an answer). Errors before the first byte may have left have charge
 * 'not-charged'; after it 'may-have-been-charged' (promises 1 and 4).
 */
export type Transport = (request: OutgoingRequest) => Promise<Result<IncomingAnswer>>;
