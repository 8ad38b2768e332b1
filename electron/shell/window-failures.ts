import { app, BrowserWindow, dialog } from 'electron';
import type { Logger } from '../ports.ts';
import { createWindow } from './window.ts';

/** A window that ends more often than this in so long is not started again. */
const mostCrashes = 3;
const crashWindowMs = 60_000;

/** Counts how often one window's process has ended. True: too often to start it again. */
export function createCrashCount(now: () => number = () => performance.now()): () => boolean {
  let crashes: number[] = [];
  return () => {
    crashes = [...crashes.filter((at) => now() - at < crashWindowMs), now()];
    return crashes.length > mostCrashes;
  };
}

/**
 * A window that says why it ends, and ends the program with the last one; one whose process ended is loaded again. `isLast`: there is no
 * other now. `onCrash`: its process ended, before it is loaded again.
 */
export function createWatchedWindow(
  preload: string,
  { number, ...place }: Parameters<typeof createWindow>[1] & { number: number },
  { logger, isLast, onCrash }: { logger: Logger; isLast(): boolean; onCrash(): void },
): BrowserWindow {
  /** An error box stops main, and with it the calls of other windows. */
  const end = (texts: { last: string; other: string }, endProgram: () => void) => {
    if (isLast()) {
      dialog.showErrorBox('Address Console', texts.last);
      endProgram();
      return;
    }
    window.destroy();
    const other = BrowserWindow.getAllWindows().find((one) => one !== window);
    if (other) void dialog.showMessageBox(other, { type: 'error', title: 'Address Console', message: texts.other });
  };
  const window = createWindow(preload, place, (error) => {
    logger.error('window', error);
    const last = 'Its window could not be loaded. Install the program again.';
    end({ last, other: 'A window could not be loaded, so it is closed. The others carry on.' }, () => app.exit(1));
  });
  const endsAgain = createCrashCount();
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    logger.error(`window ${number}, its process: ${reason}`, null);
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    if (!endsAgain()) {
      onCrash();
      window.webContents.reload();
      return;
    }
    end(
      {
        last: 'Its window keeps failing, so the program ends now. What was sent is in Activity at the next start.',
        other: 'A window keeps failing, so it is closed. The others carry on; what it sent is in Activity.',
      },
      () => app.quit(),
    );
  });
  return window;
}
