import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { type BalanceSample, type BalanceSource, balanceSampleSchema } from '../../../shared/domain/credits/credits.ts';
import { isTime } from './database/read-row.ts';
import type { Purse } from './one-balance.ts';
import { readingsOfServers, type Servers, serverParameters } from './servers.ts';

const prefixed = (table: string) =>
  `${table}.source, ${table}.label, ${table}.key_last_four AS keyLastFour, ${table}.credits, ${table}.used, ${table}.total,
  ${table}.expiry_date AS expiryDate, ${table}.text, ${table}.at`;
const columns = prefixed('balance_readings');
const storedSample = balanceSampleSchema.extend({ at: z.string().refine(isTime) });

/** None if damage on the disk made it unreadable: a figure whose source or time is unknown says nothing. */
function readSample(row: Record<string, unknown>): BalanceSample | undefined {
  const read = storedSample.safeParse(row);
  return read.success ? read.data : undefined;
}
const purseOf = (row: Record<string, unknown> | undefined): Purse => ({
  origin: String(row?.origin ?? ''),
  fingerprint: String(row?.fingerprint ?? ''),
});
const readSamples = (rows: Record<string, unknown>[]): BalanceSample[] => rows.flatMap((row) => readSample(row) ?? []);

// Streams and their servers are found step by step along the index, so a hundred thousand readings of three streams cost a few lookups.
const firstWhere = (more: string) =>
  `SELECT sequence FROM balance_readings WHERE connection_id = :connectionId ${more} ORDER BY source, label, key_last_four, origin LIMIT 1`;
// The newest of a stream is the last that was stored. Going by its time, what was read before the clock was set back would return as
// the newest when that time comes again. What was made up was stored after the reading that it leads up to.
export const newestSql = (which = ''): string =>
  `WITH RECURSIVE streams (source, label, key_last_four, origin) AS (
     SELECT source, label, key_last_four, origin FROM balance_readings WHERE sequence = (${firstWhere('')})
     UNION ALL
     SELECT after.source, after.label, after.key_last_four, after.origin FROM streams JOIN balance_readings after
       ON after.sequence = coalesce(
         (${firstWhere('AND source = streams.source AND label = streams.label AND key_last_four = streams.key_last_four AND origin > streams.origin')}),
         (${firstWhere('AND source = streams.source AND label = streams.label AND key_last_four > streams.key_last_four')}),
         (${firstWhere('AND source = streams.source AND label > streams.label')}),
         (${firstWhere('AND source > streams.source')}))
   ),
   newest AS (
     SELECT max((SELECT sequence FROM balance_readings one INDEXED BY readings_of_server WHERE one.connection_id = :connectionId
       AND one.source = streams.source AND one.label = streams.label AND one.key_last_four = streams.key_last_four
       AND one.origin = streams.origin AND one.at <= :until AND one.made_up = 0 ${which} ORDER BY one.sequence DESC LIMIT 1)) AS sequence
     FROM streams WHERE ${readingsOfServers} GROUP BY source, label, key_last_four
   )
   SELECT ${prefixed('sample')}, sample.origin, sample.fingerprint FROM newest JOIN balance_readings sample ON sample.sequence = newest.sequence`;

/** Later than any stored time. */
const always = '9999';

/**
 * Rows of balance readings. `until`: later readings are ignored; a clock that was ahead for a while would otherwise have the last word
 * until that time comes. Throws where SQLite does.
 */
