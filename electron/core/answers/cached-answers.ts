import type { Connection, Protocol } from '../../../shared/domain/connection.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { type Clock, elapsedOf, isoNow } from '../../ports.ts';
import type { Database } from '../storage/database/database.ts';
import { attempt } from '../storage/database/errors.ts';
import { type FoldFunction, foldCase, foldFor } from '../storage/database/fold-case.ts';
import { type Accounts, accountAt, type FileConnection, openAccounts } from './accounts.ts';
import { type LongText, openAnswerPieces, type WrittenPieces } from './answer-pieces.ts';
import { type CacheKey, hashCacheKey } from './cache-key.ts';
import { allowedSpan, type CacheTime } from './cache-time.ts';

/** What lists need to know of an answer without reading its value. */
export interface CachedDescription {
  subject: string;
  /** How a list names it; the subject if absent. */
  label?: string;
  /** What it is about: `premise`, `search`, or another feature's own word. */
  topic?: string;
  interface?: Protocol;
  /** The service answered that there is nothing. */
  empty?: boolean;
  /** Further numbers by which the subject can be found: UPRN and UDPRN. */
  identifiers?: readonly string[];
  /** The account that was asked, if the connection may have been edited since; if absent, the connection as it is now. */
  accounts?: Accounts;
}

export interface CachedAnswer {
  /** The id of this answer alone: older answers to the same question have their own. */
  id: string;
  key: string;
  connectionId: string;
  interface: string;
  operation: string;
  topic: string;
  subject: string;
  label: string;
  value: unknown;
  /** The long text stored apart from the value; null: none. */
  longText: LongText | null;
  /** When it was stored, ISO 8601 UTC: later than its call by as long as that took. */
  at: string;
}
/** `bytes`: of its value and its long text, as UTF-8. */
export type CachedSummary = Omit<CachedAnswer, 'value' | 'longText'> & { bytes: number };

/** One subject, with the interfaces that have a cached answer about it. */
export interface CachedSubject {
  subject: string;
  /** Of the newest answer. */
  label: string;
  /** Of the newest answer. */
  at: string;
  interfaces: string[];
}

export interface SubjectPage {
  /** Subjects after this one, in text order; empty: from the first. */
  after: string;
  /** -1: all of them. */
  limit: number;
}
const wholeList: SubjectPage = { after: '', limit: -1 };

/** How many answers are cached, of all connections, in how many bytes; `outdated`: answers of them that the policy no longer allows. */
export interface CacheSize {
  answers: number;
  bytes: number;
  outdated: number;
}

/**
 * The cache is recounted after this many answers, or this share of the room, since another process stores answers too; sooner where room is
 * needed.
 */
const countedAfter = { answers: 256, share: 1 / 16, full: 32 };
/** Expired answers answer no question and are in no list; they are removed at most this often while answers come in. */
const sweptAfterMs = 60_000;
/** Removed in one turn: all answers of a large batch expire at the same time. */
const sweptAtOnce = 200;

/** Bytes of one answer; a list of a whole post town has about ten million. */
export const mostOfAnswer = 12_000_000;

type Row = Record<string, unknown>;

const withoutZeros = (digits: string): string => digits.replace(/^0+/, '');

/**
 * Answers already paid for, one row per call: the newest one answers its question, older ones stay for comparison until the policy expires
 * them. The policy is applied at each read, so a shorter time takes effect at once and a longer one brings back what is still here. An
 * answer belongs to the account that gave it (accounts.ts): answers of an address or key that the connection no longer has are
 * neither found by their question nor listed. `mostBytes`: of all of them together; `file`: the connection of a command that the database has
 * not. Values are stored as given: redact first. Errors: `storage-failed`.
 */
