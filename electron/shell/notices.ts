import { BrowserWindow, Notification } from 'electron';

/** Shows a notice of the system; a click brings the window forward. False: this system shows none. */
export function showNotice(title: string, body: string): boolean {
  if (!Notification.isSupported()) return false;
  const notice = new Notification({ title, body });
  notice.on('click', () => {
    const [window] = BrowserWindow.getAllWindows();
    if (window?.isMinimized()) window.restore();
    window?.focus();
  });
  notice.show();
  return true;
}

/** Whether somebody can see the program now. */
export const isWindowShown = (): boolean =>
  BrowserWindow.getAllWindows().some((window) => window.isVisible() && !window.isMinimized());
