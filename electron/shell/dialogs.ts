import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { BrowserWindow, dialog } from 'electron';
import { appError } from '../../shared/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';

export interface SaveWish {
  title: string;
  /** A plain file name; the folder is the one last used. */
  name: string;
  extension: string;
}

/** Asks a person where to save. null: they chose nowhere. The path stays in main: the window never learns it. */
export async function chooseSaveFile({ title, name, extension }: SaveWish): Promise<string | null> {
  const options = {
    title,
    defaultPath: name,
    filters: [{ name: extension.toUpperCase(), extensions: [extension] }],
  };
  const [window] = BrowserWindow.getAllWindows();
  const chosen = window ? await dialog.showSaveDialog(window, options) : await dialog.showSaveDialog(options);
  return chosen.canceled || chosen.filePath === '' ? null : chosen.filePath;
}

const mostBytes = 8 * 1024 * 1024;

/** Asks a person for a file and reads it as text. null: they chose none. Its folder is not said. */
export async function openTextFile(wish: {
  title: string;
  extensions: string[];
}): Promise<Result<{ name: string; text: string } | null>> {
  const options = {
    title: wish.title,
    properties: ['openFile' as const],
    filters: [{ name: wish.title, extensions: wish.extensions }],
  };
  const [window] = BrowserWindow.getAllWindows();
  const chosen = window ? await dialog.showOpenDialog(window, options) : await dialog.showOpenDialog(options);
  const path = chosen.canceled ? undefined : chosen.filePaths[0];
  if (path === undefined) return ok(null);
  try {
    if ((await stat(path)).size > mostBytes)
      return fail(appError('file-failed', { message: 'The file is larger than 8 MB.', charge: 'not-applicable' }));
    const bytes = await readFile(path);
    return ok({ name: basename(path), text: decode(bytes) });
  } catch {
    return fail(appError('file-failed', { charge: 'not-applicable' }));
  }
}

/** UTF-8, or UTF-16 by its mark; what is neither is Windows-1252, as older spreadsheets write. */
function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
