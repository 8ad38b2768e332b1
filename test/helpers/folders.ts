import { rmSync } from 'node:fs';

/**
 * Removes a folder with all that is in it, and is content where it is gone. Windows gives up the files of a program that has just
 * ended a little later than its end, so it is tried again for some seconds.
 */
export const removeFolder = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
