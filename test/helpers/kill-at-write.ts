import { writeFileSync } from 'node:fs';
import { DatabaseSync, StatementSync } from 'node:sqlite';

/**
 * Loaded before a program, this kills it before a write to any database. Writes are counted from the one that takes over the run of a batch.
 * KILL_AT_WRITE is the number of that write; 0 for none. WRITES_FILE is a file for the number of writes if the program ends by itself. FORGETS=1
 * leaves out the entry that is made before a call is sent, so that a test can show that it would notice.
 */
const killAt = Number(process.env.KILL_AT_WRITE ?? 0);
const forgets = process.env.FORGETS === '1';

let writes = 0;
let isCounting = false;
function count(): void {
  if (!isCounting) return;
  writes += 1;
  if (writes === killAt) process.kill(process.pid, 'SIGKILL');
}

const { run } = StatementSync.prototype;
StatementSync.prototype.run = function (this: StatementSync, ...values: unknown[]) {
  if (this.sourceSQL.startsWith('UPDATE batches ')) isCounting = true;
  count();
  return run.apply(this, values as Parameters<typeof run>);
} as typeof run;
const { exec, prepare } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (this: DatabaseSync, text: string) {
  count();
  exec.call(this, text);
};
if (forgets)
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, text: string, ...rest: []) {
    return prepare.call(
      this,
      text.replace(`UPDATE asks SET state = 'asked'`, `UPDATE asks SET state = 'waiting'`),
      ...rest,
    );
  };

const { WRITES_FILE: file } = process.env;
if (file) process.on('exit', () => writeFileSync(file, String(writes)));
