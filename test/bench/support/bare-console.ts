import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppCore } from '../../../electron/core/app-core.ts';
import { createDemoLauncher } from '../../../electron/platform/demo-service.ts';
import { startCore } from '../../helpers/core.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { unwrap } from '../../helpers/temp-database.ts';

const built = join(import.meta.dirname, '..', '..', '..', 'dist', 'main');

/** The whole console without a window and without a connection, in a folder of its own. */
export async function openBareConsole(): Promise<{ console: AppCore; folder: string; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'address-console-bench-'));
  const console = unwrap(
    await startCore({
      folder,
      demo: createDemoLauncher({ worker: join(built, 'demo-worker.js'), folder: join(folder, 'demo') }),
      decodeWorker: join(built, 'decode-worker.js'),
      workbookWorker: join(built, 'workbook-worker.js'),
      tableWorker: join(built, 'table-worker.js'),
      sizesWorker: join(built, 'sizes-worker.js'),
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
