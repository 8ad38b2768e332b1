import { bytesOfPart } from '../../../shared/contract/batch.ts';
import { type BatchWant, type OpenTable, readingStopped } from '../../../shared/domain/batch.ts';
import { appError } from '../../../shared/errors.ts';
import { call } from '../../lib/calls/bridge.ts';
import { CallError } from '../../lib/calls/errors.ts';
import { countOf } from '../../lib/text/format.ts';
import { announce, announceFailure } from '../../lib/window/announce.ts';
import { batchCalls, changeBatchForm, readBatchForm, type TableChanges } from './batch-store.ts';

// Opens a table that was chosen, pasted or dropped. It is read on this computer; nothing is sent.

/** Characters; more is for a file. */
const longestPaste = 5_000_000;

/** What is ticked and can be asked of the table; if nothing, the first that can. */
function askable(wants: readonly BatchWant[], table: OpenTable): BatchWant[] {
  const can = table.wants.filter(({ not }) => not === null).map(({ want }) => want);
  const left = wants.filter((want) => can.includes(want));
  return left.length > 0 ? left : can.slice(0, 1);
}

/** False: none was chosen, or it was refused, as the screen says. */
async function take(
  connectionId: string,
  read: (requestId: string) => Promise<{ table: OpenTable | null }>,
): Promise<boolean> {
  const result = await batchCalls.start(connectionId, 'read', read);
  if (!result) return false;
  if (!result.ok) {
    announceFailure(result.error);
    return false;
  }
  const { table } = result.value as { table: OpenTable | null };
  if (!table) return false;
  const before = readBatchForm(connectionId);
  if (before.table && before.table.tableId !== table.tableId) closeTable(before.table.tableId);
  changeBatchForm(connectionId, {
    view: 'table',
    table,
    changes: {},
    wants: askable(before.wants, table),
    pasting: false,
  });
  announce(`${table.name}: ${countOf(table.rows, 'row')}. Nothing has been sent.`);
  return true;
}

/** Has main forget a table, or what has come of one. A failure is ignored: main forgets it by itself after a while. */
const closeTable = (tableId: string): void => void call('batch.close-table', { tableId }).catch(() => undefined);

/** Opens a table by the system's dialog. */
export const openTable = (connectionId: string): Promise<boolean> =>
  take(connectionId, (requestId) => call('batch.open', { connectionId }, { requestId }));

/** Opens the sample that comes with the program. */
export const openSample = (connectionId: string): Promise<boolean> =>
  take(connectionId, (requestId) => call('batch.open-sample', { connectionId }, { requestId }));

/** Takes what was pasted; whether it did. */
export const takeText = (connectionId: string, text: string): Promise<boolean> =>
  take(connectionId, (requestId) => {
    if (text.length > longestPaste)
      throw refused('This is too long to paste.', 'Save it as a file and open that; a file may have a million rows.');
    return call('batch.paste', { connectionId, text }, { requestId });
  });

/** Takes a dropped file: transferred part by part, since the window may not read its path. */
export const takeFile = (connectionId: string, file: File): Promise<boolean> =>
  take(connectionId, async (requestId) => {
    const name = file.name.slice(0, 255);
    let transfer: string | null = null;
    let table: OpenTable | null = null;
    for (let from = 0; from < Math.max(1, file.size); from += bytesOfPart) {
      const part = await readPart(file, from);
      if (batchCalls.read(connectionId).running?.stopping) {
        if (transfer !== null) closeTable(transfer);
        throw new CallError(readingStopped());
      }
      const answer: { transfer: string; table: OpenTable | null } = await call(
        'batch.drop',
        { connectionId, transfer, name, bytes: file.size, from, part },
        { requestId },
      );
      ({ transfer, table } = answer);
    }
    return { table };
  });

async function readPart(file: File, from: number): Promise<string> {
  try {
    const buffer = await file.slice(from, from + bytesOfPart).arrayBuffer();
    return toBase64(new Uint8Array(buffer));
  } catch {
    // A folder, or a file that was changed or removed since it was dropped.
    throw refused(`${file.name} could not be read to its end.`, 'If it is a file and still there, drop it again.');
  }
}

/** Bytes for one call of String.fromCharCode; a multiple of 3, so that the pieces can be joined. */
const step = 24_000;
function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += step) text += btoa(String.fromCharCode(...bytes.subarray(at, at + step)));
  return text;
}

const refused = (message: string, next: string) =>
  new CallError(appError('bad-input', { message, next, charge: 'not-applicable' }));

/** Reads the open table again with a person's change, in addition to those made before. */
export async function readAs(connectionId: string, change: TableChanges): Promise<void> {
  const { table, changes: before, wants } = readBatchForm(connectionId);
  if (!table) return;
  const roles = [...(before.roles ?? []).filter(({ index }) => !change.roles?.some((one) => one.index === index))];
  const changes = { ...before, ...change, roles: [...roles, ...(change.roles ?? [])] };
  const result = await batchCalls.start(connectionId, 'read', (requestId) =>
    call('batch.read-as', { tableId: table.tableId, ...changes }, { requestId }),
  );
  if (dismissIfLeft(connectionId, table) || !result?.ok) return;
  const again = result.value as OpenTable;
  changeBatchForm(connectionId, { table: again, changes, wants: askable(wants, again) });
}

/** Whether a person has left a table since something was asked about it; then how that ended is not shown. */
export function dismissIfLeft(connectionId: string, { tableId }: OpenTable): boolean {
  const left = readBatchForm(connectionId).table?.tableId !== tableId;
  if (left) batchCalls.dismiss(connectionId);
  return left;
}

/** Closes the table; what reads or plans it is stopped. */
export function leaveTable(connectionId: string): void {
  const { table } = readBatchForm(connectionId);
  batchCalls.stop(connectionId);
  if (table) closeTable(table.tableId);
  changeBatchForm(connectionId, { view: 'start', table: null, changes: {} });
}
