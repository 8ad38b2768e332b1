import { BrowserWindow, Notification } from 'electron';

/** Notices that may be clicked, oldest first. Electron forgets one that nobody refers to, and with it the click on it. */
const kept = new Set<Notification>();
/** One that the system put away after a while can still be clicked where it keeps it (Windows), so only their number ends it. */
const mostKept = 20;

/**
 * Shows a notice of the system; `onClick`: it is clicked. True once the system says that it was shown. False: it has no
 * notices, does not allow them (macOS without a signature or the user's leave), or says nothing for ten seconds.
 */
export function showNotice(title: string, body: string, onClick: () => void): Promise<boolean> {
  if (!Notification.isSupported()) return Promise.resolve(false);
  const notice = new Notification({ title, body });
  kept.add(notice);
  for (const old of kept) if (kept.size > mostKept) kept.delete(old);
  const forget = () => kept.delete(notice);
  notice.once('click', () => {
    forget();
    onClick();
  });
  notice.on('close', ({ reason }) => {
    if (reason !== 'timedOut' && reason !== 'applicationHidden') forget();
  });
  return new Promise((done) => {
    const unheard = setTimeout(() => done(false), 10_000);
    const finish = (shown: boolean) => {
      clearTimeout(unheard);
      done(shown);
    };
    notice.once('show', () => finish(true));
    notice.once('failed', () => {
      forget();
      finish(false);
    });
    notice.show();
  });
}

/** Whether a window of the program is open and not minimised. */
export const isWindowShown = (): boolean =>
  BrowserWindow.getAllWindows().some((window) => window.isVisible() && !window.isMinimized());
