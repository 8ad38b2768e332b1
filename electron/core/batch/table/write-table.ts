import { open, rename, rm } from 'node:fs/promises';
import { type CsvColumn, csvRow } from '../../../../shared/domain/text/csv.ts';
import type { TableEncoding, TableForm } from '../../../../shared/domain/text/table.ts';
import { type AppError, appError } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { writeError } from '../../write-error.ts';

/** A row of a result: the input's cells as they were read, and beside them the answers, one per added column. */
interface ResultRow {
  given: readonly string[];
  added: readonly (string | number | null)[];
}

export interface ResultTable {
  /** The input's format: its separator and line ends are kept. */
  form: Pick<TableForm, 'separator' | 'lineEnd'>;
  encoding: TableEncoding;
  /** Without it spreadsheets take a UTF-8 file for one in the system's old code page. */
  byteOrderMark: boolean;
  /** Names of the input's columns, as many as its widest row has cells. */
  heads: readonly string[];
  added: readonly CsvColumn[];
  rows: Iterable<ResultRow> | AsyncIterable<ResultRow>;
}

/** Signs that are written at once. */
const pieceLength = 64 * 1024;

/** The byte of each Windows-1252 character, from the runtime's own table reversed. */
const windows1252 = new Map(
  [...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))].map(
    (sign, byte) => [sign, byte] as const,
  ),
);

/** A text in an encoding, without a byte order mark; null: it has a character that the encoding lacks. */
function encodeText(text: string, encoding: TableEncoding): Buffer | null {
  if (encoding === 'utf-8') return Buffer.from(text);
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  const bytes = Buffer.alloc(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const byte = windows1252.get(text[at] ?? '');
    if (byte === undefined) return null;
    bytes[at] = byte;
  }
  return bytes;
}

class NotInEncoding extends Error {}

/** What a result that could not be saved means for the credits; the batch before it has sent calls. */
export const savingIsFree = 'Saving sends nothing. The batch keeps every row.';

/** Renames a draft to its final name. Errors: `file-failed`; the draft is deleted then. */
export async function nameTable(draft: string, path: string): Promise<Result<void>> {
  try {
    await rename(draft, path);
    return ok(undefined);
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => {});
    return fail(writeError(cause, savingIsFree));
  }
}

export const savingStopped = (): AppError =>
  appError('cancelled', { message: 'Saving was stopped. No file was written.' });

/**
 * Writes a result next to its final name and renames it when complete, so that a full disk, a cancel or a spreadsheet holding the file open
 * leaves the old file in place. The input's cells are changed only if a spreadsheet would run them. Errors: `file-failed`, `cancelled`,
 * `bad-input` if the encoding lacks a character.
 */
export async function writeTable(
  path: string,
  table: ResultTable,
  signal?: AbortSignal,
): Promise<Result<{ rows: number; bytes: number }>> {
  const { form, encoding, heads, added } = table;
  const columns: CsvColumn[] = [...heads.map((head): CsvColumn => ({ head, kind: 'given' })), ...added];
  const draft = `${path}.${crypto.randomUUID().slice(0, 8)}.part`;
  let rows = 0;
  let bytes = 0;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      const write = async (text: string): Promise<void> => {
        const encoded = encodeText(text, encoding);
        if (encoded === null) throw new NotInEncoding();
        await file.writeFile(encoded);
        bytes += encoded.length;
      };
      if (table.byteOrderMark && encoding !== 'windows-1252') await write('\uFEFF');
      let text = csvRow(
        columns.map(({ head }) => head),
        columns.map(({ head }) => ({ head, kind: 'given' })),
        form,
      );
      for await (const row of table.rows) {
        if (signal?.aborted) return fail(savingStopped());
        const given = heads.map((_, index) => row.given[index] ?? '');
        text += csvRow([...given, ...row.added], columns, form);
        rows += 1;
        if (text.length < pieceLength) continue;
        await write(text);
        text = '';
      }
      await write(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
    return ok({ rows, bytes });
  } catch (cause) {
    if (cause instanceof NotInEncoding)
      return fail(
        appError('bad-input', {
          message: 'The answers have a letter that the file’s old encoding (Windows-1252) does not.',
          next: 'Save it as UTF-8.',
          charge: 'not-applicable',
        }),
      );
    return fail(writeError(cause, savingIsFree));
  } finally {
    await rm(draft, { force: true }).catch(() => {});
  }
}
