import { createBalances } from '../../electron/core/credits/balances.ts';
import { createForecaster, type ForecasterParts } from '../../electron/core/credits/forecaster.ts';
import type { Moment } from '../../electron/core/spend/facts.ts';
import type { CallEnd } from '../../electron/core/spend/ledger.ts';
import { createLedger, type NewSpend } from '../../electron/core/spend/ledger.ts';
import { ledgerColumns, openLedgerEntries } from '../../electron/core/spend/ledger-entries.ts';
import type { Database } from '../../electron/core/storage/database/database.ts';
import type { Purse } from '../../electron/core/storage/one-balance.ts';
import type { Clock } from '../../electron/ports.ts';
import type { BalanceSample, LedgerEntry } from '../../shared/domain/credits/credits.ts';
import { unwrap } from './temp-database.ts';

/** Of `connectionDraft`. */
export const origin = 'https://lookup.example';
/** A connection that leads to it. */
export const servers = { rest: origin, soap: origin };
const purse = { origin, fingerprint: 'contact-centre' };

/** Of a connection that leads to `origin`, with one balance and no preferred key. */
export const forecasterOf = (db: Database, clock: Clock, more: Partial<ForecasterParts> = {}) =>
  createForecaster(db, clock, {
    payerOf: () => undefined,
    serversFor: () => servers,
    isSeparate: () => false,
    ...more,
  });

/** Reads the newest entries of a connection, newest first. */
export function entriesReader({ sql }: Pick<Database, 'sql'>) {
  const { readEntries } = openLedgerEntries(sql);
  const newest = sql.prepare(
    `SELECT ${ledgerColumns} FROM ledger WHERE connection_id = ? ORDER BY sequence DESC LIMIT ?`,
  );
  return (connectionId: string, limit = 500): LedgerEntry[] => readEntries(newest.all(connectionId, limit));
}

/** Enters facts for a test: calls and samples of one balance, each a moment after the one before. */
export function factsOf(db: Database, clock: Clock, connectionId: string) {
  const ledger = createLedger(db, clock);
  const balances = createBalances(db, clock, ledger);
  const listEntries = entriesReader(db);
  const spend = (more: Partial<NewSpend> = {}): NewSpend => ({
    connectionId,
    callId: null,
    interface: 'rest',
    operation: 'GetPremise',
    subject: '00284147',
    paidBy: 'Contact centre',
    expected: 1,
    fingerprint: purse.fingerprint,
    origins: [origin],
    timeoutMs: 30_000,
    ...more,
  });

  return {
    ledger,
    balances,
    spend,
    /** Enters a call as sent and returns its id. */
    send: (more: Partial<NewSpend> = {}): string => unwrap(ledger.admit(spend(more)))?.id ?? '',
    end: (id: string, how: CallEnd['how'] = 'answered', code: string | null = null): void =>
      unwrap(ledger.endCall(id, { how, code })),
    /** Enters a call and its answer and returns its id. */
    call(more: Partial<NewSpend> = {}): string {
      const id = this.send(more);
      this.end(id);
      return id;
    },
    /** `ownCall`: the call that read it, if that may cost something; `asked`: when, of one that was under way beside another. */
    read(
      credits: number | null,
      more: Partial<BalanceSample> & Partial<Purse> & { ownCall?: Partial<NewSpend>; asked?: Moment } = {},
    ): BalanceSample {
      const { fingerprint = purse.fingerprint, origin = purse.origin, ownCall, ...rest } = more;
      const { asked = unwrap(ledger.beginSample()), ...sample } = rest;
      const own = ownCall ? this.call(ownCall) : null;
      return unwrap(
        balances.recordSample(
          connectionId,
          {
            source: 'rest-key',
            label: 'Contact centre',
            keyLastFour: '4f2a',
            credits,
            used: null,
            total: null,
            expiryDate: null,
            text: null,
            ...sample,
          },
          { asked, purse: { origin, fingerprint }, ownCall: own },
        ),
      ).sample;
    },
    entries: () => listEntries(connectionId),
    entry(id: string) {
      return this.entries().find((one) => one.id === id);
    },
    /** The kinds of the claims about a call. */
    said(id: string): string[] {
      return (this.entry(id)?.claims ?? []).map(({ kind }) => kind);
    },
  };
}
