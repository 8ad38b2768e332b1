import { readFileSync } from 'node:fs';
import { StatementSync } from 'node:sqlite';
import { noPolicy } from '../../electron/core/policy/policy-schema.ts';
import { createSettings } from '../../electron/core/settings/settings.ts';
import { readSetup } from '../../electron/core/setup/read-setup.ts';
import { createSetup } from '../../electron/core/setup/setup.ts';
import { openDatabase } from '../../electron/core/storage/database/database.ts';
import { unwrap } from './temp-database.ts';

// Runs as a separate process: imports a set-up and kills itself before the given write to the database.
const [folder = '', file = '', killAt = '0'] = process.argv.slice(2);
const clock = { now: () => Date.now() };
const db = unwrap(openDatabase({ folder, clock }));
const setup = createSetup({
  db,
  clock,
  settings: createSettings(db),
  policy: noPolicy,
  userName: 'test',
  findTyped: () => null,
});
const read = unwrap(readSetup(readFileSync(file, 'utf8')));
const { rows } = unwrap(setup.preview(read));

let writes = 0;
const { run } = StatementSync.prototype;
StatementSync.prototype.run = function (this: StatementSync, ...values: unknown[]) {
  writes += 1;
  if (String(writes) === killAt) process.kill(process.pid, 'SIGKILL');
  return (run as (...all: unknown[]) => ReturnType<typeof run>).apply(this, values);
} as typeof run;
unwrap(
  setup.apply(
    read,
    rows,
    rows.map(({ id }) => id),
    'set-up.json',
  ),
);
db.close();
process.send?.(writes);
process.disconnect();
