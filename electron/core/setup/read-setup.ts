import { z } from 'zod';
import { type SetupFile, setupFileSchema, setupFormat, setupVersion } from '../../../shared/domain/setup-file.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { entriesOf, entryId, type SetupEntry } from './setup-entries.ts';

/** A set-up as the text of a file. */
export const setupText = (file: SetupFile): string => `${JSON.stringify(file, null, 2)}\n`;

/** A refusal of what has to do with a set-up file. */
export const refuseSetup = (message: string, next: string) =>
  fail(appError('bad-input', { message, next, charge: 'not-applicable', money: 'Nothing was changed.' }));

const headSchema = z.object({ format: z.literal(setupFormat), version: z.number().int().min(1) });

/** More than a table has that a person opens: the notes of thousands of machines and licences are in it. */
export const mostSetupMegabytes = 64;

export interface ReadSetup {
  file: SetupFile;
  entries: SetupEntry[];
}

/** The position of a fault as a person finds it: “connections 2, machines 14, name”. No text of the file is repeated. */
const placeOf = (path: readonly PropertyKey[]): string =>
  path
    .map((step) => (typeof step === 'number' ? ` ${step + 1}` : `, ${String(step).slice(0, 40)}`))
    .join('')
    .replace(/^, /, '');

/**
 * Parses the text of a set-up file; whole or not at all. Errors: `bad-input`, which says what is wrong with it and repeats nothing of it.
 */
export function readSetup(text: string): Result<ReadSetup> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuseSetup('This is not a set-up file: it is not JSON, or was cut short.', 'Ask for the file again.');
  }
  const head = headSchema.safeParse(value);
  if (!head.success)
    return refuseSetup(
      'This is not a set-up file of Address Console.',
      'Choose one that was saved under Settings, Set-up file.',
    );
  if (head.data.version > setupVersion)
    return refuseSetup(
      `This set-up file is of version ${head.data.version}; this program reads version ${setupVersion}.`,
      'Update the program, then import it again.',
    );
  const read = setupFileSchema.safeParse(value);
  if (!read.success) {
    const place = placeOf(read.error.issues[0]?.path ?? []);
    return refuseSetup(
      place === ''
        ? 'Something in this set-up file does not belong there.'
        : `This set-up file cannot be used: ${place}.`,
      'Ask for the file again; one that was changed by hand may not fit.',
    );
  }
  const entries = entriesOf(read.data);
  const ids = new Set<string>();
  for (const entry of entries) {
    const id = entryId(entry);
    if (ids.has(id))
      return refuseSetup('This set-up file names one thing twice.', 'Ask for the file again; it was changed by hand.');
    ids.add(id);
  }
  return ok({ file: read.data, entries });
}

/** Whether the text of a set-up could be read again: a file that nobody can import is not written. Errors: `bad-input`. */
export function checkSetupText(text: string): Result<void> {
  const isTooLong = Buffer.byteLength(text) > mostSetupMegabytes * 1024 * 1024;
  const read = isTooLong
    ? refuseSetup(`This set-up file would be larger than ${mostSetupMegabytes} MB.`, '')
    : readSetup(text);
  if (read.ok) return ok(undefined);
  return fail({
    ...read.error,
    message: `${read.error.message} It could not be imported, so it is not saved.`,
    next: 'Take some of it out here, or leave its line out under Settings, Set-up file.',
    money: 'Nothing was written.',
  });
}
