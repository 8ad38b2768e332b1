import './kill-at-write.ts';
import { createMemoryVault } from '../../electron/platform/memory-vault.ts';
import { startCore } from './core.ts';
import { unwrap } from './temp-database.ts';

// Runs as a separate process, as the window's main process does: continues one batch until it ends or waits, and prints which.
const [folder = '', key = '', batchId = '', limit = '0'] = process.argv.slice(2);

const vault = createMemoryVault();
const core = unwrap(
  await startCore({
    folder,
    keychain: { keychain: { ...vault, get: async () => ({ ok: true, value: key }) }, missing: null },
  }),
);
unwrap(
  core.batches.run(batchId, { limit: Number(limit), minimumBalance: null, rate: 50, keyLabel: null, goOnUntil: null }),
);
await core.batches.ended(batchId);
process.stdout.write(JSON.stringify({ value: { state: unwrap(core.batches.get(batchId)).state } }));
await core.close();
