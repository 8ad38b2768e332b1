import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { app } from './app.ts';

interface Options {
  title?: string;
  buttonLabel?: string;
  defaultPath?: string;
  message?: string;
  nameFieldLabel?: string;
  properties?: unknown;
}

/** The options of a call, which may follow a window. Throws for those that Electron refuses. */
function optionsOf(args: unknown[]): Options {
  if (!app.isReady()) throw new Error('dialog module can only be used after app is ready');
  const options = (args.at(-1) ?? {}) as Options;
  if (options.properties !== undefined && !Array.isArray(options.properties))
    throw new TypeError('Properties must be an array');
  for (const [name, title] of [
    ['title', 'Title'],
    ['buttonLabel', 'Button label'],
    ['defaultPath', 'Default path'],
    ['message', 'Message'],
    ['nameFieldLabel', 'Name field label'],
  ] as const)
    if (typeof (options[name] ?? '') !== 'string') throw new TypeError(`${title} must be a string`);
  return options;
}

/** The named file, or the only file of a named folder, if it is there. */
function fileToOpen(named: string | undefined): string[] {
  if (named === undefined || !existsSync(named)) return [];
  return statSync(named).isDirectory() ? readdirSync(named).map((name) => join(named, name)) : [named];
}

/**
 * The dialogs of the development host. There is no desktop dialog: the answer is a folder or file named in the environment, or, if none
 * is named, the same as after “Cancel”. Wrong options throw at once instead of rejecting the promise.
 */
export const dialog = {
  showSaveDialog(...args: unknown[]): Promise<{ canceled: boolean; filePath: string }> {
    const { defaultPath } = optionsOf(args);
    const folder = process.env.ADDRESS_CONSOLE_HOST_SAVE_FOLDER;
    return Promise.resolve(
      folder === undefined || !existsSync(folder)
        ? { canceled: true, filePath: '' }
        : { canceled: false, filePath: join(folder, basename(defaultPath ?? 'export')) },
    );
  },
  showOpenDialog(...args: unknown[]): Promise<{ canceled: boolean; filePaths: string[] }> {
    optionsOf(args);
    const filePaths = fileToOpen(process.env.ADDRESS_CONSOLE_HOST_OPEN_FILE);
    return Promise.resolve({ canceled: filePaths.length === 0, filePaths });
  },
  /** Prints what the dialog would show; its first button is taken. */
  showMessageBox(...args: unknown[]): Promise<{ response: number; checkboxChecked: boolean }> {
    const { title, message } = optionsOf(args);
    console.error(`${title}: ${message}`);
    return Promise.resolve({ response: 0, checkboxChecked: false });
  },
  /** Prints what the dialog would show and does not wait. May be called before the app is ready. */
  showErrorBox(title: string, content: string): void {
    console.error(`${title}: ${content}`);
  },
};
