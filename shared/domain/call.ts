/** How long each part of one call took, in milliseconds; absent where it did not happen (a reused connection has no name look-up). */
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

/** An answer as it came, secrets masked; text is cut for the window only where `cut` says so. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
  bytes: number;
}
