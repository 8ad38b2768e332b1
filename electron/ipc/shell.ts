import { basename } from 'node:path';
import type { Arrival } from '../../shared/contract/app.ts';
import { type AppError, appError } from '../../shared/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import type { WindowStates } from '../core/settings/window-states.ts';

/** What only the shell can do, passed to the channels that need it. */
export interface Shell {
  version: string;
  host: 'electron' | 'development host';
  /** Resolves once the clipboard has it; rejects if the system refuses. */
  copyText(text: string): Promise<void>;
  /** The same for a secret, which is cleared after a minute and at the end if it is still there. Resolves with that time (ms since 1970). */
  copySecret(text: string): Promise<number>;
  /** Asks a person where to save a file; null: they cancelled. */
  chooseSaveFile(request: { title: string; name: string; extension: string }): Promise<string | null>;
  /** Asks a person for a file; null: they chose none. Its path stays in main. */
  chooseFile(request: { title: string; extensions: string[] }): Promise<string | null>;
  /** Asks a person for a text file and reads it; null: none was chosen. `megabytes`: how large it may be, 8 without it. */
  openTextFile(request: {
    title: string;
    extensions: string[];
    megabytes?: number;
  }): Promise<Result<{ name: string; text: string } | null>>;
  /** Opens a listed https page in the system's browser. */
  openOutside(address: string): Promise<Result<void>>;
  /** The list of licences that the build wrote (build/licences.ts); undefined: run from source. */
  licencesFile?: string;
  /** What has arrived from outside the window since the last call. */
  takeArrivals(): Arrival[];
  /** What each window shows. */
  windows: WindowStates;
  /** Opens one more window. False: there are as many as there may be. */
  openWindow(): boolean;
  setColourScheme(scheme: 'auto' | 'light' | 'dark'): void;
}

/** Asks a person where to, has the file written there, and returns what the window says of it. Nothing is written if they cancelled. */
export async function saveAs(
  { chooseSaveFile }: Pick<Shell, 'chooseSaveFile'>,
  file: Parameters<Shell['chooseSaveFile']>[0],
  write: (path: string) => Promise<Result<{ rows: number; bytes: number }>>,
): Promise<Result<{ saved: boolean; fileName: string; rows: number; bytes: number }>> {
  const path = await chooseSaveFile(file);
  if (path === null) return ok({ saved: false, fileName: '', rows: 0, bytes: 0 });
  const written = await write(path);
  return written.ok ? ok({ saved: true, fileName: basename(path), ...written.value }) : written;
}

/** `detail`: the kind of failure, without its message. */
export const clipboardRefused = (detail?: string): AppError =>
  appError('internal', {
    message: 'The system did not take the text into its clipboard.',
    next: 'Copy it again. If that fails too, another program may hold the clipboard.',
    charge: 'not-applicable',
    ...(detail === undefined ? {} : { detail }),
  });

/** Whether it is there is known only when the system has taken it. */
export async function putOnClipboard(
  { copyText }: Pick<Shell, 'copyText'>,
  text: string,
): Promise<Result<Record<string, never>>> {
  try {
    await copyText(text);
    return ok({});
  } catch (error) {
    // Without the message, which may quote what was to be copied.
    return fail(clipboardRefused(error instanceof Error ? error.name : typeof error));
  }
}
