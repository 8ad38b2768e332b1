import { createBulks } from '../../electron/core/licences/bulk/bulk.ts';
import { openInventoryStore } from '../../electron/core/licences/machines/inventory-store.ts';
import { writeTextFile } from '../../electron/platform/write-file.ts';
import { openLicenceConsole } from './licence-console.ts';
import { callService, LicenceService } from './licence-service.ts';
import { unwrap } from './temp-database.ts';

// Runs as a separate process: saves the list of a bulk change as the window does, and kills itself at the given point.
const [folder = '', bulkId = '', file = '', killAt = '0'] = process.argv.slice(2);

let point = 0;
const pass = (): void => {
  point += 1;
  if (String(point) === killAt) process.kill(process.pid, 'SIGKILL');
};

const { deps, database } = await openLicenceConsole(folder, callService(new LicenceService()));
const bulks = createBulks({
  store: deps.store,
  inventory: openInventoryStore(database.sql),
  journal: deps.ctx.journal,
  inTransaction: (work) => work(),
  onProgress: () => {},
});
const list = unwrap(bulks.exportCsv(bulkId, () => new Date().toISOString()));
const written = await writeTextFile(file, list.pieces, undefined, () => {
  pass();
  const begun = list.begin();
  pass();
  return begun;
});
pass();
unwrap(list.end(written.ok));
pass();
database.close();
