import type { CallRecord } from '../../../shared/domain/activity.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { type Clock, isoNow } from '../../ports.ts';
import { type CallEnd, openCallsRepository } from '../storage/calls-repository.ts';
import type { Database } from '../storage/database/database.ts';
import { attempt } from '../storage/database/errors.ts';
import { openCallSearch } from '../storage/search/call-search.ts';

export type NewCall = Pick<
  CallRecord,
  'connectionId' | 'connectionName' | 'interface' | 'operation' | 'subject' | 'paidBy' | 'expectedCredits'
>;

export type ActivityLog = ReturnType<typeof createActivityLog>;

const noSuchCall = () =>
  fail(appError('bad-input', { message: 'The activity log has no such call.', charge: 'not-applicable' }));

/** Who asks, and where. */
export type MadeBy = Pick<CallRecord, 'person' | 'source'>;

/**
 * The log of every call. A call is written before it is sent, as `unknown`, and given its outcome when it ends, so that a program killed in
 * between leaves the truth behind. Errors: `storage-failed`; a call whose beginning cannot be written must not be sent. `bad-input` for an
 * id that the log does not have.
 */
export function createActivityLog(db: Database, clock: Clock, madeBy: MadeBy = { person: '', source: '' }) {
  const rows = openCallsRepository(db.sql);
  const search = openCallSearch(db.sql);

  /** Ends of calls that are still to be written. */
  const unwritten = new Map<string, CallEnd>();

  /** Writes a call that is about to be sent and returns its row. */
  function beginCall(call: NewCall): Result<CallRecord> {
    writeEnds();
    return begin(call);
  }

  function begin(call: NewCall): Result<CallRecord> {
    const record: CallRecord = {
      ...call,
      ...madeBy,
      id: crypto.randomUUID(),
      at: isoNow(clock),
      outcome: 'unknown',
      errorCode: null,
      observedCredits: null,
      durationMs: 0,
    };
    return db.transaction(() => {
      rows.insert(record);
      return ok(record);
    });
  }

  /** Records a call's outcome. If it cannot be written now, it is before the next call, or when the program ends. */
  function finishCall(id: string, end: CallEnd): Result<void> {
    const finished = db.transaction(() => (rows.finish(id, end) ? ok(undefined) : noSuchCall()));
    if (!finished.ok && finished.error.code === 'storage-failed') unwritten.set(id, end);
    return finished;
  }

  function writeEnds(): void {
    if (unwritten.size === 0) return;
    const written = db.transaction(() => {
      for (const [id, end] of unwritten) rows.finish(id, end);
      return ok(undefined);
    });
    if (written.ok) unwritten.clear();
  }

  /** A call answered from the cache: nothing was sent and nothing spent. */
  function recordCached(call: NewCall): Result<CallRecord> {
    return db.transaction(() => {
      const begun = begin({ ...call, expectedCredits: 0 });
      if (!begun.ok) return begun;
      const end = { outcome: 'held', errorCode: null, observedCredits: 0, durationMs: 0 } as const;
      rows.finish(begun.value.id, end);
      return ok({ ...begun.value, ...end });
    });
  }

  function findCall(id: string): Result<CallRecord> {
    const found = attempt(() => rows.find(id));
    if (!found.ok) return found;
    return found.value ? ok(found.value) : noSuchCall();
  }

  const countCalls = (): Result<number> => attempt(() => rows.count());

  return { search, beginCall, finishCall, writeEnds, recordCached, findCall, countCalls };
}
