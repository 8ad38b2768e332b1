import type { DatabaseSync } from 'node:sqlite';
import type { BalanceSource } from '../../../shared/domain/credits/credits.ts';
import type { Purse } from '../storage/one-balance.ts';
import { type CallFact, type Ending, isCandidate, type SampleFact } from './facts.ts';
import { expiryWithin, type Segment, sumOfPrices } from './reconcile.ts';

export interface StoredSegment extends Segment {
  /** Sequence of the reading that closes it. */
  id: number;
  from: StoredSample;
  to: StoredSample;
}

/** A sample as it is in the database, with what a row of the ledger needs from it. */
export interface StoredSample extends SampleFact {
  /** Its row. */
  sequence: number;
  connectionId: string;
  label: string;
  source: BalanceSource;
  /** The ledger's row of the call that read it, if that call may cost something. */
  ownCall: string | null;
}

type Row = Record<string, unknown>;
const number = (value: unknown): number | null => (value == null ? null : Number(value));

const callColumns = `id, interface, origin, other_origin, fingerprint, expected, at, sent_sequence, sent_boot, sent_elapsed, ending, ended_sequence,
  ended_at, ended_boot, ended_elapsed, horizon_ms`;
const sampleColumns = `sequence, connection_id, source, label, origin, fingerprint, own_call, credits, used, total, expiry_date, at,
  asked_at, asked_sequence, asked_elapsed, answered_sequence, answered_elapsed, boot, process_start, process_start_sequence`;

function readCall(row: Row): CallFact {
  const ended = row.ending === null ? null : String(row.ending);
  return {
    id: String(row.id),
    interface: row.interface === 'soap' ? 'soap' : 'rest',
    origins: [String(row.origin), String(row.other_origin)].filter((origin) => origin !== ''),
    fingerprint: String(row.fingerprint),
    most: number(row.expected),
    sent: {
      sequence: Number(row.sent_sequence),
      at: String(row.at),
      boot: String(row.sent_boot),
      elapsedMs: Number(row.sent_elapsed),
    },
    ended:
      ended === null
        ? null
        : {
            sequence: Number(row.ended_sequence),
            at: String(row.ended_at),
            boot: String(row.ended_boot),
            elapsedMs: Number(row.ended_elapsed),
            how: ended as Ending,
            horizonMs: Number(row.horizon_ms),
          },
  };
}

const endOf = ({ ended }: CallFact): number => ended?.sequence ?? 0;

const readSample = (row: Row): StoredSample => ({
  id: String(row.sequence),
  sequence: Number(row.sequence),
  connectionId: String(row.connection_id),
  source: row.source as BalanceSource,
  label: String(row.label),
  origin: String(row.origin),
  fingerprint: String(row.fingerprint),
  ownCall: row.own_call == null ? null : String(row.own_call),
  credits: Number(row.credits),
  used: number(row.used),
  total: number(row.total),
  expiryDate: row.expiry_date == null ? null : String(row.expiry_date),
  asked: {
    sequence: Number(row.asked_sequence),
    at: String(row.asked_at),
    boot: String(row.boot),
    elapsedMs: Number(row.asked_elapsed),
  },
  answered: {
    sequence: Number(row.answered_sequence),
    at: String(row.at),
    boot: String(row.boot),
    elapsedMs: Number(row.answered_elapsed),
  },
  processStart: { sequence: Number(row.process_start_sequence), elapsedMs: Number(row.process_start) },
});

export type SegmentsRepository = ReturnType<typeof openSegmentsRepository>;

/** In a condition on the ledger: calls that may draw on a balance, given by `inScope`. */
export const scope = `(origin = :origin OR other_origin = :origin)
  AND (:separate = 0 OR interface = 'soap' OR fingerprint = :fingerprint)`;

