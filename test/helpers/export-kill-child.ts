import { prepareExport } from '../../electron/core/credits/export.ts';
import { openDatabase } from '../../electron/core/storage/database/database.ts';
import { writeTextFile } from '../../electron/platform/write-file.ts';
import { ok } from '../../shared/result.ts';
import { unwrap } from './temp-database.ts';

// Runs as a separate process: saves the ledger into a file as the window's export does, and kills itself at the given point.
const [folder = '', connectionId = '', file = '', at = '', asOf = '0', killAt = '0'] = process.argv.slice(2);

let point = 0;
const pass = (): void => {
  point += 1;
  if (String(point) === killAt) process.kill(process.pid, 'SIGKILL');
};

const clock = { now: () => Date.parse(at) };
const db = unwrap(openDatabase({ folder, clock }));
const always = { from: '2000-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' };
const made = prepareExport(db, clock, { connectionId, what: 'ledger', format: 'csv', ...always }, Number(asOf));
function* pieces() {
  pass();
  yield* made.pieces;
  pass();
}
const written = await writeTextFile(file, pieces(), undefined, () => {
  pass();
  unwrap(made.begin());
  pass();
  return ok(undefined);
});
pass();
unwrap(made.end(written.ok));
pass();
db.close();
process.send?.({ points: point });
process.disconnect();
