import { DatabaseSync, StatementSync } from 'node:sqlite';
import { createMemoryVault } from '../../electron/platform/memory-vault.ts';
import { startCore } from './core.ts';
import { unwrap } from './temp-database.ts';

// A program of its own: goes on with one batch, and kills itself before the given write to any database; 0: never.
const [folder = '', key = '', batchId = '', limit = '0', killAt = '0'] = process.argv.slice(2);

let writes = 0;
let isCounting = false;
const count = (): void => {
  if (!isCounting) return;
  writes += 1;
  if (writes === Number(killAt)) process.kill(process.pid, 'SIGKILL');
};
const { run } = StatementSync.prototype;
StatementSync.prototype.run = function (this: StatementSync, ...values: unknown[]) {
  count();
  return run.apply(this, values as Parameters<typeof run>);
} as typeof run;
const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (this: DatabaseSync, text: string) {
  count();
  exec.call(this, text);
};

const vault = createMemoryVault();
const core = unwrap(
  await startCore({
    folder,
    keychain: { keychain: { ...vault, get: async () => ({ ok: true, value: key }) }, missing: null },
  }),
);
isCounting = true;
unwrap(
  core.batches.run(batchId, { limit: Number(limit), minimumBalance: null, rate: 50, keyLabel: null, goOnUntil: null }),
);
await core.batches.ended(batchId);
isCounting = false;
process.send?.({ writes, state: unwrap(core.batches.get(batchId)).state });
await core.close();
process.disconnect?.();
