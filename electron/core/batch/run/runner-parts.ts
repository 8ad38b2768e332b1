import type { MoneyClaim } from '../../../../shared/claims/money-claims.ts';
import type { BatchKind, BatchWant } from '../../../../shared/domain/batch.ts';
import type { AppError } from '../../../../shared/errors.ts';
import type { Result } from '../../../../shared/result.ts';
import type { Clock, Pauses } from '../../../ports.ts';
import type { Again } from '../store/batch-counts.ts';
import type { BatchFile } from '../store/batch-file.ts';
import type { LedgerSeen } from '../store/batch-records.ts';
import type { Terms } from '../terms.ts';
import type { Backoff } from './pacer.ts';
import type { Questions } from './questions.ts';

/** What the run of one batch needs. */
export interface RunnerParts {
  batchId: string;
  connectionId: string;
  kind: BatchKind;
  wants: readonly BatchWant[];
  terms: Pick<Terms, 'limit' | 'minimumBalance' | 'rate' | 'keyLabel'>;
  /** Ended rows that this run opens before anything is asked. */
  again: Again | undefined;
  file: BatchFile;
  questions: Questions;
  clock: Clock;
  pauses: Pauses;
  /** The last call that may have left for a question; undefined: none did. */
  callOf(ask: number): Result<{ callId: string | null; ending: string | null } | undefined>;
  /** The questions of the batch whose calls may have left and were not refused, by the ledger; newest first. */
  callsOf(): Result<{ ask: number; callId: string | null; at: string }[]>;
  /** What the database knows now, for the file. Throws where SQLite does. */
  ledgerNow(): LedgerSeen;
  /** The database was replaced by a copy that is older than the file: it may lack calls that were made. */
  isLedgerOlder: boolean;
  /** Credits, each call at its highest price. */
  countedByLedger(): Result<number>;
  /** Set if the connection now leads to another server than the one whose answers the batch has: its identifiers name nothing there. */
  findMove(): AppError | undefined;
  /**
   * Falls of the balance beyond what the batch's calls account for, since the last look; undefined: none. With free calls among them, any
   * fall that no call explains counts.
   */
  findOverrun(hasFreeCalls: boolean): Result<MoneyClaim[] | undefined>;
  /** Reads the balance, if that is free. Never rejects. */
  sampleBalance(): Promise<void>;
  claimsOf(callId: string): MoneyClaim[];
  onChange(): void;
  onBackoff(backoff: Backoff | null): void;
}
