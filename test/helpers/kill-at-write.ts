import { writeFileSync } from 'node:fs';
import { DatabaseSync, StatementSync } from 'node:sqlite';

/**
 * Loaded before a program: it kills itself before a write to any database, counted from the one with which it takes the run of a batch.
 * KILL_AT_WRITE: which one; 0: none. WRITES_FILE: how many there were, written where it ends by itself. FORGETS: what is written down
 * before a call leaves is left out, so that a test can show that it would find that.
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
