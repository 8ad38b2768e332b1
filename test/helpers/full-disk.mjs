import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

// One test preloads this into the program: while a file of this name is beside the database, SQLite has no page left to write, by
// its own page limit and with its own error. It is JavaScript because Electron loads it directly.

const name = 'disk-is-full';
const program = DatabaseSync.prototype.exec;

/** @param {DatabaseSync} database */
function limit(database) {
  const location = database.location();
  if (location === null || !location.endsWith('address-console.sqlite')) return;
  const isFull = existsSync(join(dirname(location), name));
  program.call(database, 'CREATE TABLE IF NOT EXISTS temp.filler_state (full INTEGER)');
  const was = database.prepare('SELECT count(*) AS full FROM temp.filler_state').get()?.full === 1;
  if (isFull === was) return;
  if (isFull) {
    program.call(database, 'CREATE TABLE IF NOT EXISTS main.filler (content BLOB)');
    const { page_count } = database.prepare('PRAGMA page_count').get() ?? {};
    program.call(database, `PRAGMA max_page_count = ${page_count}`);
    program.call(
      database,
      'CREATE TEMP TRIGGER filler_calls BEFORE INSERT ON main.calls BEGIN INSERT INTO filler VALUES (zeroblob(100000)); END',
    );
    program.call(database, 'INSERT INTO temp.filler_state VALUES (1)');
  } else {
    program.call(database, 'PRAGMA max_page_count = 1000000');
    program.call(database, 'DROP TRIGGER temp.filler_calls');
    program.call(database, 'DELETE FROM temp.filler_state');
  }
}

/** @param {string} sql */
DatabaseSync.prototype.exec = function exec(sql) {
  if (sql === 'BEGIN IMMEDIATE') limit(this);
  program.call(this, sql);
};
