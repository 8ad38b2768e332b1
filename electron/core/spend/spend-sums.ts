import type { DatabaseSync } from 'node:sqlite';
import { roundFigure } from '../../../shared/domain/text/figures.ts';
import { isUndecided } from '../storage/credit-history-repository.ts';
import type { Purse } from '../storage/one-balance.ts';
import { namedForMs } from './claims-of-call.ts';
import type { Moment } from './facts.ts';
import type { StoredSegment } from './segments-repository.ts';

/** Whose calls a cap counts: those of a connection and of every key it holds or has used, or all of the data folder (a policy's). */
export type CapScope = { kind: 'connection'; connectionId: string } | { kind: 'folder' };

/** Credits that count towards a cap; `open`: the part for which a charge may still come, or whose cost no reading has shown. */
export interface Counted {
  credits: number;
  open: number;
}

/** Calls of a run, or those sent from the beginning of a quarter of an hour to the end of one (ISO 8601 UTC). */
type CountedRange = { run: string } | { from: string; to: string };

interface Conclusion {
  /** Its id. */
  segment: number;
  verdict: string;
  /** What the call cost by it, in credits; null: that does not follow. */
  observed: number | null;
  /** Names of the balances that it counts against (`nameOfBalance`); empty: its own alone. */
  drawnOn: string;
  isOwn: boolean;
}

export type SpendSums = ReturnType<typeof openSpendSums>;

