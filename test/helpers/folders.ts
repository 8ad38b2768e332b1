import { rmSync } from 'node:fs';

/**
 * Removes a folder and everything in it; no error if it does not exist. Windows releases the files of a program a little after
 * its end, so a failure is tried again for some seconds.
 */
export const removeFolder = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
