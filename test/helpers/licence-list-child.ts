import { openLicenceStore } from '../../electron/core/licences/records/licence-store.ts';
import { openDatabase } from '../../electron/core/storage/database/database.ts';
import { licenceLists, listLength } from './licence-lists.ts';
import { unwrap } from './temp-database.ts';

// Runs as a separate process: stores lists of licences, one after the other, each with different content and another time.

const [folder = '', lists = ''] = process.argv.slice(2);
const db = unwrap(openDatabase({ folder, clock: { now: () => Date.now() } }));
const store = openLicenceStore(db);
for (let n = 1; n <= Number(lists); n += 1) {
  const { licences, readAt } = await licenceLists(n, listLength);
  await store.saveLicences('c', licences, readAt);
}
db.close();
process.disconnect();