/** Running sums of what caps count, and the numbering of samples. Throws where SQLite does. */
export function openSpendSums(sql: DatabaseSync) {
  // The calls of a key count for every connection that holds it, whatever either is called and wherever it points.
  const group = `(:connectionId IS NULL OR connection_id = :connectionId OR fingerprint IN
    (SELECT fingerprint FROM secret_handles WHERE connection_id = :connectionId AND fingerprint IS NOT NULL
     UNION SELECT fingerprint FROM key_uses WHERE connection_id = :connectionId))`;
  // In one statement: another process may enter a call between two.
  const sumsOf = (quarters: string, calls: string) => {
    const credits = `SELECT coalesce(sum(credits), 0) FROM counted_quarters WHERE ${group} AND ${quarters}`;
    const open = `SELECT coalesce(sum(counted), 0) FROM ledger WHERE version > 1 AND counted > 0 AND ${isUndecided} AND ${group} AND ${calls}`;
    return {
      alone: sql.prepare(`SELECT (${credits}) AS credits`),
      withOpen: sql.prepare(`SELECT (${credits}) AS credits, (${open}) AS open`),
    };
  };
  const ofRun = sumsOf('run = :run', 'run = :run');
  const ofDay = sumsOf('quarter >= :from AND quarter <= :to', 'at >= :from AND at <= :to');
  const sumsIn = (range: CountedRange) => ('run' in range ? ofRun : ofDay);
  const named = (scope: CapScope, range: CountedRange) => ({
    connectionId: scope.kind === 'folder' ? null : scope.connectionId,
    ...range,
  });
  const after = sql.prepare(
    `SELECT coalesce(sum(counted), 0) AS credits FROM ledger
     WHERE sent_sequence > :asked AND (origin = :origin OR other_origin = :origin)`,
  );
  const one = sql.prepare('SELECT counted FROM ledger WHERE id = ?');
  const setPrice = sql.prepare('SELECT credits FROM set_prices WHERE connection_id = ? AND operation = ?');
  const numberSample = sql.prepare(
    `UPDATE balance_readings SET version = 2, fingerprint = :fingerprint, own_call = :ownCall,
       asked_sequence = :askedSequence, asked_at = :askedAt, asked_elapsed = :askedElapsed,
       answered_sequence = :answeredSequence, answered_elapsed = :answeredElapsed, boot = :boot, process_start = :processStart, process_start_sequence = :processStartSequence
     WHERE sequence = :sequence`,
  );
  // A segment of another balance leaves the figures of the row empty.
  const conclusion = sql.prepare(
    `SELECT segment, verdict, observed, drawn_on, balance_before IS NOT NULL AS own FROM ledger WHERE id = ? AND segment IS NOT NULL`,
  );
  const countAgain = sql.prepare(
    `UPDATE ledger INDEXED BY ledger_no_fall SET counted = admitted
     WHERE version > 1 AND verdict = 'no-fall' AND ended_at >= :since AND segment < :segment AND counted = 0 AND (origin = :origin OR other_origin = :origin)
       AND (interface = 'soap' OR fingerprint = :fingerprint OR :origin NOT IN (SELECT origin FROM separate_purses))`,
  );
  const forget = sql.prepare(
    `UPDATE ledger SET verdict = 'open', observed = NULL, balance_before = NULL, balance_after = NULL, segment = NULL, drawn_on = '',
       alone = 0, counted = admitted
     WHERE version > 1 AND sent_sequence IS NOT NULL AND ending IS NOT 'unsent'`,
  );
  const noteUse = sql.prepare('INSERT OR IGNORE INTO key_uses (connection_id, fingerprint) VALUES (?, ?)');
  const cappedBy = sql.prepare(
    `SELECT connection_id AS id FROM secret_handles WHERE fingerprint = :fingerprint
     UNION SELECT connection_id FROM key_uses WHERE fingerprint = :fingerprint`,
  );
  const savePrice = sql.prepare(
    `INSERT INTO set_prices (connection_id, operation, credits) VALUES (:connectionId, :operation, :credits)
     ON CONFLICT DO UPDATE SET credits = :credits`,
  );
  const removePrice = sql.prepare(
    'DELETE FROM set_prices WHERE connection_id = :connectionId AND operation = :operation',
  );
  const listPrices = sql.prepare(
    'SELECT operation, credits FROM set_prices WHERE connection_id = ? ORDER BY operation',
  );

  return {
    counted: (scope: CapScope, range: CountedRange): number =>
      roundFigure(Number(sumsIn(range).alone.get(named(scope, range))?.credits)),
    countedWithOpen(scope: CapScope, range: CountedRange): Counted {
      const row = sumsIn(range).withOpen.get(named(scope, range));
      return { credits: roundFigure(Number(row?.credits)), open: roundFigure(Number(row?.open)) };
    },
    /**
     * Credits of the calls sent to a balance's origin after a fact, with any key: also if a person has said that keys have separate
     * balances, so that a minimum balance rather refuses too much.
     */
    countedAfter: ({ origin }: Purse, asked: number): number => Number(after.get({ origin, asked })?.credits),
    countedOf: (ids: readonly string[]): number => ids.reduce((sum, id) => sum + Number(one.get(id)?.counted ?? 0), 0),
    /** The figure that a person set for an operation without a published price; null: none. */
    setPrice(connectionId: string, operation: string): number | null {
      const row = setPrice.get(connectionId, operation);
      return row ? Number(row.credits) : null;
    },
    listPrices: (connectionId: string): { operation: string; credits: number }[] =>
      listPrices.all(connectionId).map((row) => ({ operation: String(row.operation), credits: Number(row.credits) })),
    savePrice(connectionId: string, operation: string, credits: number | null): void {
      if (credits === null) removePrice.run({ connectionId, operation });
      else savePrice.run({ connectionId, operation, credits });
    },
    /** Connections that hold a key, or have sent calls with it: the caps of each of them count. */
    connectionsWith: (fingerprint: string): string[] => cappedBy.all({ fingerprint }).map(({ id }) => String(id)),
    noteUse: (connectionId: string, fingerprint: string): void => void noteUse.run(connectionId, fingerprint),
    numberSample(
      sequence: number,
      sample: Pick<Purse, 'fingerprint'> & {
        ownCall: string | null;
        asked: Moment;
        answered: Moment;
        processStart: Pick<Moment, 'sequence' | 'elapsedMs'>;
      },
    ): void {
      numberSample.run({
        sequence,
        fingerprint: sample.fingerprint,
        ownCall: sample.ownCall,
        askedSequence: sample.asked.sequence,
        askedAt: sample.asked.at,
        askedElapsed: sample.asked.elapsedMs,
        answeredSequence: sample.answered.sequence,
        answeredElapsed: sample.answered.elapsedMs,
        boot: sample.answered.boot,
        processStart: sample.processStart.elapsedMs,
        processStartSequence: sample.processStart.sequence,
      });
    },
    /** What a segment has said of a call; `isOwn`: of its own balance. undefined: none has said anything of it. */
    conclusionOf(id: string): Conclusion | undefined {
      const row = conclusion.get(id);
      if (!row) return undefined;
      const { segment, verdict, observed, drawn_on, own } = row;
      return {
        segment: Number(segment),
        verdict: String(verdict),
        observed: observed === null ? null : Number(observed),
        drawnOn: String(drawn_on),
        isOwn: own === 1,
      };
    },
    /** Calls that were given back count again: a later fall may be their late charge. */
    countAgain: ({ id, origin, fingerprint, to }: StoredSegment): void =>
      void countAgain.run({
        origin,
        fingerprint,
        segment: id,
        since: new Date(Date.parse(to.answered.at) - namedForMs).toISOString(),
      }),
    /** Puts every call back to what was known when it ended. */
    forgetConclusions: (): void => void forget.run(),
  };
}
