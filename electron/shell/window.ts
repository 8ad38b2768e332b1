import { BrowserWindow, nativeTheme } from 'electron';
import { windowUrl } from './scheme.ts';

/** The one window. Size and place are remembered by Electron itself (windowStatePersistence). */
export function createWindow(preloadFile: string): BrowserWindow {
  const window = new BrowserWindow({
    name: 'main',
    windowStatePersistence: true,
    width: 1280,
    height: 800,
    minWidth: 480,
    minHeight: 400,
    show: false,
    title: 'Address Console',
    // The ground of each scheme (renderer/app/theme.ts, --surface), so that no white flash comes before the first paint.
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#1a1b1f' : '#ffffff',
    webPreferences: {
      preload: preloadFile,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
      navigateOnDragDrop: false,
      // A middle click opens nothing: there is one window.
      disableBlinkFeatures: 'Auxclick',
    },
  });
  window.once('ready-to-show', () => window.show());
  void window.loadURL(windowUrl);
  return window;
}