export function openBalanceSamples(sql: DatabaseSync) {
  const insert = sql.prepare(
    `INSERT INTO balance_readings (connection_id, source, label, key_last_four, origin, credits, used, total, expiry_date, text, at)
     VALUES (:connectionId, :source, :label, :keyLastFour, :origin, :credits, :used, :total, :expiryDate, :text, :at)`,
  );
  const latest = sql.prepare(`${newestSql()} ORDER BY sample.source, sample.label, sample.key_last_four`);
  const newestFigure = sql.prepare(
    `${newestSql('AND one.credits IS NOT NULL')} WHERE sample.source = :source AND sample.label = coalesce(:label, sample.label)
     ORDER BY sample.sequence DESC LIMIT 1`,
  );
  const ofCall = `AND origin IN ('', coalesce(nullif((SELECT origin FROM ledger WHERE call_id = :callId), ''), origin))`;
  const ofStream =
    'connection_id = :connectionId AND source = :source AND label = :label AND key_last_four = :keyLastFour';
  const lastBefore = sql.prepare(
    `SELECT ${columns} FROM balance_readings WHERE ${ofStream} AND at < :at AND at >= :since ${ofCall}
     ORDER BY at DESC, sequence DESC LIMIT 1`,
  );
  const firstFrom = sql.prepare(
    `SELECT ${columns} FROM balance_readings WHERE ${ofStream} AND at >= :at ${ofCall} ORDER BY at, sequence LIMIT :limit`,
  );
  const figureWithin = `${ofStream} AND credits IS NOT NULL AND at >= :from AND at <= :to`;
  const lastWithin = sql.prepare(
    `SELECT ${columns}, sequence, origin, fingerprint FROM balance_readings WHERE ${figureWithin} ORDER BY at DESC, sequence DESC LIMIT 1`,
  );
  const firstWithin = sql.prepare(
    `SELECT ${columns}, sequence FROM balance_readings WHERE ${figureWithin} AND at > :after ORDER BY at, sequence LIMIT 1`,
  );
  const lastElsewhere = sql.prepare(
    `SELECT max((SELECT max(at) FROM balance_readings one WHERE one.connection_id = :connectionId AND one.source = :source
       AND one.label = other.label AND one.key_last_four = other.key_last_four AND one.origin = other.origin AND one.at <= :until)) AS at
     FROM (SELECT DISTINCT label, key_last_four, origin FROM reading_days
       WHERE connection_id = :connectionId AND source = :source AND origin NOT IN ('', :origin)) other`,
  );
  const lastCutBefore = sql.prepare(
    `SELECT sequence FROM balance_readings WHERE version > 1 AND origin = :origin AND fingerprint = :fingerprint AND cut = 1 AND at < :at
     ORDER BY answered_sequence DESC LIMIT 1`,
  );
  const pages = sql.prepare(
    `SELECT sequence, stands_for, origin, ${columns} FROM balance_readings WHERE connection_id = :connectionId AND at >= :from AND at <= :to
     AND (at, sequence) > (:afterAt, :afterSequence) ORDER BY at, sequence LIMIT :limit`,
  );
  const madeUp = sql.prepare(
    'SELECT min(at) AS since, max(at) AS until FROM balance_readings WHERE connection_id = ? AND made_up = 1',
  );
  type Stream = Pick<BalanceSample, 'source' | 'label' | 'keyLastFour'>;

  return {
    /**
     * The last figure of a stream between two times (ISO 8601 UTC, inclusive) with its balance, and the first one since any key was last
     * read from another server: what was spent there meanwhile was not off this balance. `first` and `last`: their sequences. None: there
     * is no figure.
     */
    figuresWithin(connectionId: string, { source, label, keyLastFour }: Stream, from: string, to: string) {
      const within = { connectionId, source, label, keyLastFour, from, to };
      const last = lastWithin.get(within);
      if (!last) return { ...purseOf(undefined), first: 0, last: 0, figures: [] };
      const { origin, fingerprint } = purseOf(last);
      const elsewhere = lastElsewhere.get({ connectionId, source, origin, until: String(last.at) });
      const first = firstWithin.get({ ...within, after: String(elsewhere?.at ?? '') }) ?? last;
      const sequences = { first: Number(first.sequence), last: Number(last.sequence) };
      return { origin, fingerprint, ...sequences, figures: readSamples([first, last]) };
    },
    /** The sequence of a balance's last clean cut before a time (ISO 8601 UTC); 0: there is none. */
    lastCutBefore: ({ origin, fingerprint }: Purse, at: string): number =>
      Number(lastCutBefore.get({ origin, fingerprint, at })?.sequence ?? 0),
    /** The last reading of a source with a figure, and whose balance it is. `label`: of this key; null: whatever the key. */
    newestFigure: (
      connectionId: string,
      source: BalanceSource,
      until: string,
      label: string | null,
      servers: Servers | null,
    ): { sample: BalanceSample; purse: Purse } | undefined => {
      const row = newestFigure.get({ connectionId, source, until, label, ...serverParameters(servers) });
      const sample = row && readSample(row);
      return sample && { sample, purse: purseOf(row) };
    },
    /**
     * Readings of all streams from a time to another (ISO 8601 UTC, inclusive), oldest first, `limit` rows at a time. `readings`: how many
     * readings a row represents, itself and equal ones just before it that were removed; `server`: where it was read, empty: not noted.
     */
    *pages(
      connectionId: string,
      from: string,
      to: string,
      limit: number,
    ): Generator<(BalanceSample & { readings: number; server: string })[]> {
      let after = { afterAt: '', afterSequence: 0 };
      for (;;) {
        const rows = pages.all({ connectionId, from, to, limit, ...after });
        const last = rows.at(-1);
        if (!last) return;
        yield rows.flatMap((row) => {
          const sample = readSample(row);
          return sample ? [{ ...sample, readings: Number(row.stands_for), server: String(row.origin) }] : [];
        });
        after = { afterAt: String(last.at), afterSequence: Number(last.sequence) };
      }
    },
    /** The stretch of readings made up for the demo connection; null: there are none. */
    madeUp(connectionId: string): { since: string; until: string } | null {
      const row = madeUp.get(connectionId);
      return row?.since == null ? null : { since: String(row.since), until: String(row.until) };
    },
    /** Returns its sequence. `origin`: the server that it was read from. */
    insert: (connectionId: string, origin: string, sample: BalanceSample): number =>
      Number(insert.run({ connectionId, origin, ...sample }).lastInsertRowid),
    /** The last reading of each stream, also one without a figure. */
    latest: (connectionId: string, until: string, servers: Servers | null): BalanceSample[] =>
      readSamples(latest.all({ connectionId, until, ...serverParameters(servers) })),
    /**
     * Of each key of a source, the last reading before a moment, not older than `since`, and the first ones from it on, of the server of
     * a call if it is in the ledger; all of them oldest first. By key, since those of one that is read often would leave no room for another's.
     */
    around: (query: {
      connectionId: string;
      source: BalanceSource;
      callId: string;
      at: string;
      since: string;
      limit: number;
    }): BalanceSample[] => {
      const { connectionId, source, callId, at, limit, since } = query;
      const streams = readSamples(latest.all({ connectionId, until: always, ...serverParameters(null) })).filter(
        (one) => one.source === source,
      );
      return streams
        .flatMap(({ label, keyLastFour }) => {
          const stream = { connectionId, source, label, keyLastFour, callId, at };
          return readSamples([...lastBefore.all({ ...stream, since }), ...firstFrom.all({ ...stream, limit })]);
        })
        .sort((a, b) => a.at.localeCompare(b.at));
    },
  };
}
