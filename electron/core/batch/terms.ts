/** What a person sets before a batch runs, and may change whenever it is not running. */
export interface Terms {
  /** Credits. */
  limit: number;
  /** Credits; null: none. */
  minimumBalance: number | null;
  /** Calls a second. */
  rate: number;
  /** null: the key that is the preferred one when it is started. */
  keyLabel: string | null;
  /** ISO 8601: resumes by itself after a start until then; null: it does not. */
  goOnUntil: string | null;
}
