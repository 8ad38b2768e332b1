import type { RecordValue } from '../../../../shared/catalogue/records.ts';
import type { Result } from '../../../../shared/result.ts';

export interface LicenceAnswer<T> {
  value: T;
  /** Why a licence that the answer does not name may be there all the same; absent if the answer is plainly complete. */
  doubt?: string | undefined;
  /** Set if that is that the service cut it off. */
  truncated?: boolean | undefined;
  /** Row of the activity log. */
  callId: string;
  durationMs: number;
}

/**
 * The four licence operations of one connection, each sent at most once. An error with charge 'may-have-been-charged' means that the
 * request may have reached the service: for a write the outcome is then unknown until read back. The value of a write is the service's own
 * words, which prove nothing.
 */
export interface LicenceCalls {
  list(signal?: AbortSignal): Promise<Result<LicenceAnswer<RecordValue<'License'>[]>>>;
  details(machine: string, signal?: AbortSignal): Promise<Result<LicenceAnswer<RecordValue<'License'>[]>>>;
  register(licenceNumber: string, machine: string): Promise<Result<LicenceAnswer<string>>>;
  unregister(licenceNumber: string, machine: string): Promise<Result<LicenceAnswer<string>>>;
}
