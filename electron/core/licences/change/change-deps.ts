import type { LicenceChange } from '../../../../shared/domain/licences/licence-change.ts';
import type { Pauses } from '../../../ports.ts';
import { attempt } from '../../storage/database/errors.ts';
import type { Journal } from '../journal/journal.ts';
import type { LicenceStore } from '../records/licence-store.ts';
import type { ChangeLocks } from './change-locks.ts';
import type { LicenceCalls } from './licence-calls.ts';

/** What a plan and a change need to know besides the service. */
export interface ChangeContext extends Pauses {
  connectionName: string;
  /** The service behind the connection's SOAP address (`serviceOf`). Empty: no call is made. */
  server: string;
  /** Whose licences they are. Empty: no call is made. */
  accountName: string;
  /** Whether the connection still leads where this call went: else its answer is not stored as what was read of the connection's licences. */
  leadsHere(): boolean;
  /** This machine's name as it would be sent. */
  thisMachine: string;
  /** Who: the OS user and this machine, for example “admin on HFD-LT-0219”. */
  by: string;
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /**
   * When a change on its way is read again automatically: by a window that is open, also for a command, which ends; at the next start of one;
   * or never, because no window has a connection over which it could.
   */
  readsAgain(change: Pick<LicenceChange, 'connectionId' | 'server' | 'accountName'>): 'in-time' | 'at-start' | 'never';
  /** Masks GUIDs in the service's words, by their form; the connection's known secrets are masked by the client. */
  redact(text: string): string;
  journal: Journal;
}

/** What running a change needs; the calls are those of the change's connection. */
export interface ChangeDeps {
  calls: LicenceCalls;
  store: LicenceStore;
  ctx: ChangeContext;
  underWay: ChangesUnderWay;
  /** Called at every transition, with a copy of the change. */
  onStep(change: LicenceChange): void;
}

/**
 * The changes being worked on: by this process and, where locks are given, by any other that shares the database. `begin` and `has` throw
 * where SQLite does.
 */
export interface ChangesUnderWay {
  /** False if it is being worked on already, here or in another process. */
  begin(changeId: string): boolean;
  end(changeId: string): void;
  /** Whether it is being worked on, here or in another process. */
  has(changeId: string): boolean;
  /** Asks a change to stop after its current step: a write under way is still read back. False if it is not under way in this process. */
  stopAfterThisStep(changeId: string): boolean;
  isStopAsked(changeId: string): boolean;
  /** Aborted when the change is asked to stop. */
  signalOf(changeId: string): AbortSignal;
}

/** One per process: the same for every connection. */
export function createChangesUnderWay(locks?: ChangeLocks): ChangesUnderWay {
  const stops = new Map<string, AbortController>();
  return {
    begin(changeId) {
      if (stops.has(changeId) || locks?.take(changeId) === false) return false;
      stops.set(changeId, new AbortController());
      return true;
    },
    end(changeId) {
      // A lock that stays keeps out other processes until this one ends, and not this one: what was done is said all the same.
      if (stops.delete(changeId)) attempt(() => locks?.release(changeId));
    },
    has: (changeId) => stops.has(changeId) || locks?.isRunElsewhere(changeId) === true,
    stopAfterThisStep(changeId) {
      const stop = stops.get(changeId);
      stop?.abort();
      return stop !== undefined;
    },
    isStopAsked: (changeId) => stops.get(changeId)?.signal.aborted === true,
    signalOf: (changeId) => stops.get(changeId)?.signal ?? AbortSignal.abort(),
  };
}
