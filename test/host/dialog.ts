import { existsSync } from 'node:fs';
import { join } from 'node:path';

interface SaveOptions {
  defaultPath?: string;
}

/**
 * The save dialog of the development host. Without a desktop's dialog the answer is a folder named in the environment; where none
 * is named it is as if a person had chosen “Cancel”.
 */
export const dialog = {
  async showSaveDialog(...args: unknown[]): Promise<{ canceled: boolean; filePath: string }> {
    const options = args.at(-1) as SaveOptions;
    const folder = process.env.ADDRESS_CONSOLE_HOST_SAVE_FOLDER;
    if (folder === undefined || !existsSync(folder)) return { canceled: true, filePath: '' };
    return { canceled: false, filePath: join(folder, options.defaultPath ?? 'export') };
  },
  /** Waits for nobody: what it would show is printed. */
  showErrorBox(title: string, content: string): void {
    console.error(`${title}: ${content}`);
  },
  async showOpenDialog(..._: unknown[]): Promise<{ canceled: boolean; filePaths: string[] }> {
    const file = process.env.ADDRESS_CONSOLE_HOST_OPEN_FILE;
    if (file === undefined || !existsSync(file)) return { canceled: true, filePaths: [] };
    return { canceled: false, filePaths: [file] };
  },
};
