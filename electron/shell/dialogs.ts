import { BrowserWindow, dialog } from 'electron';

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
