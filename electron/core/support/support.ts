import { release } from 'node:os';
import { soapOperations } from '../../../shared/catalogue/soap-operations.ts';
import type { MoneyClaim } from '../../../shared/claims/money-claims.ts';
import type { SupportMask, SupportPart } from '../../../shared/contract/support.ts';
import type { CallRecord } from '../../../shared/domain/activity.ts';
import type { Exchange } from '../../../shared/domain/call.ts';
import type { Connection } from '../../../shared/domain/connection.ts';
import { wholeTable } from '../../../shared/domain/row-filter.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { type Clock, isoNow } from '../../ports.ts';
import type { ActivityLog } from '../activity/activity-log.ts';
import { readStoredAnswer } from '../answers/stored-answer.ts';
import type { Descriptions } from '../calls/descriptions.ts';
import type { Balances } from '../credits/balances.ts';
import { readEvidence } from '../credits/evidence.ts';
import type { Ledger } from '../spend/ledger.ts';
import type { Database } from '../storage/database/database.ts';
import { attempt, attemptLater } from '../storage/database/errors.ts';
import { openSaidRepository } from '../storage/said-repository.ts';
import type { Exchanges } from './exchanges.ts';
import { createMasker } from './support-masks.ts';
import { aroundMinutes, describeSupport } from './support-parts.ts';

export interface SupportParts {
  db: Database;
  clock: Clock;
  log: ActivityLog;
  ledger: Ledger;
  balances: Pick<Balances, 'samplesAround'>;
  exchanges: Pick<Exchanges, 'find'>;
  descriptions: Pick<Descriptions, 'lastSummary'>;
  connections: { list(): Result<Connection[]> };
  machineName: string;
  userName: string;
}

export interface PreparedSupport {
  operation: string;
  parts: SupportPart[];
  claims: MoneyClaim[];
  /** How many other calls, shortly before and after it, are in the file, and how many there were. */
  around: number;
  aroundOf: number;
  describedAt: string | null;
}

/** Operations that take a machine, which their calls have in their subject. */
const machineOperations = soapOperations
  .filter(({ fields }) => fields.some(({ name }) => name === 'sMachineName'))
  .map(({ name }) => name);
/** The machine in a subject, which may have the licence before it. */
const machineIn = (subject: string): string => subject.replace(/^(?:licence )?\d+, /, '');

const mostAround = 200;
const minute = 60_000;

