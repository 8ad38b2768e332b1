import { anyDay } from '../../../shared/claims/moment.ts';
import { type MoneyClaim, renderMoneyClaims } from '../../../shared/claims/money-claims.ts';
import type { BalanceSample, LedgerEntry } from '../../../shared/domain/credits/credits.ts';
import type { RowFilter } from '../../../shared/domain/row-filter.ts';
import { type CsvColumn, csvHead, csvRow } from '../../../shared/domain/text/csv.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { type Clock, isoNow } from '../../ports.ts';
import { openLedgerRepository } from '../spend/ledger-repository.ts';
import { ledgerCondition } from '../spend/ledger-search.ts';
import { openBalanceSamples } from '../storage/balance-samples-repository.ts';
import type { SubjectsOf } from '../storage/call-words.ts';
import type { Database } from '../storage/database/database.ts';
import { openSaidRepository } from '../storage/said-repository.ts';
import { maskGuids } from '../transport/redact/service-text.ts';

export interface ExportRequest {
  connectionId: string;
  what: 'ledger' | 'readings';
  format: 'csv' | 'json';
  /** ISO 8601 UTC, inclusive. */
  from: string;
  to: string;
  /** For the ledger: only what this key or licence paid for. */
  paidBy?: string | null;
  /** For the ledger: only what this filter lets through, within the range. */
  filter?: RowFilter | null;
}

const pageSize = 1000;

const ledgerHead = [
  'at',
  'since',
  'operation',
  'subject',
  'paidBy',
  'expected',
  'observed',
  'balanceBefore',
  'balanceAfter',
  'note',
  'callId',
  'madeUp',
  'claims',
] as const satisfies readonly (keyof LedgerEntry)[];
const sampleHead = [
  'at',
  'source',
  'label',
  'keyLastFour',
  'credits',
  'used',
  'total',
  'expiryDate',
  'text',
  'readings',
  'server',
] as const satisfies readonly (keyof BalanceSample | 'readings' | 'server')[];

/** A text written by a person or the service may hold a GUID, and here a GUID has the form of a secret: it leaves masked. */
const masked = (value: string | number | boolean | null) => (typeof value === 'string' ? maskGuids(value) : value);

/** Texts that may look like a number: an identifier that was asked for, a note, the service's own words. */
const identifiers = new Set(['subject', 'paidBy', 'note', 'label', 'keyLastFour', 'text']);

/** The rows, page by page. */
function pagesOf(db: Database, request: ExportRequest, asOf: number, subjectsOf: SubjectsOf) {
  const { connectionId, what, from, to, paidBy = null, filter = null } = request;
  const passing = filter ? ledgerCondition(connectionId, filter, subjectsOf) : undefined;
  return what === 'ledger'
    ? paidFor(openLedgerRepository(db.sql).pages({ connectionId, from, to }, pageSize, asOf, passing), paidBy)
    : openBalanceSamples(db.sql).pages(connectionId, from, to, pageSize);
}

function* paidFor(pages: Iterable<LedgerEntry[]>, paidBy: string | null): Generator<LedgerEntry[]> {
  for (const page of pages) {
    const rows = paidBy === null ? page : page.filter((entry) => entry.paidBy === paidBy);
    if (rows.length > 0) yield rows;
  }
}

/**
 * An export as pieces of text, one page of rows each, so that a year of a million entries is never in memory at once. A CSV is safe in a
 * spreadsheet; JSON is one array of objects. Call ids leave whole: they are this console's own. What is said of an entry leaves as its
 * sentences, every time with its date, by the facts up to `asOf`. Throws where SQLite does.
 */
export function* exportText(
  db: Database,
  request: ExportRequest,
  asOf: number,
  subjectsOf: SubjectsOf = () => [],
): Generator<{ text: string; rows: number }> {
  const head: readonly string[] = request.what === 'ledger' ? ledgerHead : sampleHead;
  const own = new Set(['callId']);
  const cellOf = (row: object, name: string) => {
    if ('claims' in row && name === 'claims') return masked(renderMoneyClaims(row.claims as MoneyClaim[], anyDay));
    const value = (row as Record<string, string | number | boolean | null>)[name] ?? null;
    return own.has(name) ? value : masked(value);
  };
  if (request.format === 'csv') {
    const columns = head.map(
      (name): CsvColumn => ({ head: name, kind: identifiers.has(name) ? 'identifier' : 'text' }),
    );
    yield { text: csvHead(columns), rows: 0 };
    for (const page of pagesOf(db, request, asOf, subjectsOf)) {
      const rows = page.map((row) =>
        csvRow(
          head.map((name) => cellOf(row, name)),
          columns,
        ),
      );
      yield { text: rows.join(''), rows: page.length };
    }
    return;
  }
  let started = false;
  for (const page of pagesOf(db, request, asOf, subjectsOf)) {
    const rows = page.map((row) => JSON.stringify(Object.fromEntries(head.map((name) => [name, cellOf(row, name)]))));
    yield { text: `${started ? ',\n' : '[\n'}${rows.join(',\n')}`, rows: page.length };
    started = true;
  }
  yield { text: started ? '\n]\n' : '[]\n', rows: 0 };
}

/**
 * An export by the facts up to `asOf`, and what to enter about it: `begin` when all of it is on disk and before its file gets its name,
 * `end` after. If the program ends between the two, it remains open whether the file exists, and whatever quotes it says so. Of readings
 * nothing is entered, and part of a range is entered by `begin` alone. Errors of both: `storage-failed`.
 */
export function prepareExport(
  db: Database,
  clock: Clock,
  request: ExportRequest,
  asOf: number,
  subjectsOf: SubjectsOf = () => [],
) {
  const { connectionId, what, from, to, paidBy = null, filter = null } = request;
  // For part of a range, the part is entered with it: an entry outside that part did not leave, and is not said to have.
  const part = paidBy === null && filter === null ? null : JSON.stringify({ paidBy, filter });
  let number: number | null = null;
  const fact = () => ({ at: isoNow(clock), connectionId, asOf });
  return {
    pieces: exportText(db, request, asOf, subjectsOf),
    begin(): Result<void> {
      if (what === 'readings') return ok(undefined);
      return db.transaction(() => {
        if (part !== null) {
          const whole = { ...fact(), outlet: 'export', about: 'part', range: { from, to }, claims: part } as const;
          return ok(openSaidRepository(db.sql).add(whole));
        }
        number = openSaidRepository(db.sql).beginExport({ ...fact(), range: { from, to } });
        return ok(undefined);
      });
    },
    end(isSaved: boolean): Result<void> {
      const begun = number;
      if (begun === null) return ok(undefined);
      return db.transaction(() => ok(openSaidRepository(db.sql).end('export', begun, isSaved, fact())));
    },
  };
}
