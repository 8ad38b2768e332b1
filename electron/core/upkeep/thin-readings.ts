import { ok, type Result } from '../../../shared/result.ts';
import { type CallFact, isOverBefore } from '../spend/facts.ts';
import { openSegmentsRepository } from '../spend/segments-repository.ts';
import type { Database } from '../storage/database/database.ts';

/** Readings of the last days are all kept. */
export const thinAfterDays = 7;
const quarterMs = 15 * 60_000;
/** Segments looked at in one turn, and readings removed at most: some milliseconds of main. */
const pageSize = 200;

interface Sample {
  sequence: number;
  at: string;
  askedSequence: number;
  answeredSequence: number;
  /** How many readings it replaces, itself included. */
  standsFor: number;
  /** All that has to be alike. */
  same: string;
  connectionId: string;
}

/** A stretch of a balance that stood still, without a call: from one clean cut to the next. */
interface Still {
  purse: string;
  from: number;
  to: Sample;
}

const quarterOf = (at: string): number => Math.floor(Date.parse(at) / quarterMs);

/**
 * Whether the middle one of three readings in a row says nothing that the other two do not: the same figures in the same quarter of an
 * hour by the same run of the program, so that it is neither the first nor the last of a day, whatever the zone.
 */
const isBetweenAlike = (before: Sample, middle: Sample, after: Sample): boolean =>
  before.same === middle.same &&
  middle.same === after.same &&
  before.at <= middle.at &&
  middle.at <= after.at &&
  quarterOf(before.at) === quarterOf(after.at);

const readStill = (row: Record<string, unknown>): Still => ({
  purse: JSON.stringify([row.origin, row.fingerprint]),
  from: Number(row.from_reading),
  to: readSample(row),
});

const readSample = (row: Record<string, unknown>): Sample => ({
  sequence: Number(row.sequence),
  at: String(row.at),
  askedSequence: Number(row.asked_sequence),
  answeredSequence: Number(row.answered_sequence),
  standsFor: Number(row.stands_for),
  connectionId: String(row.connection_id),
  same: JSON.stringify([
    row.connection_id,
    row.source,
    row.label,
    row.key_last_four,
    row.credits,
    row.used,
    row.total,
    row.expiry_date,
    row.text,
    row.boot,
    row.process_start_sequence,
    row.own_call,
  ]),
});

/** What is removed between two readings that stay. */
interface Gone {
  from: Sample;
  readings: number[];
  standsFor: number;
  to: Sample;
}

/**
 * The rule for balance readings, the only facts that are ever removed: of those that read the same, with no call of this console sent,
 * ended or entered between them and no wait for a late charge over, the first and the last of each quarter of an hour stay. Claims about
 * calls, sums and days do not change (test/integration/credits/thinned.test.ts). The reading after removed ones stores how many it stands
 * for, itself included. Throws where SQLite does.
 */
