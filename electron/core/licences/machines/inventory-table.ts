import {
  type InventoryMachine,
  inventoryMachineSchema,
  type MachineView,
} from '../../../../shared/domain/licences/licence-machines.ts';
import { type CsvColumn, readSafeCell, writeCsv } from '../../../../shared/domain/text/csv.ts';
import { appError } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { maskGuids } from '../../transport/redact/service-text.ts';

/** How many rows of an import were new, different from the inventory, the same, and refused. */
export interface ImportResult {
  added: number;
  changed: number;
  same: number;
  refused: { row: number; reason: string }[];
}

const columns = ['name', 'nickname', 'owner', 'site', 'note'] as const;
const heads: Readonly<Record<(typeof columns)[number], RegExp>> = {
  name: /^(machine|machine ?name|machine, as sent|name|computer|host(name)?|smachinename)$/i,
  nickname: /^(nickname|label|alias|description)$/i,
  owner: /^(owner|user|person|department)$/i,
  site: /^(site|place|location|office)$/i,
  note: /^(notes?|comment|remarks?)$/i,
};

/** Rows of a table as cells in the order of `columns`, whatever the order of the file; without a header line that order is assumed. */
export function readInventory(table: readonly string[][]): Result<string[][]> {
  const [first, ...others] = table;
  if (!first) return fail(appError('bad-input', { message: 'The file contains no rows.', charge: 'not-applicable' }));
  const mapping = columns.map((column) => first.findIndex((cell) => heads[column].test(cell.trim())));
  const headed = (mapping[0] ?? -1) >= 0;
  const places = headed ? mapping : [0, 1, 2, 3, 4];
  const rows = headed ? others : [first, ...others];
  return ok(rows.map((cells) => places.map((place) => readSafeCell((cells[place] ?? '').trim()))));
}

/** A cell that is empty, or as `writeInventory` masked what is stored, changes nothing. */
const keepStored = (cell = '', stored = ''): string => (cell === '' || cell === maskGuids(stored) ? stored : cell);

/**
 * What rows of a file change in the stored inventory. Rows count from one. `holdsKey`: whether texts hold one of the keys; such a row is
 * not taken, since a person cannot be asked about each row of a file.
 */
export function compareInventory(
  rows: readonly (readonly string[])[],
  kept: readonly InventoryMachine[],
  holdsKey: (texts: readonly string[]) => boolean,
): { toSave: InventoryMachine[]; result: ImportResult } {
  const known = new Map(kept.map((one) => [one.name, one]));
  const seen = new Map<string, number>();
  const toSave: InventoryMachine[] = [];
  const result: ImportResult = { added: 0, changed: 0, same: 0, refused: [] };
  const anyKey = holdsKey(rows.flat());
  for (const [index, cells] of rows.entries()) {
    const row = index + 1;
    const [name = '', nickname, owner, site, note] = cells;
    const before = known.get(name);
    const machine = inventoryMachineSchema.safeParse({
      name,
      nickname: keepStored(nickname, before?.nickname),
      owner: keepStored(owner, before?.owner),
      site: keepStored(site, before?.site),
      note: keepStored(note, before?.note),
    });
    const earlier = seen.get(name);
    if (!machine.success) {
      result.refused.push({ row, reason: name === '' ? 'names no machine' : 'contains a text that is too long' });
    } else if (anyKey && holdsKey(cells))
      result.refused.push({ row, reason: 'contains what looks like a key; if it is not one, type it in by hand' });
    else if (earlier !== undefined) result.refused.push({ row, reason: `names the machine of row ${earlier} again` });
    else {
      seen.set(machine.data.name, row);
      const same = before !== undefined && columns.every((column) => before[column] === machine.data[column]);
      if (same) result.same += 1;
      else {
        toSave.push(machine.data);
        result[before ? 'changed' : 'added'] += 1;
      }
    }
  }
  return { toSave, result };
}

/** The inventory with what reading the machines showed, as CSV. */
export function writeInventory(machines: readonly MachineView[]): string {
  const rows = machines.map((machine) => [
    machine.name,
    ...[machine.nickname, machine.owner, machine.site, machine.note].map(maskGuids),
    machine.askedAt !== null
      ? machine.holds.map(({ licenceNumber }) => licenceNumber).join(' ')
      : machine.failure
        ? 'not read'
        : 'not asked',
    machine.askedAt ?? '',
    machine.findings.map(({ text }) => text).join('; '),
  ]);
  const head = ['Machine', 'Nickname', 'Owner', 'Site', 'Note', 'Holds, by LicenseID', 'Asked, UTC', 'Findings'];
  return writeCsv(
    head.map((name, index): CsvColumn => ({ head: name, kind: index === 0 || index === 5 ? 'identifier' : 'text' })),
    rows,
  );
}
