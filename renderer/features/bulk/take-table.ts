import { defaultMapping, guessMapping, mostBulkRows } from '../../../shared/domain/licences/licence-bulk.ts';
import { mostTableText } from '../../../shared/domain/text/text-file.ts';
import { appError } from '../../../shared/errors.ts';
import { call } from '../../lib/calls/bridge.ts';
import { CallError } from '../../lib/calls/errors.ts';
import { formatNumber } from '../../lib/text/format.ts';
import { bulkCalls, changeBulk } from './bulk-store.ts';

/** Says on the screen why a table is not taken. */
export function refuseTable(connectionId: string, message: string, next = 'Choose another file.'): false {
  const refused = new CallError(appError('bad-input', { message, next, charge: 'not-applicable' }));
  bulkCalls.fail(connectionId, 'file', refused);
  return false;
}

/** Takes a table in: finds its head and what its columns say. False: it was refused, as the screen says. */
function takeTable(connectionId: string, source: string, cells: string[][]): boolean {
  const mapping = guessMapping(cells[0] ?? []);
  const rows = cells.length - (mapping ? 1 : 0);
  const refuse = (message: string, next?: string) => refuseTable(connectionId, message, next);
  if (rows < 1) return refuse('This table has no rows.');
  if (rows > mostBulkRows)
    return refuse(
      `This table has ${formatNumber(rows)} rows; the limit is ${formatNumber(mostBulkRows)}.`,
      'Split it and open the parts one after the other.',
    );
  bulkCalls.dismiss(connectionId);
  changeBulk(connectionId, {
    draft: {
      source,
      rows: cells,
      headed: mapping !== null,
      mapping: mapping ?? defaultMapping(Math.max(...cells.map((row) => row.length))),
      kind: 'register',
    },
    pasting: false,
  });
  return true;
}

export async function openTable(connectionId: string): Promise<void> {
  try {
    const { file } = await call('bulk.open', {});
    if (file) takeTable(connectionId, file.name, file.rows);
  } catch (thrown) {
    bulkCalls.fail(connectionId, 'file', thrown);
  }
}

/** Takes a table that was pasted, or dropped as a file of that name. False: it was not taken, as the screen says. */
export async function takeText(connectionId: string, text: string, source = 'Pasted table'): Promise<boolean> {
  if (text.length > mostTableText)
    return refuseTable(
      connectionId,
      `This table has ${formatNumber(text.length)} characters; the limit is ${formatNumber(mostTableText)}.`,
      'Split it and paste the parts one after the other.',
    );
  try {
    const { rows } = await call('bulk.read-text', { text });
    return takeTable(connectionId, source, rows);
  } catch (thrown) {
    bulkCalls.fail(connectionId, 'file', thrown);
    return false;
  }
}
