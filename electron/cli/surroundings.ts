import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { detectKeychain } from '../platform/system-keychain.ts';
import type { DetectedKeychain, Pauses } from '../ports.ts';

/** The starter that the packages bring (build/resources/command-line). */
export const packagedProgram = 'address-console-cli';

/** What a run of the command line has around it. Only a program of its own takes them from its process. */
export interface Surroundings {
  env: NodeJS.ProcessEnv;
  /** How the program is called, for help and examples. */
  program: string;
  /** Name of the data folder that is the program's own. */
  folderName: string;
  /** Characters in a line of the terminal that a person reads; null: output goes to a file or a program. */
  terminalWidth: number | null;
  /** Standard output, as it is. */
  print(text: string): void;
  /** A line of standard error. */
  warn(line: string): void;
  findKeychain(): Promise<DetectedKeychain>;
  /** How a licence change waits between two reads; left out: by the system's timer. */
  pauses?: Pauses;
}

/** A narrower terminal wraps; a line of one word each would be worse. */
const narrowest = 40;

const processOutput = {
  env: process.env,
  terminalWidth: process.stdout.isTTY ? Math.max(process.stdout.columns || 80, narrowest) : null,
  print: (text) => void process.stdout.write(text),
  warn: (line) => console.error(line),
  findKeychain: detectKeychain,
} satisfies Partial<Surroundings>;

/** The packaged program's own process (electron/main.ts). */
export const packagedSurroundings = (folderName: string): Surroundings => ({
  ...processOutput,
  program: packagedProgram,
  folderName,
});

/** The sources, by `npm run cli`. The development host, which `npm start` takes where Electron's runtime is not there, has a folder of its own. */
export function sourceSurroundings(): Surroundings {
  const runtime = resolve(import.meta.dirname, '..', '..', 'node_modules', 'electron', 'path.txt');
  return {
    ...processOutput,
    program: 'npm run -s cli --',
    folderName: existsSync(runtime) ? 'Address Console' : 'Address Console (development host)',
  };
}
