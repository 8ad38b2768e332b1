import type { DatabaseSync } from 'node:sqlite';
import { anyDay, toSecond } from '../../../shared/claims/moment.ts';
import { type MoneyClaim, moneyClaimSchema, renderMoneyClaims } from '../../../shared/claims/money-claims.ts';
import type { LedgerEntry } from '../../../shared/domain/credits/credits.ts';
import { isTime, noTime } from '../storage/database/read-row.ts';
import { openSaidRepository } from '../storage/said-repository.ts';
import { type CallStanding, claimsOfCall, isKnownVerdict, namedForMs, saidByFirstVersion } from './claims-of-call.ts';
import { isOwnPurse } from './facts.ts';
import { claimOfCall, claimsOfAddition, claimsOfFall, claimsOfMovement, expiryWithin } from './reconcile.ts';
import { openSegmentsRepository, type StoredSegment, scope } from './segments-repository.ts';

/** The columns of an entry; the table is referred to by its own name. */
export const ledgerColumns = `sequence, id, connection_id, at, call_id, interface, operation, subject, paid_by, expected, observed,
  balance_before, balance_after, verdict, since, explained, note, made_up, version, origin, other_origin, fingerprint, sent_sequence,
  ending, ending_code, ended_at, ended_sequence, horizon_ms, segment,
  (SELECT person FROM calls WHERE calls.id = ledger.call_id) AS person`;

export type Row = Record<string, unknown>;
/** A fact's position in the sequence, and its time by the clock. */
interface FactTime {
  sequence: number;
  at: string;
}
/** Characters of what a claim names: as many calls as fit whole, since part of an identifier is another one. */
const longestNames = 400;
const shorten = (names: string): string =>
  names.length > longestNames ? `${names.slice(0, longestNames - 1)}…` : names;

type FindSegment = (id: number) => StoredSegment | undefined;
export const text = (value: unknown): string | null => (value == null ? null : String(value));
const number = (value: unknown): number | null => (value == null ? null : Number(value));

/** Names of cells holding values that no program wrote. */
function brokenCells(row: Row): string[] {
  const times = ['at', 'since', 'ended_at'].filter(
    (name) => (row[name] != null || name === 'at') && !isTime(String(row[name])),
  );
  const figures = ['expected', 'observed', 'balance_before', 'balance_after'].filter(
    (name) => row[name] != null && typeof row[name] !== 'number',
  );
  const words = ['operation', 'subject', 'paid_by', 'verdict', 'note'].filter((name) => typeof row[name] !== 'string');
  const known = row.version === 1 ? isKnownVerdict(String(row.verdict)) : true;
  return [...times, ...figures, ...words, ...(known ? [] : ['verdict'])];
}

/**
 * Turns rows of the ledger (`ledgerColumns`) into entries: what the facts prove about each, up to now or up to a given fact, and what an
 * export or an alert said of it otherwise. Nothing is stored of that; it is worked out each time. Throws where SQLite does.
 */