/** Calls and samples as facts, and the cache of closed segments. Throws where SQLite does. */
export function openSegmentsRepository(sql: DatabaseSync) {
  const next = sql.prepare('UPDATE fact_sequence SET last = last + 1 RETURNING last');
  const last = sql.prepare('SELECT last FROM fact_sequence');
  const sent = `sent_sequence IS NOT NULL AND ending IS NOT 'unsent'`;
  // Written exactly like the condition of the index ledger_open, so that it is used.
  const openCalls = sql.prepare(
    `SELECT ${callColumns} FROM ledger WHERE sent_sequence IS NOT NULL AND (ending IS NULL OR ending IN ('lost', 'dead'))
     AND segment IS NULL AND sent_sequence < :answered AND ${scope}`,
  );
  // By the calls that ended since, which are few: SQLite would go through all that were sent before.
  const endedAfter = sql.prepare(
    `SELECT ${callColumns} FROM ledger INDEXED BY ledger_ended WHERE ${sent} AND ended_sequence > :asked AND sent_sequence < :answered
     AND ${scope}`,
  );
  const sentBetween = sql.prepare(
    `SELECT ${callColumns} FROM ledger INDEXED BY ledger_sent WHERE ${sent} AND sent_sequence >= :from AND sent_sequence < :to
     AND ended_sequence > :since`,
  );
  // What a later reading, of another balance, shows of a call leaves open whether this one shows it.
  const concludedSince = sql.prepare(
    `SELECT ${callColumns} FROM ledger WHERE ${sent} AND ending IN ('lost', 'dead') AND ${scope} AND segment > coalesce(
       (SELECT sequence FROM balance_readings WHERE sequence < :sample AND answered_sequence <= :asked ORDER BY sequence DESC LIMIT 1), 0)`,
  );
  const callsBetween = sql.prepare(
    `SELECT ${callColumns} FROM ledger WHERE ${sent} AND sent_sequence > :after AND sent_sequence <= :until AND ${scope}
     ORDER BY sent_sequence`,
  );
  const callById = sql.prepare(`SELECT ${callColumns} FROM ledger WHERE id = ?`);
  const sample = sql.prepare(`SELECT ${sampleColumns} FROM balance_readings WHERE sequence = ?`);
  const lastCut = sql.prepare(
    `SELECT ${sampleColumns} FROM balance_readings WHERE version > 1 AND origin = :origin AND fingerprint = :fingerprint
     AND cut = 1 AND answered_sequence < :before ORDER BY answered_sequence DESC LIMIT 1`,
  );
  const firstCut = sql.prepare(
    `SELECT ${sampleColumns} FROM balance_readings WHERE version > 1 AND origin = :origin AND fingerprint = :fingerprint
     AND cut = 1 AND asked_sequence >= :after ORDER BY answered_sequence LIMIT 1`,
  );
  const lastSample = sql.prepare(
    `SELECT ${sampleColumns} FROM balance_readings WHERE version > 1 AND fingerprint = :fingerprint AND origin = :origin
     AND credits IS NOT NULL ORDER BY answered_sequence DESC LIMIT 1`,
  );
  const accountOf = sql.prepare(
    `SELECT coalesce(
       (SELECT fingerprint FROM secret_handles WHERE connection_id = :connectionId AND role = 'account-guid' AND preferred = 1),
       (SELECT fingerprint FROM balance_readings WHERE connection_id = :connectionId AND source = 'soap-account' AND version > 1
        AND origin = :origin ORDER BY at DESC LIMIT 1)) AS fingerprint`,
  );
  const firstPayer = sql.prepare(
    `SELECT role, fingerprint FROM secret_handles WHERE connection_id = :connectionId AND preferred = 1
     AND (role IN ('licence-id', 'account-guid', 'licence-key') OR role = 'lookup-key' AND :hasRest)
     ORDER BY instr('lookup-key licence-id account-guid licence-key', role) LIMIT 1`,
  );
  const lastReadKey = sql.prepare(
    `SELECT fingerprint FROM balance_readings WHERE connection_id = :connectionId AND source = 'rest-key' AND version > 1
     AND origin = :origin ORDER BY at DESC LIMIT 1`,
  );
  const firstOfBoot = sql.prepare(
    `SELECT ${sampleColumns} FROM balance_readings WHERE version > 1 AND boot = :boot AND asked_sequence >= :ended
     AND answered_sequence < :before ORDER BY asked_sequence LIMIT 1`,
  );
  const samples = sql.prepare(
    `SELECT ${sampleColumns}, min(asked_sequence) OVER (ORDER BY answered_sequence DESC) AS since
     FROM balance_readings WHERE version > 1 AND credits IS NOT NULL ORDER BY answered_sequence`,
  );
  const lostCalls = sql.prepare(`SELECT ${callColumns} FROM ledger WHERE ${sent} AND ending IN ('lost', 'dead')`);
  const markCut = sql.prepare('UPDATE balance_readings SET cut = :cut WHERE sequence = :sequence');
  const insert = sql.prepare(
    `INSERT OR REPLACE INTO segments (to_reading, from_reading, origin, fingerprint, from_at, to_at, kind, credits, added, calls,
       prices, expiry)
     VALUES (:to, :from, :origin, :fingerprint, :fromAt, :toAt, :kind, :credits, :added, :calls, :prices, :expiry)`,
  );
  const find = sql.prepare('SELECT * FROM segments WHERE to_reading = ?');
  const separate = sql.prepare('SELECT 1 FROM separate_purses WHERE origin = ?');
  const declareSeparate = sql.prepare('INSERT OR REPLACE INTO separate_purses (origin, said_at) VALUES (:origin, :at)');
  const saidSeparate = sql.prepare(
    `INSERT INTO purse_statements (origin, sequence, at) VALUES (:origin, :sequence, :at)
     ON CONFLICT DO UPDATE SET sequence = :sequence, at = :at`,
  );
  const statement = sql.prepare(
    'SELECT max(sequence) AS sequence, at FROM purse_statements WHERE origin IN (:origin, :other)',
  );
  // Bounded: what was concluded about a call is among the segments just before the one that concludes it now.
  const segmentsOver = sql.prepare(
    `SELECT one.to_reading AS id, one.origin, one.fingerprint, one.kind FROM (SELECT * FROM segments WHERE to_reading < :current
       ORDER BY to_reading DESC LIMIT 500) one
     JOIN balance_readings opening ON opening.sequence = one.from_reading
     JOIN balance_readings closing ON closing.sequence = one.to_reading
     WHERE one.origin IN (:origin, :other) AND (:call IN (opening.own_call, closing.own_call)
         OR (opening.answered_sequence < :sent AND closing.asked_sequence >= :sent)) AND closing.answered_sequence <= :asOf ORDER BY closing.answered_sequence`,
  );
  const declareShared = sql.prepare('DELETE FROM separate_purses WHERE origin = ?');
  const clear = sql.prepare('DELETE FROM segments');

  const isSeparate = (origin: string): boolean => separate.get(origin) !== undefined;
  const inScope = ({ origin, fingerprint }: Purse) => ({ origin, fingerprint, separate: isSeparate(origin) ? 1 : 0 });

  /** The calls of a segment: those sent within it, and the balance calls at both its ends if they may cost something. */
  function callsOf(from: StoredSample, to: StoredSample): CallFact[] {
    const ends = [from.ownCall, to.ownCall].flatMap((id) => {
      const row = id === null ? undefined : callById.get(id);
      return row ? [readCall(row)] : [];
    });
    const inside = callsBetween
      .all({ ...inScope(to), after: from.answered.sequence, until: to.asked.sequence })
      .map(readCall);
    return [...ends, ...inside].sort((a, b) => a.sent.sequence - b.sent.sequence);
  }

  const readSegment = (row: Row): StoredSegment | undefined => {
    const fromRow = sample.get(Number(row.from_reading));
    const toRow = sample.get(Number(row.to_reading));
    if (!fromRow || !toRow) return undefined;
    const [from, to] = [readSample(fromRow), readSample(toRow)];
    const credits = Number(row.credits);
    return {
      id: to.sequence,
      origin: to.origin,
      fingerprint: to.fingerprint,
      from,
      to,
      calls: callsOf(from, to),
      movement:
        row.kind === 'fell'
          ? { kind: 'fell', fall: credits, added: Number(row.added) }
          : row.kind === 'rose'
            ? { kind: 'rose', rise: credits }
            : { kind: row.kind as 'still' | 'unclear' },
    };
  };

  return {
    /** The next number for a fact; inside a write transaction. */
    nextSequence: (): number => Number(next.get()?.last),
    lastSequence: (): number => Number(last.get()?.last),
    isSeparate,
    inScope,
    /** Inside a write transaction. */
    declareSeparate(origin: string, isSeparate: boolean, at: string): void {
      saidSeparate.run({ origin, at, sequence: Number(next.get()?.last) });
      if (isSeparate) declareSeparate.run({ origin, at });
      else declareShared.run(origin);
    },
    /** When a person last said whether the keys of an origin share a balance. */
    lastStatement(origin: string, other: string): { sequence: number; at: string } | undefined {
      const row = statement.get({ origin, other });
      return row?.sequence == null ? undefined : { sequence: Number(row.sequence), at: String(row.at) };
    },
    /** The segments over a call, closed after no later fact than `asOf` and before `current`, in the order in which they closed. */
    segmentsOver: (query: {
      call: string;
      origin: string;
      other: string;
      sent: number;
      asOf: number;
      current: number;
    }): (Purse & { id: number; kind: string })[] =>
      segmentsOver.all(query).map((row) => ({
        id: Number(row.id),
        origin: String(row.origin),
        fingerprint: String(row.fingerprint),
        kind: String(row.kind),
      })),
    /** Candidates that were sent before a sample was answered and ended after it was requested. */
    callsBeside: (sample: StoredSample): CallFact[] =>
      endedAfter
        .all({ ...inScope(sample), asked: sample.asked.sequence, answered: sample.answered.sequence })
        .map(readCall),
    /**
     * Candidates whose window may meet a sample: without an end, beside it, or lost and in no segment when it was requested, whether or not
     * the wait is over. One may be named twice.
     */
    callsThatMayMeet(sample: StoredSample, beside: readonly CallFact[]): CallFact[] {
      const candidates = inScope(sample);
      const { asked, answered, sequence } = sample;
      return [
        ...openCalls.all({ ...candidates, answered: answered.sequence }).map(readCall),
        ...beside,
        ...concludedSince.all({ ...candidates, asked: asked.sequence, sample: sequence }).map(readCall),
      ];
    },
    /** All calls, of any balance, that brought no complete answer: a charge for each is awaited until its horizon has passed. */
    lostCalls: (): CallFact[] => lostCalls.all().map(readCall),
    sample(sequence: number): StoredSample | undefined {
      const row = sample.get(sequence);
      return row && readSample(row);
    },
    /** The first sample of the sample's boot after the end of a call that ended in another boot. */
    firstOfBoot(sample: StoredSample, { ended }: CallFact): StoredSample[] {
      if (ended === null || ended.boot === sample.asked.boot) return [];
      const row = firstOfBoot.get({ boot: sample.asked.boot, ended: ended.sequence, before: sample.answered.sequence });
      return row ? [readSample(row)] : [];
    },
    /** The last clean cut answered before a fact. */
    lastCutBefore(purse: Purse, sequence: number): StoredSample | undefined {
      const row = lastCut.get({ origin: purse.origin, fingerprint: purse.fingerprint, before: sequence });
      return row && readSample(row);
    },
    /** The first clean cut requested after a fact. */
    firstCutAfter(purse: Purse, sequence: number): StoredSample | undefined {
      const row = firstCut.get({ origin: purse.origin, fingerprint: purse.fingerprint, after: sequence });
      return row && readSample(row);
    },
    /** The last one with a figure, clean cut or not. */
    lastSample(purse: Purse): StoredSample | undefined {
      const row = lastSample.get({ origin: purse.origin, fingerprint: purse.fingerprint });
      return row && readSample(row);
    },
    /** The same of the account of a connection at a server: by the GUID that it holds, or else the one that it was last read with. */
    lastOfAccount(connectionId: string, origin: string): StoredSample | undefined {
      const fingerprint = accountOf.get({ connectionId, origin })?.fingerprint;
      const row = fingerprint == null ? undefined : lastSample.get({ origin, fingerprint });
      return row && readSample(row);
    },
    /** What pays for a call of a connection where no key is chosen: the lookup key used first, without one what goes with a call over SOAP. */
    firstPayer(connectionId: string, hasRest: boolean): Pick<CallFact, 'interface' | 'fingerprint'> {
      const row = firstPayer.get({ connectionId, hasRest: hasRest ? 1 : 0 });
      return { interface: row?.role === 'lookup-key' ? 'rest' : 'soap', fingerprint: String(row?.fingerprint ?? '') };
    },
    /** The key that the balance of a connection was last read with over REST at an origin; empty: it was not. */
    lastReadKey: (connectionId: string, origin: string): string =>
      String(lastReadKey.get({ connectionId, origin })?.fingerprint ?? ''),
    /** All in the order of their answers, with `callsBeside` of each. Every call is looked at once, however many samples there are. */
    *allSamples(): Generator<{ sample: StoredSample; beside: CallFact[] }> {
      let underWay: CallFact[] = [];
      let from = 0;
      for (const row of samples.iterate()) {
        const sample = readSample(row);
        // Of all that are still to come: one that was answered later may have been requested earlier.
        const since = Number(row.since);
        const to = sample.answered.sequence;
        const more = sentBetween.all({ from, to, since }).map(readCall);
        from = to;
        underWay = [...underWay.filter((call) => endOf(call) > since), ...more];
        const separate = isSeparate(sample.origin);
        const isBeside = (call: CallFact) => endOf(call) > sample.asked.sequence && isCandidate(call, sample, separate);
        yield { sample, beside: underWay.filter(isBeside) };
      }
    },
    callsOf,
    markCut: (sequence: number, isCut: boolean): void => void markCut.run({ sequence, cut: isCut ? 1 : 0 }),
    insert(segment: StoredSegment): void {
      const { movement, from, to } = segment;
      insert.run({
        to: segment.id,
        from: from.sequence,
        origin: segment.origin,
        fingerprint: segment.fingerprint,
        fromAt: from.asked.at,
        toAt: to.answered.at,
        kind: movement.kind,
        credits: movement.kind === 'fell' ? movement.fall : movement.kind === 'rose' ? movement.rise : 0,
        added: movement.kind === 'fell' ? movement.added : 0,
        calls: segment.calls.length,
        prices: sumOfPrices(segment.calls),
        expiry: expiryWithin(segment),
      });
    },
    find(id: number): StoredSegment | undefined {
      const row = find.get(id);
      return row && readSegment(row);
    },
    /** Drops the cache of segments. */
    clear: (): void => void clear.run(),
  };
}