export function openCachedAnswers(
  db: Database,
  clock: Clock,
  mostBytes: () => number = () => 64_000_000,
  file: FileConnection | null = null,
) {
  const columns = 'id, key, connection_id AS connectionId, interface, operation, topic, subject, label, at';
  const freshOf = (ofRun: string): string =>
    `at >= :since AND at <= :until AND (:run IS NULL OR ${ofRun}) AND (empty = 0 OR at >= :emptySince)`;
  const fresh = freshOf('run = :run');
  // A window and commands store answers side by side, and each may keep its own until it ends.
  const kept = freshOf('run IN (SELECT value FROM json_each(:alive))');
  // Earlier versions knew only the connection: their answers count as long as it has not been edited since.
  const edited = 'SELECT updated_at FROM connections c WHERE c.id = connection_id';
  const own = `(account IN (SELECT value FROM json_each(:accounts)) OR (account = '' AND at >= coalesce((${edited}), '')))`;
  const accounts = openAccounts(db.sql, file);
  const parameter = ({ rest, soap }: Accounts) => ({ accounts: JSON.stringify([...rest, ...soap]) });
  const texts = openAnswerPieces(db);
  const newest = 'ORDER BY at DESC, rowid DESC';
  const find = db.sql.prepare(
    `SELECT ${columns}, value, pieces FROM held_answers WHERE key = :key AND ${own} AND ${fresh} ${newest} LIMIT 1`,
  );
  const recentBy = (fold: FoldFunction) =>
    db.sql.prepare(
      `SELECT ${columns}, bytes FROM held_answers WHERE connection_id = :connectionId AND ${own} AND ${fresh}
       AND (:search = '' OR instr(${fold}(label || ' ' || subject || ' ' || operation), :search) > 0) ${newest} LIMIT :limit`,
    );
  const recent = { lower: recentBy('lower'), fold_case: recentBy('fold_case') };
  const save = db.sql.prepare(
    `INSERT INTO held_answers (id, key, connection_id, interface, operation, topic, subject, label, value, pieces, bytes, at,
       run, account, empty, identifiers)
     VALUES (:id, :key, :connectionId, :interface, :operation, :topic, :subject, :label, :value, :pieces, :bytes, :at, :run,
       :account, :empty, :identifiers)`,
  );
  // The inner query is answered by the index alone: values are long, and this runs while somebody types.
  const identified = db.sql.prepare(
    `SELECT ${columns}, bytes, max(at) FROM held_answers
     WHERE rowid IN (SELECT rowid FROM held_answers WHERE connection_id = :connectionId AND topic = :topic
       AND (subject = :typed OR instr(identifiers, :identifier) > 0))
     AND ${own} AND ${fresh} GROUP BY subject ORDER BY subject = :typed DESC, max(at) DESC LIMIT 20`,
  );
  // The index is named, since by itself SQLite chooses the one in order of time and goes through all answers of the connection.
  const ofSubject = db.sql.prepare(
    `SELECT ${columns}, value, pieces FROM held_answers INDEXED BY held_answers_of_topic
     WHERE connection_id = :connectionId AND topic = :topic AND subject = :subject AND ${own} AND ${fresh} ${newest} LIMIT 100`,
  );
  // The bare columns are those of the row with max(at): SQLite's documented rule for an aggregate with a single max(). The covering index
  // has to be named, since SQLite does not choose it by itself: 20,000 subjects take a third of the time, and a part of them its share of
  // it.
  const subjects = db.sql.prepare(
    `SELECT subject, label, max(at) AS at, count(*) FILTER (WHERE interface = 'rest') AS rest,
       count(*) FILTER (WHERE interface = 'soap') AS soap
     FROM held_answers INDEXED BY held_answers_of_topic
     WHERE connection_id = :connectionId AND topic = :topic AND subject > :after
     AND operation IN (SELECT value FROM json_each(:operations)) AND ${own} AND ${fresh} GROUP BY subject LIMIT :limit`,
  );
  const hasKey = db.sql.prepare(
    'SELECT 1 FROM secret_handles WHERE connection_id = :connectionId AND fingerprint = :fingerprint',
  );
  const hasConnection = db.sql.prepare('SELECT 1 FROM connections WHERE id = ?');
  const paidWith = db.sql.prepare('SELECT fingerprint FROM ledger WHERE call_id = ?');
  const byId = db.sql.prepare(`SELECT ${columns}, value, pieces FROM held_answers WHERE id = ?`);
  const reusable = db.sql.prepare(`SELECT 1 FROM held_answers WHERE id = :id AND ${own} AND ${fresh}`);
  const total = db.sql.prepare('SELECT count(*) AS answers, coalesce(sum(bytes), 0) AS bytes FROM held_answers');
  const outdated = db.sql.prepare(`SELECT count(*) AS answers FROM held_answers WHERE NOT (${kept})`);
  const oldest = db.sql.prepare('SELECT id, bytes FROM held_answers ORDER BY at, rowid LIMIT 100');
  const remove = db.sql.prepare('DELETE FROM held_answers WHERE id = ?');
  // What is due is found by an index alone: behind their values, the times of all answers are on as many pages as the values.
  const purge = db.sql.prepare(
    `DELETE FROM held_answers WHERE rowid IN (SELECT rowid FROM held_answers INDEXED BY held_answers_of_topic WHERE NOT (${kept})
       LIMIT :most) RETURNING bytes`,
  );
  const runs = db.sql.prepare('SELECT DISTINCT run FROM held_answers');
  const clear = db.sql.prepare('DELETE FROM held_answers WHERE :connectionId IS NULL OR connection_id = :connectionId');

  const limitsOf = (policy: CacheTime) => allowedSpan(policy, clock.now(), db.run);
  function limitsOfAll(policy: CacheTime) {
    const limits = limitsOf(policy);
    const stored = limits.run === null ? [] : runs.all().map(({ run }) => String(run));
    return { ...limits, alive: JSON.stringify(stored.filter(db.isRunAlive)) };
  }

  /** Nothing if the file has lost a part of it, so that it is requested again. */
  function readAnswer({ value, pieces, ...row }: Row): CachedAnswer[] {
    const longText = pieces === 0 ? null : texts.open(String(row.id), Number(pieces));
    return longText === undefined ? [] : [{ ...row, value: JSON.parse(String(value)), longText } as CachedAnswer];
  }

  /** The last count plus what was stored since. Counting is one by one, so not for each of a hundred thousand. */
  let known: { bytes: number; stored: number; since: number } | null = null;
  let sweptAt = Number.NEGATIVE_INFINITY;

  /** Makes room by removing the oldest; returns how many were removed. */
  function keepWithin(bytes: number): number {
    const { answers, share, full } = countedAfter;
    const isLately = known !== null && known.stored < answers && known.since < mostBytes() * share;
    if (known && isLately && known.bytes <= bytes) return 0;
    const isKnown = known !== null && isLately && known.stored < full;
    let cached = known && isKnown ? known.bytes : Number(total.get()?.bytes);
    let gone = 0;
    while (cached > bytes) {
      const rows = oldest.all();
      if (rows.length === 0) break;
      for (const row of rows) {
        if (cached <= bytes) break;
        remove.run(String(row.id));
        cached -= Number(row.bytes);
        gone += 1;
      }
    }
    if (known && isKnown) known = { ...known, bytes: cached };
    else known = { bytes: cached, stored: 0, since: 0 };
    return gone;
  }

  function sweep(policy: CacheTime, most: number): Result<number> {
    return attempt(() => {
      texts.sweep();
      const removed = purge.all({ ...limitsOfAll(policy), most });
      if (known) known = { ...known, bytes: removed.reduce((left, { bytes }) => left - Number(bytes), known.bytes) };
      return removed.length;
    });
  }

  const mostOfOne = () => Math.min(mostBytes(), mostOfAnswer);

  function store(
    question: CacheKey,
    about: CachedDescription,
    value: string,
    written: WrittenPieces = { id: crypto.randomUUID(), pieces: 0, bytes: 0 },
  ): Result<string | null> {
    return db.transaction(() => {
      const bytes = Buffer.byteLength(value) + written.bytes;
      if (bytes > mostOfOne() || !texts.isWhole(written)) return ok(null);
      const { connectionId } = question;
      const [account] = (about.accounts ?? accounts(connectionId))[about.interface ?? 'rest'];
      // Removed meanwhile, or nothing says whose it is.
      const isKnown = connectionId === file?.connection.id || hasConnection.get(connectionId) !== undefined;
      if (!isKnown || account === undefined) return ok(null);
      keepWithin(mostBytes() - bytes);
      // For the other processes, which remove the answers of a run that has ended.
      db.acquireRunLock();
      save.run({
        id: written.id,
        key: hashCacheKey(question),
        connectionId,
        interface: about.interface ?? '',
        operation: question.operation,
        topic: about.topic ?? '',
        subject: about.subject,
        label: about.label ?? about.subject,
        value,
        pieces: written.pieces,
        bytes,
        at: isoNow(clock),
        run: db.run,
        empty: about.empty ? 1 : 0,
        identifiers: about.identifiers ? ` ${about.identifiers.map(withoutZeros).filter(Boolean).join(' ')} ` : '',
        account,
      });
      if (known) known = { bytes: known.bytes + bytes, stored: known.stored + 1, since: known.since + bytes };
      return ok(written.id);
    });
  }

  /**
   * The accounts to file an answer under that has just come. Those noted before its call may be of a key that the keychain turned out not to
   * have any more: then it is that of the key which went with the call, if the connection has it. Of a command's own connection it is always
   * that.
   */
  function accountsPaying(
    noted: Accounts,
    connectionId: string,
    { interface: protocol, callId }: { interface: Protocol; callId: string },
  ): Accounts {
    const paid = paidWith.get(callId)?.fingerprint;
    if (file?.connection.id === connectionId)
      return paid === undefined ? noted : { ...noted, [protocol]: [accountAt(file.connection, protocol, paid)] };
    const [account = ''] = noted[protocol];
    const at = account.lastIndexOf(' ') + 1;
    const has = (fingerprint: string) => hasKey.get({ connectionId, fingerprint }) !== undefined;
    if (has(account.slice(at))) return noted;
    const payer = String(paid);
    return has(payer) ? { ...noted, [protocol]: [account.slice(0, at) + payer] } : noted;
  }

  return {
    accountsPaying: (...of: Parameters<typeof accountsPaying>): Result<Accounts> =>
      attempt(() => accountsPaying(...of)),
    /** Whose answers the connection's are now. */
    accountsOf: (of: Connection | string, keyLabel?: string): Result<Accounts> => attempt(() => accounts(of, keyLabel)),
    /** The newest answer to a question from these accounts that the policy still allows. */
    find(question: CacheKey, own: Accounts, policy: CacheTime): Result<CachedAnswer | undefined> {
      return attempt(() => {
        const row = find.get({ key: hashCacheKey(question), ...parameter(own), ...limitsOf(policy) });
        return row && readAnswer(row)[0];
      });
    },
    /**
     * Stores one more answer to a question and returns its id; null: larger than `mostOfAnswer` or the whole limit,
     * or of a connection or a key that is not known any more, so it is not cached.
     */
    store: (question: CacheKey, about: CachedDescription, answer: unknown): Result<string | null> =>
      store(question, about, JSON.stringify(answer)),
    /**
     * The same, with the answer's long text stored apart from it, written over several turns of the event loop; `length` in characters.
     * null also if another process swept the text away while it was written.
     */
    async storeLong(
      question: CacheKey,
      about: CachedDescription,
      answer: unknown,
      longText: { length: number; parts: Iterable<string> },
    ): Promise<Result<string | null>> {
      if (longText.length > mostOfOne()) return ok(null);
      const written = await texts.write(longText.parts);
      if (!written.ok) return written;
      const cached = store(question, about, JSON.stringify(answer), written.value);
      const closed = texts.close(written.value, cached.ok && cached.value !== null);
      return closed.ok ? cached : closed;
    },
    /** Newest first, without their values; `search`: only those whose label, subject or operation contains it. */
    listRecent(connectionId: string, policy: CacheTime, limit: number, search = ''): Result<CachedSummary[]> {
      const words = foldCase(search.trim());
      return attempt(
        () =>
          recent[foldFor(words)].all({
            connectionId,
            limit,
            search: words,
            ...parameter(accounts(connectionId)),
            ...limitsOf(policy),
          }) as unknown as CachedSummary[],
      );
    },
    /** Subjects of a topic that have this number as name, or as identifier without leading zeros; 20 at most, the exact name first. */
    listIdentified(connectionId: string, topic: string, typed: string, policy: CacheTime): Result<CachedSummary[]> {
      return attempt(
        () =>
          identified.all({
            connectionId,
            topic,
            typed,
            // Zeros alone are no number of anything.
            identifier: ` ${withoutZeros(typed) || 'none'} `,
            ...parameter(accounts(connectionId)),
            ...limitsOf(policy),
          }) as unknown as CachedSummary[],
      );
    },
    /** The newest 100 answers cached about one subject of a topic, newest first, one per call. */
    listOfSubject(connectionId: string, topic: string, subject: string, policy: CacheTime): Result<CachedAnswer[]> {
      return attempt(() =>
        ofSubject
          .all({ connectionId, topic, subject, ...parameter(accounts(connectionId)), ...limitsOf(policy) })
          .flatMap(readAnswer),
      );
    },
    /** Subjects of a topic with an answer from one of the given operations, ordered by name, starting behind `after`. */
    listSubjects(
      of: Connection | string,
      topic: string,
      operations: readonly string[],
      policy: CacheTime,
      { after, limit }: SubjectPage = wholeList,
    ): Result<CachedSubject[]> {
      return attempt(() =>
        subjects
          .all({
            connectionId: typeof of === 'string' ? of : of.id,
            topic,
            operations: JSON.stringify(operations),
            after,
            limit,
            ...parameter(accounts(of)),
            ...limitsOf(policy),
          })
          .map((row) => ({
            subject: String(row.subject),
            label: String(row.label),
            at: String(row.at),
            interfaces: (['rest', 'soap'] as const).filter((one) => Number(row[one]) > 0),
          })),
      );
    },
    /** One answer by its id, whatever the policy says about reusing it. */
    findById(id: string): Result<CachedAnswer | undefined> {
      return attempt(() => {
        const row = byId.get(id);
        return row && readAnswer(row)[0];
      });
    },
    /** Whether an answer may answer its question again: the policy allows it, and it is of the account that the connection has now. */
    isReusable: (id: string, connectionId: string, policy: CacheTime): Result<boolean> =>
      attempt(() => reusable.get({ id, ...parameter(accounts(connectionId)), ...limitsOf(policy) }) !== undefined),
    size(policy: CacheTime): Result<CacheSize> {
      return attempt(() => {
        const row = total.get();
        return {
          answers: Number(row?.answers),
          bytes: Number(row?.bytes),
          outdated: Number(outdated.get(limitsOfAll(policy))?.answers),
        };
      });
    },
    /** Removes what the policy no longer allows; returns how many. */
    purge: (policy: CacheTime): Result<number> => sweep(policy, -1),
    /** One turn of it, some milliseconds of main; 0: nothing is due. */
    purgeSome: (policy: CacheTime): Result<number> => sweep(policy, sweptAtOnce),
    /** The same while answers come in, unless it was done recently. */
    purgeSometimes(policy: CacheTime): void {
      if (elapsedOf(clock) - sweptAt < sweptAfterMs) return;
      const swept = sweep(policy, sweptAtOnce);
      if (!swept.ok || swept.value < sweptAtOnce) sweptAt = elapsedOf(clock);
    },
    /** Removes the oldest until the limit is met; returns how many. */
    shrink: (): Result<number> =>
      db.transaction(() => {
        known = null;
        return ok(keepWithin(mostBytes()));
      }),
    /** Removes all, or all of one connection; returns how many. */
    clear: (connectionId: string | null): Result<number> =>
      attempt(() => {
        known = null;
        return Number(clear.run({ connectionId }).changes);
      }),
  };
}
