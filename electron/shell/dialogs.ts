import { existsSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { type BrowserWindow, dialog } from 'electron';
import { ok, type Result } from '../../shared/result.ts';
import { readTextFile } from '../platform/read-file.ts';

export interface SaveRequest {
  title: string;
  /** A file name; a folder in it does not count. */
  name: string;
  extension: string;
}

export interface OpenRequest {
  title: string;
  extensions: string[];
  /** How large a file of text may be. */
  megabytes?: number;
}

/** The folders last used, by kind of dialog. Without them Electron opens each in Downloads (since 43). */
export interface LastFolders {
  read(kind: 'save' | 'open'): string | null;
  write(kind: 'save' | 'open', folder: string): void;
}

/** macOS attaches the dialog to its window, without a title bar, and shows the message in it. The other systems have no message. */
const titled = (title: string) => ({ title, message: title });

/** The dialogs of the system, over the window used last (`front`). Paths stay in main and never reach the window. */
export function createDialogs(last: LastFolders, front: () => BrowserWindow | undefined) {
  /** The folder in which the dialog begins, if it still exists. */
  const beginning = (kind: 'save' | 'open'): string | null => {
    const folder = last.read(kind);
    return folder !== null && existsSync(folder) ? folder : null;
  };
  /** Asks a person for a file. null: they chose none. */
  async function chooseFile({ title, extensions }: OpenRequest): Promise<string | null> {
    const folder = beginning('open');
    const options = {
      ...titled(title),
      properties: ['openFile' as const],
      filters: [{ name: title, extensions }],
      ...(folder === null ? {} : { defaultPath: folder }),
    };
    const window = front();
    const chosen = window ? await dialog.showOpenDialog(window, options) : await dialog.showOpenDialog(options);
    const path = chosen.canceled ? undefined : chosen.filePaths[0];
    if (path === undefined) return null;
    last.write('open', dirname(path));
    return path;
  }

  return {
    /** Asks a person where to save. null: they cancelled. */
    async chooseSaveFile({ title, name, extension }: SaveRequest): Promise<string | null> {
      const folder = beginning('save');
      const options = {
        ...titled(title),
        defaultPath: join(folder ?? '', basename(name)),
        filters: [{ name: extension.toUpperCase(), extensions: [extension] }],
        // Otherwise GTK's dialog replaces a file of that name without asking (file_dialog_linux.cc). The other systems always ask.
        properties: ['showOverwriteConfirmation' as const],
      };
      const window = front();
      const chosen = window ? await dialog.showSaveDialog(window, options) : await dialog.showSaveDialog(options);
      if (chosen.canceled || chosen.filePath === '') return null;
      last.write('save', dirname(chosen.filePath));
      // GTK's dialog adds no ending, the others do. Not where a file has either name: nobody was asked about replacing the other.
      const named = `${chosen.filePath}.${extension}`;
      const isBare = process.platform === 'linux' && extname(chosen.filePath) === '';
      return isBare && ![chosen.filePath, named].some((path) => existsSync(path)) ? named : chosen.filePath;
    },

    chooseFile,
    /** Asks a person for a file and reads it as text. null: they chose none. Its folder is not returned. */
    async openTextFile(request: OpenRequest): Promise<Result<{ name: string; text: string } | null>> {
      const path = await chooseFile(request);
      return path === null ? ok(null) : readTextFile(path, request.megabytes);
    },
  };
}
