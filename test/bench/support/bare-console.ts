import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AppCore, createCore } from '../../../electron/core/app-core.ts';
import { withoutPolicy } from '../../../electron/core/policy/read-policy.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { unwrap } from '../../helpers/temp-database.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** The whole console without a window and without a connection, in a folder of its own. */
export async function openBareConsole(): Promise<{ console: AppCore; folder: string; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'address-console-bench-'));
  const console = unwrap(
    await createCore({
      folder,
      policy: withoutPolicy,
      emit: () => {},
      logger: { error: () => {} },
      proxyFor: async () => null,
      machineName: 'DESK-1',
      userName: 'kim',
      demoWorker: join(root, 'dist', 'main', 'demo-worker.js'),
      decodeWorker: join(root, 'dist', 'main', 'decode-worker.js'),
    }),
  );
  return {
    console,
    folder,
    close: async () => {
      await console.close();
      removeFolder(folder);
    },
  };
}