export function openLedgerEntries(sql: DatabaseSync) {
  const segments = openSegmentsRepository(sql);
  const said = openSaidRepository(sql);
  const laterFall = sql.prepare(
    `SELECT segments.credits, segments.added, to_at, answered_sequence FROM segments JOIN balance_readings ON sequence = to_reading
     WHERE kind = 'fell' AND segments.origin IN (:origin, :other)
     AND (:interface = 'soap' OR segments.fingerprint = :fingerprint OR segments.origin NOT IN (SELECT origin FROM separate_purses))
     AND to_reading > :after AND to_at <= :until AND answered_sequence <= :asOf ORDER BY to_reading LIMIT 1`,
  );
  // The first reading of a balance may be the call itself.
  const cutBefore = sql.prepare(
    `SELECT 1 WHERE EXISTS (SELECT 1 FROM balance_readings WHERE version > 1 AND cut = 1 AND origin IN (:origin, :other)
       AND (:interface = 'soap' OR fingerprint = :fingerprint OR origin NOT IN (SELECT origin FROM separate_purses)) AND answered_sequence < :sent)
     OR (SELECT own_call FROM balance_readings WHERE version > 1 AND cut = 1 AND origin = :origin AND fingerprint = :fingerprint
       ORDER BY answered_sequence LIMIT 1) = :call`,
  );
  const candidates = sql.prepare(
    `SELECT operation, subject, count(*) OVER () AS calls FROM ledger INDEXED BY ledger_no_fall
     WHERE version > 1 AND verdict = 'no-fall' AND ended_at >= :since AND segment < :segment AND ${scope} ORDER BY at DESC LIMIT 20`,
  );

  const placesOf = (row: Row) => ({ origin: String(row.origin), other: String(row.other_origin) });

  /** The segment from which a call was judged when the facts went as far as `asOf`. */
  function segmentOf(row: Row, find: FindSegment, asOf: number): StoredSegment | undefined {
    const current = row.segment == null ? undefined : find(Number(row.segment));
    if (!current || current.to.answered.sequence <= asOf) return current;
    const call = { origins: [String(row.origin)], fingerprint: String(row.fingerprint) };
    const over = segments.segmentsOver({
      ...placesOf(row),
      call: String(row.id),
      sent: Number(row.sent_sequence),
      asOf,
      current: Number(row.segment),
    });
    const shown = over.findLast((purse) => isOwnPurse(call, purse)) ?? over.find(({ kind }) => kind === 'fell');
    return shown && find(shown.id);
  }

  /** What is known of a call from the facts up to `asOf`, and the last one that changed it. */
  function standingOf(row: Row, find: FindSegment, asOf: number): CallStanding & { lastFact: FactTime } {
    const segment = segmentOf(row, find, asOf);
    const call = segment?.calls.find(({ id }) => id === row.id);
    const verdict = segment && call ? claimOfCall(segment, call) : null;
    const places = placesOf(row);
    const hasEnded = row.ended_sequence == null || Number(row.ended_sequence) <= asOf;
    const later =
      verdict?.kind === 'no-fall' && row.ended_at != null
        ? laterFall.get({
            ...places,
            interface: String(row.interface),
            fingerprint: String(row.fingerprint),
            asOf,
            after: segment?.id ?? 0,
            until: new Date(Date.parse(String(row.ended_at)) + namedForMs).toISOString(),
          })
        : undefined;
    return {
      ending: hasEnded ? (text(row.ending) as CallStanding['ending']) : null,
      endingCode: text(row.ending_code),
      endedAt: hasEnded ? text(row.ended_at) : null,
      horizonMs: number(row.horizon_ms),
      verdict,
      expiry: segment?.movement.kind === 'fell' ? expiryWithin(segment) : null,
      readBefore:
        verdict !== null ||
        cutBefore.get({
          ...places,
          interface: String(row.interface),
          call: String(row.id),
          fingerprint: String(row.fingerprint),
          sent: Number(row.sent_sequence),
        }) !== undefined,
      later: later ? { fall: Number(later.credits), added: Number(later.added), at: String(later.to_at) } : null,
      lastFact: later
        ? { sequence: Number(later.answered_sequence), at: String(later.to_at) }
        : segment
          ? { sequence: segment.to.answered.sequence, at: segment.to.answered.at }
          : { sequence: Number(row.ended_sequence ?? row.sent_sequence), at: String(row.ended_at ?? row.at) },
    };
  }

  /** What an export said of a call, if it reads otherwise now. */
  function exportedOf(row: Row, find: FindSegment, now: readonly MoneyClaim[], lastFact: FactTime): MoneyClaim[] {
    const { origin, other } = placesOf(row);
    const statement = segments.lastStatement(origin, other);
    const before = Math.max(lastFact.sequence, statement?.sequence ?? 0);
    const since = Number(row.sent_sequence);
    const left = said.exportsOf({ connectionId: String(row.connection_id), at: String(row.at), since, before });
    return left.flatMap(({ saved, asOf, ...fact }): MoneyClaim[] => {
      const outlet = saved ? 'export' : 'export-perhaps';
      const at = toSecond(fact.at);
      if (statement && statement.sequence > asOf)
        return [{ kind: 'said-by-other-rule', outlet, at, until: toSecond(statement.at) }];
      const then = renderMoneyClaims(claimsOfCall(standingOf(row, find, asOf)), anyDay);
      if (then === renderMoneyClaims(now, anyDay)) return [];
      return [{ kind: 'said-then', outlet, at, until: toSecond(lastFact.at), words: then }];
    });
  }

  /**
   * What an alert said of a movement or a call, if it reads otherwise now: by a person's statement about the keys, or, of a call, by a later
   * fact.
   */
  function alertedOf(row: Row, now: readonly MoneyClaim[], lastFact?: FactTime): MoneyClaim[] {
    const alert = said.about(String(row.id)).findLast(({ outlet }) => outlet === 'alert');
    if (!alert) return [];
    const { origin, other } = placesOf(row);
    const changes = [segments.lastStatement(origin, other), lastFact];
    const change = changes.flatMap((one) => one ?? []).sort((a, b) => b.sequence - a.sequence)[0];
    if (!change || change.sequence <= alert.asOf) return [];
    const claims = moneyClaimSchema.array().parse(JSON.parse(alert.claims));
    const then = renderMoneyClaims(
      claims.filter(({ kind }) => kind !== 'said-then' && kind !== 'said-by-other-rule'),
      anyDay,
    );
    if (then === renderMoneyClaims(now, anyDay)) return [];
    const words = then.slice(0, 4000);
    return [{ kind: 'said-then', outlet: 'alert', at: toSecond(alert.at), until: toSecond(change.at), words }];
  }

  /** Calls for which no fall was seen, ended within a day before a movement: it may be the late charge of one. */
  function lateCandidates(segment: StoredSegment): MoneyClaim[] {
    if (segment.movement.kind !== 'fell') return [];
    const since = new Date(Date.parse(segment.to.answered.at) - namedForMs).toISOString();
    const found = candidates.all({ ...segments.inScope(segment), since, segment: segment.id });
    const [first] = found;
    if (!first) return [];
    let names = '';
    let named = 0;
    for (const { operation, subject } of found) {
      const next = `${names}${names === '' ? '' : ', '}${operation} ${subject}`.trim();
      if (next.length > longestNames && named > 0) break;
      names = next;
      named += 1;
    }
    return [{ kind: 'late-candidates', names: shorten(names), more: Number(first.calls) - named }];
  }

  function claimsOf(row: Row, find: FindSegment, asOf: number): MoneyClaim[] {
    if (row.made_up === 1) return [];
    if (row.version === 0) return [];
    if (row.version === 1) return [saidByFirstVersion(String(row.verdict), number(row.observed))];
    if (row.verdict !== 'unexplained') {
      const standing = standingOf(row, find, asOf);
      const claims = claimsOfCall(standing);
      const { lastFact } = standing;
      return [...claims, ...exportedOf(row, find, claims, lastFact), ...alertedOf(row, claims, lastFact)];
    }
    const segment = row.segment == null ? undefined : find(Number(row.segment));
    const observed = Number(row.observed);
    const claimsOf = observed > 0 ? claimsOfFall : observed < 0 ? claimsOfAddition : claimsOfMovement;
    // What was added is no call's charge.
    const late = segment && observed >= 0 ? lateCandidates(segment) : [];
    const claims = segment ? [...claimsOf(segment), ...late] : [];
    return [...claims, ...alertedOf(row, claims)];
  }

  /** Within one query: a page needs few segments, many times each. */
  function findOnce(): FindSegment {
    const known = new Map<number, StoredSegment | undefined>();
    return (id) => {
      if (!known.has(id)) known.set(id, segments.find(id));
      return known.get(id);
    };
  }

  /** A cell that damage on the disk made unreadable hides no other row: the row says so itself. */
  const readEntry = (row: Row, find = findOnce(), asOf = Number.MAX_SAFE_INTEGER): LedgerEntry => {
    const broken = brokenCells(row);
    if (broken.length === 0) return readWhole(row, find, asOf);
    const stands = Object.fromEntries(broken.map((name) => [name, name === 'at' ? noTime : null]));
    const entry = readWhole({ ...row, ...stands, version: 0 }, find, asOf);
    return { ...entry, note: `This row is damaged on the disk: ${broken.join(', ')}. ${entry.note}`.trim() };
  };

  const readWhole = (row: Row, find: FindSegment, asOf: number): LedgerEntry => {
    const segment = row.segment == null ? undefined : find(Number(row.segment));
    const isSince = segment !== undefined && segment.to.answered.sequence > asOf;
    return {
      id: String(row.id),
      at: String(row.at),
      kind: row.verdict === 'unexplained' ? 'movement' : 'call',
      callId: text(row.call_id),
      operation: row.verdict === 'unexplained' ? 'No priced call' : String(row.operation),
      subject: String(row.subject),
      paidBy: String(row.paid_by),
      expected: number(row.expected),
      // What followed only from later facts.
      observed: isSince ? null : number(row.observed),
      balanceBefore: isSince ? null : number(row.balance_before),
      balanceAfter: isSince ? null : number(row.balance_after),
      since: text(row.since),
      note: String(row.note),
      madeUp: row.made_up === 1,
      person: text(row.person) ?? '',
      claims: claimsOf(row, find, asOf),
    };
  };

  const readEntries = (rows: Row[], asOf?: number): LedgerEntry[] => {
    const find = findOnce();
    return rows.map((row) => readEntry(row, find, asOf));
  };

  return { readEntry, readEntries };
}