export function openReadingThinner(db: Database) {
  const { sql } = db;
  const segments = openSegmentsRepository(sql);
  /** One that is lost after a sweep has begun ended behind every reading that is old enough to go. */
  let lost: readonly CallFact[] = [];
  const columns = `r.sequence, r.connection_id, r.source, r.label, r.key_last_four, r.credits, r.used, r.total, r.expiry_date, r.text,
    r.at, r.boot, r.process_start_sequence, r.own_call, r.asked_sequence, r.answered_sequence, r.stands_for`;
  const page = sql.prepare(
    `SELECT s.to_reading, s.from_reading, s.origin, s.fingerprint, ${columns}
     FROM segments s JOIN balance_readings r ON r.sequence = s.to_reading
     WHERE s.to_reading > :after AND s.kind = 'still' AND s.calls = 0 AND r.own_call IS NULL AND r.at < :before
     ORDER BY s.to_reading LIMIT ${pageSize}`,
  );
  const findSample = sql.prepare(`SELECT ${columns} FROM balance_readings r WHERE r.sequence = ?`);
  const facts = [
    sql.prepare('SELECT 1 FROM ledger WHERE sent_sequence > :asked AND sent_sequence <= :answered LIMIT 1'),
    sql.prepare('SELECT 1 FROM ledger WHERE ended_sequence > :asked AND ended_sequence <= :answered LIMIT 1'),
  ];
  const entry = sql.prepare(
    'SELECT 1 FROM ledger WHERE connection_id = :connectionId AND at >= :from AND at <= :to LIMIT 1',
  );
  // Where the clock was set, others may lie between them by it.
  const beside = sql.prepare(
    `SELECT count(*) AS readings FROM balance_readings r JOIN balance_readings one ON one.sequence = :one
       AND r.connection_id = one.connection_id AND r.source = one.source AND r.label = one.label AND r.key_last_four = one.key_last_four
     WHERE r.at >= :from AND r.at <= :to`,
  );
  const removeSample = sql.prepare('DELETE FROM balance_readings WHERE sequence = ?');
  const removeSegment = sql.prepare('DELETE FROM segments WHERE to_reading = ?');
  const joinSegment = sql.prepare(
    `UPDATE segments SET from_reading = :from, from_at = (SELECT asked_at FROM balance_readings WHERE sequence = :from)
     WHERE to_reading = :to AND from_reading = :last`,
  );
  const standFor = sql.prepare('UPDATE balance_readings SET stands_for = :standsFor WHERE sequence = :sequence');

  /**
   * Whether the wait for a late charge of a lost call is over at the one reading and was not at the other. Of any balance: a person may yet
   * say that it is shared with another one, and a claim about the call names the first reading after the wait.
   */
  function endsWait(from: Sample, to: Sample): boolean {
    const [first, last] = [segments.sample(from.sequence), segments.sample(to.sequence)];
    if (!first || !last) return true;
    return lost.some(
      (call) =>
        // Most calls are long over, or ended later: known without a look at earlier readings.
        !isOverBefore(call, first, []) &&
        call.ended !== null &&
        call.ended.sequence <= last.asked.sequence &&
        isOverBefore(call, first, segments.firstOfBoot(first, call)) !==
          isOverBefore(call, last, segments.firstOfBoot(last, call)),
    );
  }

  const nothingBetween = (from: Sample, to: Sample, between: number): boolean =>
    Number(beside.get({ one: to.sequence, from: from.at, to: to.at })?.readings) === between + 2 &&
    facts.every((one) => one.get({ asked: from.askedSequence, answered: to.answeredSequence }) === undefined) &&
    entry.get({ connectionId: to.connectionId, from: from.at, to: to.at }) === undefined &&
    !endsWait(from, to);

  /** Of a page of stretches, what can go. `last`: of each balance, the reading that its last stretch ended with. */
  function choose(stretches: readonly Still[]): Gone[] {
    const gone: Gone[] = [];
    const open = new Map<string, Gone>();
    for (const { purse, from, to } of stretches) {
      const before = open.get(purse);
      const follows = before && before.to.sequence === from;
      if (
        follows &&
        isBetweenAlike(before.from, before.to, to) &&
        nothingBetween(before.from, to, before.readings.length + 1)
      ) {
        if (before.readings.length === 0) gone.push(before);
        before.readings.push(before.to.sequence);
        before.standsFor += to.standsFor;
        before.to = to;
        continue;
      }
      const row = follows ? undefined : findSample.get(from);
      const first = follows ? before.to : row && readSample(row);
      if (first) open.set(purse, { from: first, readings: [], standsFor: to.standsFor, to });
      else open.delete(purse);
    }
    return gone;
  }

  function remove({ from, readings, standsFor, to }: Gone): void {
    const last = readings.at(-1) ?? 0;
    if (joinSegment.run({ from: from.sequence, to: to.sequence, last }).changes !== 1)
      throw new Error(`The stretch up to reading ${to.sequence} is another one.`);
    for (const one of readings) {
      removeSegment.run(one);
      removeSample.run(one);
    }
    standFor.run({ sequence: to.sequence, standsFor });
  }

  return {
    /** Before the first turn of a sweep. Throws where SQLite does. */
    begin(): void {
      lost = segments.lostCalls();
    },
    /**
     * One turn: looks at the stretches behind a reading (by its sequence; 0: from the first) that end before a time (ISO 8601 UTC). Returns
     * how many readings were removed, and the reading to go on behind; null: that was all. Errors: `storage-failed`.
     */
    turn(after: number, before: string): Result<{ removed: number; next: number | null }> {
      return db.transaction(() => {
        const stretches = page.all({ after, before }).map(readStill);
        const gone = choose(stretches);
        for (const one of gone) remove(one);
        const last = stretches.at(-1);
        // The last of a page may have its neighbour on the next: one quarter of an hour in some pages keeps one more.
        return ok({
          removed: gone.reduce((sum, { readings }) => sum + readings.length, 0),
          next: last && stretches.length === pageSize ? last.to.sequence : null,
        });
      });
    },
  };
}
