import { createHash } from 'node:crypto';
import { ok, type Result } from '../../../shared/result.ts';
import { type Clock, isoNow } from '../../platform/clock.ts';
import type { Database } from './database.ts';
import { attempt } from './errors.ts';

/** How long an answer may be held; the setting's own shape (core/settings). */
export interface HoldingTime {
  mode: 'off' | 'run' | 'hours' | 'days';
  amount: number;
}

/** What makes two questions the same (safety.md 3). */
export interface HeldQuestion {
  connectionId: string;
  operation: string;
  /** Normalised by whoever asks: a postcode in one spelling, an identifier as it is. */
  input: Readonly<Record<string, unknown>>;
  /** What changes the answer and is no field of it, for example interface or SOAP version. */
  options?: Readonly<Record<string, unknown>>;
}

export interface HeldAnswer {
  key: string;
  connectionId: string;
  operation: string;
  subject: string;
  value: unknown;
  at: string;
}
export type HeldSummary = Omit<HeldAnswer, 'value'> & { bytes: number };

const hourMilliseconds = 60 * 60 * 1000;
/** Later than any stored time: nothing is fresh enough. */
const never = '9999';

/** Names in one order at every depth; undefined and absent are the same. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, ordered(member)]),
  );
}

/** The key of a question: a hash, so that a long input makes no long key. */
export function heldKey(question: HeldQuestion): string {
  const { connectionId, operation, input, options = {} } = question;
  return createHash('sha256')
    .update(JSON.stringify([connectionId, operation, ordered(input), ordered(options)]))
    .digest('hex');
}

/**
 * Answers already paid for. The policy is asked at each reading, so a shorter time holds at once and a longer one brings back
 * what is still here. Values are stored as given: redact first. Errors: `storage-failed`.
 */
export function openHeldAnswers(
  db: Database,
  clock: Clock,
  limits: { totalBytes: number } = { totalBytes: 64 * 2 ** 20 },
) {
  const columns = 'key, connection_id AS connectionId, operation, subject, at';
  const fresh = 'at >= :since AND (:run IS NULL OR run = :run)';
  const find = db.sql.prepare(`SELECT ${columns}, value FROM held_answers WHERE key = :key AND ${fresh}`);
  const recent = db.sql.prepare(
    `SELECT ${columns}, bytes FROM held_answers WHERE connection_id = :connectionId AND ${fresh} ORDER BY at DESC LIMIT :limit`,
  );
  const save = db.sql.prepare(
    `INSERT OR REPLACE INTO held_answers (key, connection_id, operation, subject, value, bytes, at, run)
     VALUES (:key, :connectionId, :operation, :subject, :value, :bytes, :at, :run)`,
  );
  const ofSubject = db.sql.prepare(
    `SELECT ${columns}, value FROM held_answers
     WHERE connection_id = :connectionId AND subject = :subject AND ${fresh} ORDER BY at DESC LIMIT 100`,
  );
  const subjects = db.sql.prepare(
    `SELECT DISTINCT subject FROM held_answers WHERE connection_id = :connectionId
     AND operation IN (SELECT value FROM json_each(:operations)) AND ${fresh}`,
  );
  const byKey = db.sql.prepare(`SELECT ${columns}, value FROM held_answers WHERE key = ?`);
  const total = db.sql.prepare('SELECT coalesce(sum(bytes), 0) AS bytes FROM held_answers');
  const oldest = db.sql.prepare('SELECT key, bytes FROM held_answers ORDER BY at, rowid');
  const remove = db.sql.prepare('DELETE FROM held_answers WHERE key = ?');
  const purge = db.sql.prepare(`DELETE FROM held_answers WHERE NOT (${fresh})`);
  const clear = db.sql.prepare('DELETE FROM held_answers WHERE :connectionId IS NULL OR connection_id = :connectionId');

  const sinceHours = (hours: number) => new Date(clock.now() - hours * hourMilliseconds).toISOString();
  function limitsOf({ mode, amount }: HoldingTime): { since: string; run: string | null } {
    if (mode === 'off') return { since: never, run: null };
    if (mode === 'run') return { since: '', run: db.run };
    return { since: sinceHours(mode === 'days' ? amount * 24 : amount), run: null };
  }

  /** Makes room by letting the oldest go. */
  function keepWithin(bytes: number): void {
    let held = Number(total.get()?.bytes);
    if (held <= bytes) return;
    for (const row of oldest.all()) {
      if (held <= bytes) return;
      remove.run(String(row.key));
      held -= Number(row.bytes);
    }
  }

  return {
    find(question: HeldQuestion, policy: HoldingTime): Result<HeldAnswer | undefined> {
      return attempt(() => {
        const row = find.get({ key: heldKey(question), ...limitsOf(policy) });
        return row && ({ ...row, value: JSON.parse(String(row.value)) } as HeldAnswer);
      });
    },
    /** Holds an answer under its question; one larger than the whole limit is not held. False: not held. */
    hold(question: HeldQuestion, subject: string, answer: unknown): Result<boolean> {
      return db.transaction(() => {
        const value = JSON.stringify(answer);
        const bytes = Buffer.byteLength(value);
        if (bytes > limits.totalBytes) return ok(false);
        keepWithin(limits.totalBytes - bytes);
        const { connectionId, operation } = question;
        save.run({
          key: heldKey(question),
          connectionId,
          operation,
          subject,
          value,
          bytes,
          at: isoNow(clock),
          run: db.run,
        });
        return ok(true);
      });
    },
    /** Newest first, without their values. */
    listRecent(connectionId: string, policy: HoldingTime, limit: number): Result<HeldSummary[]> {
      return attempt(() => recent.all({ connectionId, limit, ...limitsOf(policy) }) as HeldSummary[]);
    },
    /** All answers held about one subject, newest first. */
    listOfSubject(connectionId: string, subject: string, policy: HoldingTime): Result<HeldAnswer[]> {
      return attempt(() =>
        ofSubject
          .all({ connectionId, subject, ...limitsOf(policy) })
          .map((row) => ({ ...row, value: JSON.parse(String(row.value)) }) as HeldAnswer),
      );
    },
    /** Subjects with an answer of one of some operations. */
    listSubjects(connectionId: string, operations: readonly string[], policy: HoldingTime): Result<string[]> {
      return attempt(() =>
        subjects
          .all({ connectionId, operations: JSON.stringify(operations), ...limitsOf(policy) })
          .map((row) => String(row.subject)),
      );
    },
    /** One answer by its key, whatever the policy says of using it again. */
    findByKey(key: string): Result<HeldAnswer | undefined> {
      return attempt(() => {
        const row = byKey.get(key);
        return row && ({ ...row, value: JSON.parse(String(row.value)) } as HeldAnswer);
      });
    },
    /** Removes what the policy no longer allows; gives how many. */
    purge: (policy: HoldingTime): Result<number> => attempt(() => Number(purge.run(limitsOf(policy)).changes)),
    /** Removes all, or all of one connection; gives how many. */
    clear: (connectionId: string | null): Result<number> => attempt(() => Number(clear.run({ connectionId }).changes)),
  };
}
