import { openLedgerRepository } from '../../../electron/core/spend/ledger-repository.ts';
import { openCallsRepository } from '../../../electron/core/storage/calls-repository.ts';
import type { Database } from '../../../electron/core/storage/database/database.ts';
import type { CallRecord } from '../../../shared/domain/activity.ts';

const day = 86_400_000;
const perDay = 2000;
const operations = ['Search', 'GetPremise', 'GetPremiseGeoData', 'SearchPremise_ByPostcode'];

export interface CallHistory {
  rows: number;
  /** When the last call was made. */
  until: number;
  connectionId: string;
  /** Each so many calls one is a balance read, which the activity log folds; none unless given. */
  readEvery?: number;
  /** Each so many calls the service refuses one; none unless given. */
  refuseEvery?: number;
}

/** A history of calls and as many ledger entries, evenly over time at 2,000 a day, the last 1,000 of this run. */
export function writeCallHistory(db: Database, history: CallHistory): void {
  const { rows, until, connectionId, readEvery = Number.POSITIVE_INFINITY, refuseEvery = readEvery } = history;
  const calls = openCallsRepository(db.sql);
  const ledger = openLedgerRepository(db.sql);
  db.sql.exec('BEGIN');
  for (let index = 0; index < rows; index += 1) {
    const at = new Date(until - ((rows - index) * day) / perDay).toISOString();
    const isRead = index % readEvery === readEvery - 1;
    const operation = isRead ? 'GetCredits' : (operations[index % operations.length] ?? 'Search');
    const call: CallRecord = {
      id: `call-${index}`,
      at,
      connectionId,
      connectionName: 'Wyebank',
      interface: index % 4 === 3 ? 'soap' : 'rest',
      operation,
      subject: isRead ? '' : `premise${String(index).padStart(8, '0')}`,
      paidBy: 'Contact centre',
      outcome: index % refuseEvery === 0 ? 'refused' : 'answered',
      errorCode: null,
      expectedCredits: isRead ? 0 : 1,
      observedCredits: isRead ? 0 : 1,
      durationMs: 42,
      person: '',
      source: '',
    };
    calls.insert(call);
    if (isRead) continue;
    ledger.insertCall({
      id: `entry-${index}`,
      run: index >= rows - 1000 ? 'run-now' : `run-${Math.floor(index / perDay)}`,
      connectionId,
      at,
      callId: call.id,
      interface: call.interface,
      operation,
      subject: call.subject,
      paidBy: call.paidBy,
      expected: 1,
      admitted: 1,
      fingerprint: 'bench',
      origins: ['https://service.example'],
      sent: { sequence: index, at, boot: 'one', elapsedMs: index },
      horizonMs: 120_000,
    });
  }
  db.sql.exec('COMMIT');
}
