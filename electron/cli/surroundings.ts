import type { Pauses } from '../core/licences/change/change-deps.ts';
import { detectKeychain } from '../platform/system-keychain.ts';
import type { DetectedKeychain } from '../ports.ts';

/** What a run of the command line has around it. Only a program of its own takes them from its process. */
export interface Surroundings {
  env: NodeJS.ProcessEnv;
  /** Standard output, as it is. */
  print(text: string): void;
  /** A line of standard error. */
  warn(line: string): void;
  findKeychain(): Promise<DetectedKeychain>;
  /** How a licence change waits between two reads; left out: by the system's timer. */
  pauses?: Pauses;
}

export const ownProcess: Surroundings = {
  env: process.env,
  print: (text) => void process.stdout.write(text),
  warn: (line) => console.error(line),
  findKeychain: detectKeychain,
};
