import { open } from 'node:fs/promises';
import type { TableEncoding } from '../../../../shared/domain/text/table.ts';
import { appError } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { notAFile } from '../../not-a-file.ts';
import { pieceBytes } from '../../tables/records.ts';

/** A file as it was when first looked at. */
export interface FileStamp {
  bytes: number;
  /** Milliseconds since 1970. */
  modified: number;
}

const marks = {
  'utf-8': [0xef, 0xbb, 0xbf],
  'utf-16le': [0xff, 0xfe],
  'utf-16be': [0xfe, 0xff],
  'windows-1252': [],
} as const satisfies Record<TableEncoding, readonly number[]>;

/** The encoding that a byte order mark names; null: there is none. */
export function readMark(bytes: Uint8Array): TableEncoding | null {
  for (const encoding of ['utf-8', 'utf-16le', 'utf-16be'] as const)
    if (marks[encoding].every((byte, index) => bytes[index] === byte)) return encoding;
  return null;
}

const fileFailed = (message: string, cause: unknown) =>
  appError('file-failed', {
    message,
    charge: 'not-applicable',
    money: 'Nothing was sent.',
    detail: cause instanceof Error && 'code' in cause ? String(cause.code) : undefined,
  });

/** An error of the file, for a reader that returns rows as it goes. */
export class SourceFault extends Error {
  readonly error: ReturnType<typeof appError>;

  constructor(error: ReturnType<typeof appError>) {
    super(error.message);
    this.error = error;
  }
}

const whyNot = (cause: unknown): string => {
  const code = cause instanceof Error && 'code' in cause ? cause.code : '';
  if (code === 'ENOENT') return 'The file is no longer there.';
  if (code === 'EBUSY' || code === 'EPERM' || code === 'EACCES')
    return 'The file cannot be read: another program has it open, or its permissions do not allow it.';
  if (code === 'EISDIR') return 'That is a folder.';
  return 'The file could not be read.';
};

/** A file that was not read as it was at one moment: its end may be half a line. */
export const fileChanged = (): SourceFault =>
  new SourceFault(fileFailed('The file changed while it was read. Open it again.', null));

/**
 * The bytes of a table, some at a time. Throws `SourceFault`, with `file-failed`, if the file cannot be read, no longer matches the stamp,
 * or changes while it is read.
 */
export async function* readBytes(path: string, stamp?: FileStamp): AsyncGenerator<Buffer> {
  try {
    const file = await open(path, 'r');
    try {
      const before = await file.stat();
      const code = notAFile(before);
      if (code) throw Object.assign(new Error(), { code });
      const first = stamp ?? { bytes: before.size, modified: before.mtimeMs };
      if (before.size !== first.bytes || before.mtimeMs !== first.modified) throw fileChanged();
      let read = 0;
      for (;;) {
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(pieceBytes), 0, pieceBytes, read);
        if (bytesRead === 0) break;
        read += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
      const after = await file.stat();
      if (read !== first.bytes || after.size !== first.bytes || after.mtimeMs !== first.modified) throw fileChanged();
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (cause instanceof SourceFault) throw cause;
    throw new SourceFault(fileFailed(whyNot(cause), cause));
  }
}

/** The size and time of a file now. Errors: `file-failed`. */
export async function stampOf(path: string): Promise<Result<FileStamp>> {
  try {
    const file = await open(path, 'r');
    try {
      const { size, mtimeMs } = await file.stat();
      return ok({ bytes: size, modified: mtimeMs });
    } finally {
      await file.close();
    }
  } catch (cause) {
    return fail(fileFailed(whyNot(cause), cause));
  }
}

/** The pieces of `readBytes` as UTF-8 without a mark. What another encoding does not know becomes U+FFFD. */
export async function* readUtf8(pieces: AsyncIterable<Buffer>, encoding: TableEncoding): AsyncGenerator<Buffer> {
  const decoder = encoding === 'utf-8' ? null : new TextDecoder(encoding);
  let lead: Buffer | null = Buffer.alloc(0);
  for await (const piece of pieces) {
    let bytes: Buffer = piece;
    if (lead !== null) {
      bytes = Buffer.concat([lead, piece]);
      if (bytes.length < 3) {
        lead = bytes;
        continue;
      }
      lead = null;
      const mark = marks[encoding];
      if (mark.length > 0 && readMark(bytes) === encoding) bytes = bytes.subarray(mark.length);
    }
    yield decoder === null ? bytes : Buffer.from(decoder.decode(bytes, { stream: true }));
  }
  const rest = Buffer.from(decoder?.decode() ?? '');
  if (lead !== null && lead.length > 0) yield decoder === null ? lead : Buffer.from(decoder.decode(lead));
  if (rest.length > 0) yield rest;
}
