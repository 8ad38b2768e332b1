import type { Database } from '../../../electron/core/storage/database/database.ts';
import { connectionId } from './bench-window.ts';

export const entries = 1_000_000;
const samples = 100_000;
export const day = 86_400_000;

/** A year of use up to `now`: a million ledger entries and a hundred thousand readings, some of them with a spend of others before. */
export function writeCreditYear(db: Database, now: number): void {
  const spend = db.sql.prepare(
    `INSERT INTO ledger (id, run, connection_id, at, interface, operation, subject, paid_by, expected, observed, balance_before,
       balance_after, verdict, since, explained) VALUES (?, 'bench', ?, ?, 'rest', ?, '00284147', ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const read = db.sql.prepare(
    `INSERT INTO balance_readings (connection_id, source, label, key_last_four, credits, at)
     VALUES (?, 'rest-key', ?, ?, ?, ?)`,
  );
  const keys = ['Contact centre', 'Nightly batch', 'Web forms', 'Returns'];
  const operations = ['Search', 'GetPremise', 'GetPremiseGeoData', 'GetUprn', 'GetDistance', 'Autocomplete'];
  const start = now - 365 * day;
  const step = (365 * day) / entries;
  const each = entries / samples;
  let balance = 1_200_000;
  let before = new Date(start).toISOString();
  db.sql.exec('BEGIN');
  for (let index = 0; index < entries; index += 1) {
    const at = new Date(start + index * step).toISOString();
    const key = keys[index % 4] ?? '';
    const credits = index % 7 === 0 ? 2 : 1;
    spend.run(
      crypto.randomUUID(),
      connectionId,
      at,
      operations[index % 6] ?? '',
      key,
      credits,
      credits,
      balance,
      balance - credits,
      'matches',
      null,
      null,
    );
    balance -= credits;
    if (index % each !== each - 1) continue;
    const readAt = new Date(start + index * step + 1).toISOString();
    if (index % 50_000 === 49_999) {
      balance -= 30;
      spend.run(
        crypto.randomUUID(),
        connectionId,
        readAt,
        'No call of this console',
        keys[0] ?? '',
        0,
        30,
        balance + 30,
        balance,
        'unexplained',
        before,
        each,
      );
    }
    read.run(connectionId, keys[0] ?? '', '4f2a', balance, readAt);
    before = readAt;
  }
  db.sql.exec('COMMIT');
}
