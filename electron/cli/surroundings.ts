import { existsSync, fstatSync } from 'node:fs';
import { resolve } from 'node:path';
import { detectKeychain } from '../platform/system-keychain.ts';
import type { DetectedKeychain, Pauses } from '../ports.ts';

/** Name of the starter in the packages (build/resources/command-line). */
export const packagedProgram = 'address-console-cli';

/** What the command line needs from outside. The program takes these from its process; a test that runs it in its own process supplies them. */
export interface Surroundings {
  env: NodeJS.ProcessEnv;
  /** How the program is called, for help and examples. */
  program: string;
  /** Name of the program's default data folder. */
  folderName: string;
  /** Width of the terminal in characters; null if the output goes to a file or pipe. */
  terminalWidth: number | null;
  /** Writes to standard output without adding a line end. Rejects if it could not be written. */
  print(text: string): void | Promise<void>;
  /** Writes a line to standard error. */
  warn(line: string): void;
  findKeychain(): Promise<DetectedKeychain>;
  /** How licence changes and batches wait; the system's timer if omitted. */
  pauses?: Pauses;
}

/** Output is never laid out narrower than this: on a narrower terminal its own wrapping is easier to read than one word on each line. */
const narrowest = 40;

function printOut(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // The stream reports the same failure as an event, which would end the process if nothing listened.
    process.stdout.on('error', reject);
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/**
 * Whether a person reads the output. On Windows a packaged program has its console for writing alone (Chromium's RouteStdioToConsole), which
 * Node does not take for a terminal: there it is one unless it is a file or a pipe.
 */
function isOnTerminal(): boolean {
  if (process.stdout.isTTY || process.platform !== 'win32') return process.stdout.isTTY;
  try {
    const output = fstatSync(1);
    return !output.isFile() && !output.isFIFO() && !output.isSocket();
  } catch {
    return true;
  }
}

const processOutput = {
  env: process.env,
  terminalWidth: isOnTerminal() ? Math.max(process.stdout.columns || 80, narrowest) : null,
  print: printOut,
  warn: (line) => console.error(line),
  findKeychain: detectKeychain,
} satisfies Partial<Surroundings>;

/** The surroundings in the packaged program's process (electron/main.ts). */
export const packagedSurroundings = (folderName: string): Surroundings => ({
  ...processOutput,
  program: packagedProgram,
  folderName,
});

/** The surroundings of `npm run cli`. The development host, which `npm start` uses if Electron's runtime is not installed, has a different data folder. */
export function sourceSurroundings(): Surroundings {
  const runtime = resolve(import.meta.dirname, '..', '..', 'node_modules', 'electron', 'path.txt');
  return {
    ...processOutput,
    program: 'npm run -s cli --',
    folderName: existsSync(runtime) ? 'Address Console' : 'Address Console (development host)',
  };
}
