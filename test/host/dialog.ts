import { existsSync } from 'node:fs';
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

/** The options of a call, which may stand behind a window; refused as Electron refuses them. */
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

/**
 * The dialogs of the development host. Without a desktop's dialog the answer is a folder or a file named in the environment; where none
 * is named it is as if a person had chosen “Cancel”. What is wrong with the options throws at once, before there is a promise.
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
    const file = process.env.ADDRESS_CONSOLE_HOST_OPEN_FILE;
    return Promise.resolve(
      file === undefined || !existsSync(file)
        ? { canceled: true, filePaths: [] }
        : { canceled: false, filePaths: [file] },
    );
  },
  /** Waits for nobody: what it would show is printed. May be called before ready. */
  showErrorBox(title: string, content: string): void {
    console.error(`${title}: ${content}`);
  },
};