/** Everything of one call that a provider or a developer needs, masked. Errors: 'bad-input', 'storage-failed'. */
export function createSupport(parts: SupportParts) {
  const { db, clock, log, ledger, balances, exchanges, descriptions, connections } = parts;
  // An answer is entered a moment after its call began, so that only few are checked.
  const findStored = db.sql.prepare(
    `SELECT value, pieces FROM held_answers WHERE connection_id = :connectionId AND at >= :from AND at <= :to
     AND json_valid(value) AND json_extract(value, '$.callId') = :callId LIMIT 1`,
  );
  const machines = db.sql.prepare('SELECT name FROM machine_inventory UNION SELECT machine FROM machine_holding');
  // One that was only typed, and whose first call failed, is in neither.
  const namedInCalls = db.sql.prepare(`SELECT DISTINCT subject FROM calls
    WHERE operation IN (SELECT value FROM json_each(?)) AND subject NOT IN (operation, 'all licences')`);

  /** From this run's memory, else from the saved answer. 'long': it is saved, but its text is stored apart and is not read for this. */
  function exchangeOf(callId: string, connectionId: string, at: string, durationMs: number): Exchange | 'long' | null {
    const recent = exchanges.find(callId);
    if (recent) return recent;
    const from = new Date(Date.parse(at) - minute).toISOString();
    const to = new Date(Date.parse(at) + durationMs + minute).toISOString();
    const row = findStored.get({ connectionId, callId, from, to });
    if (row && Number(row.pieces) > 0) return 'long';
    const stored = row && readStoredAnswer(JSON.parse(String(row.value)));
    return stored
      ? { request: stored.request, raw: stored.raw, ...(stored.timings ? { timings: stored.timings } : {}) }
      : null;
  }

  async function prepare(
    callId: string,
    masks: readonly SupportMask[],
    program: { version: string; host: string },
  ): Promise<Result<PreparedSupport>> {
    const found = log.findCall(callId);
    if (!found.ok) return found;
    const call = found.value;
    const dead = ledger.findDead();
    if (!dead.ok) return dead;
    const all = connections.list();
    if (!all.ok) return all;
    const connection = all.value.find(({ id }) => id === call.connectionId) ?? null;
    const near = (minutes: number) => new Date(Date.parse(call.at) + minutes * minute).toISOString();
    const others = await attemptLater(async () => {
      const found: CallRecord[] = [];
      const within = { ...wholeTable, from: near(-aroundMinutes), to: near(aroundMinutes) };
      for (let before: string | null = null; ; ) {
        const page = await log.search.list(within, { before, limit: mostAround, fold: false }, () => []);
        for (const one of page.calls) if (one.id !== callId && one.connectionId === call.connectionId) found.push(one);
        before = page.next;
        if (before === null) return found;
      }
    });
    if (!others.ok) return others;
    const apart = ({ at }: CallRecord) => Math.abs(Date.parse(at) - Date.parse(call.at));
    const oldestFirst = others.value.toReversed();
    const nearest = new Set(oldestFirst.toSorted((a, b) => apart(a) - apart(b)).slice(0, mostAround));
    const around = oldestFirst.filter((one) => nearest.has(one));
    const masker = attempt(() =>
      createMasker({
        masks,
        subjects: [call, ...around].map(({ subject }) => subject),
        machines: [
          parts.machineName,
          ...all.value.map(({ machineId }) => machineId),
          ...machines.all().map(({ name }) => String(name)),
          ...namedInCalls.all(JSON.stringify(machineOperations)).map(({ subject }) => machineIn(String(subject))),
        ],
        people: [parts.userName, ...[call, ...around].map(({ person }) => person)],
        addresses: all.value.flatMap(({ restBaseUrl, soapUrl }) => [restBaseUrl, soapUrl]),
      }),
    );
    if (!masker.ok) return masker;
    // Its other calls may lie outside those minutes, so that the masker does not know their subjects.
    const evidence = readEvidence(call, { balances, ledger }, masker.value.subject);
    if (!evidence.ok) return evidence;
    return attempt(() => {
      const drift = connection ? descriptions.lastSummary(connection) : null;
      const exchange = exchangeOf(callId, call.connectionId, call.at, call.durationMs);
      const schema = db.sql.prepare('PRAGMA user_version').get()?.user_version;
      const described = describeSupport(
        {
          call,
          connection,
          exchange: exchange === 'long' ? null : exchange,
          isLong: exchange === 'long',
          evidence: evidence.value,
          around,
          aroundOf: others.value.length,
          drift,
          versions: {
            'Address Console': program.version,
            'runs on': program.host,
            system: `${process.platform} ${release()} ${process.arch}`,
            Node: process.versions.node,
            ...engineVersions(process.versions),
            database: `version ${schema}`,
          },
          masks,
          madeAt: isoNow(clock),
        },
        masker.value,
      );
      return {
        operation: call.operation,
        parts: described,
        claims: evidence.value.claims,
        around: around.length,
        aroundOf: others.value.length,
        describedAt: drift?.readAt ?? null,
      };
    });
  }

  /**
   * Enters that what is said of the call left the program: a claim that reads otherwise later quotes it. `begin` before the file gets its
   * name, `end` after; for a call without an entry in the ledger nothing is entered.
   */
  function enterSaid(callId: string) {
    const entry = ledger.findOfCall(callId);
    const about = entry.ok ? entry.value : undefined;
    let number: number | null = null;
    const fact = (asOf: number) => ({ at: isoNow(clock), connectionId: about?.connectionId ?? '', asOf });
    return {
      begin: (): Result<void> =>
        !about
          ? ok(undefined)
          : db.transaction(() => {
              const range = { from: about.at, to: about.at };
              number = openSaidRepository(db.sql).beginExport({ ...fact(ledger.lastFact()), range });
              return ok(undefined);
            }),
      end: (isSaved: boolean): Result<void> => {
        const begun = number;
        if (begun === null) return ok(undefined);
        return db.transaction(() =>
          ok(openSaidRepository(db.sql).end('export', begun, isSaved, fact(ledger.lastFact()))),
        );
      },
    };
  }

  return { prepare, enterSaid };
}

/** What decides about TLS: Electron has BoringSSL, which has no version but Chromium's, and a version of OpenSSL that means nothing. */
const engineVersions = ({ openssl = '', electron, chrome = '' }: NodeJS.ProcessVersions): Record<string, string> =>
  electron === undefined ? { OpenSSL: openssl } : { Electron: electron, Chromium: chrome };
