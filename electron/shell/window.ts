import { app, BrowserWindow, nativeTheme } from 'electron';
import { windowUrl } from './scheme.ts';

/**
 * The one window. Size and place are remembered by Electron itself (windowStatePersistence), which puts it back onto a screen that is
 * there. `onFailure`: its page, or what joins the page to the program, cannot be loaded.
 */
export function createWindow(preloadFile: string, onFailure: (error: Error) => void): BrowserWindow {
  const window = new BrowserWindow({
    name: 'main',
    windowStatePersistence: true,
    width: 1280,
    height: 800,
    minWidth: 480,
    minHeight: 400,
    show: false,
    title: 'Address Console',
    // The ground of each scheme (renderer/app/theme/theme.ts, --surface), so that no white flash comes before the first paint.
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#1a1b1f' : '#ffffff',
    webPreferences: {
      preload: preloadFile,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
      devTools: !app.isPackaged,
      navigateOnDragDrop: false,
      // A middle click opens nothing: there is one window.
      disableBlinkFeatures: 'Auxclick',
    },
  });
  const { webContents } = window;
  // The page uses no such connection; where one came up it would show this computer's addresses.
  webContents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  webContents.on('did-fail-load', (_event, code, reason, _url, isMainFrame) => {
    // -3: another load took its place.
    if (isMainFrame && code !== -3) onFailure(new Error(`the page did not load: ${reason}`));
  });
  webContents.on('preload-error', (_event, _file, error) => onFailure(error));
  // Shown late rather than never, where the first paint does not come.
  const late = setTimeout(() => window.show(), 10_000);
  window.once('ready-to-show', () => {
    clearTimeout(late);
    window.show();
  });
  window.once('closed', () => clearTimeout(late));
  window.loadURL(windowUrl).catch(() => {
    // Told of by did-fail-load.
  });
  return window;
}
