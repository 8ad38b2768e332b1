import { BrowserWindow, nativeTheme, type WebContents } from 'electron';
import { ignoreRepeatedCommands, installTextMenu } from './menu.ts';
import { isPackaged } from './packaged.ts';
import { windowUrl } from './scheme.ts';

interface WindowPlace {
  /** Of its own: Electron refuses a second window of one name. */
  name: string;
  /** The window that it is opened from; undefined: there is none. */
  beside: BrowserWindow | undefined;
}

/** Offset (px) from the window it is opened from, which it would otherwise cover. */
const stepAside = 32;

/**
 * A window. Size and place are remembered by Electron itself (windowStatePersistence) under its name, and it puts it back onto a screen
 * that is there. `onFailure`: its page, or what joins the page to the program, cannot be loaded.
 */
export function createWindow(
  preloadFile: string,
  { name, beside }: WindowPlace,
  onFailure: (error: Error) => void,
): BrowserWindow {
  const from = beside?.getNormalBounds();
  const window = new BrowserWindow({
    name,
    windowStatePersistence: true,
    width: from?.width ?? 1280,
    height: from?.height ?? 800,
    ...(from === undefined ? {} : { x: from.x + stepAside, y: from.y + stepAside }),
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
      devTools: !isPackaged,
      navigateOnDragDrop: false,
      // A middle click opens nothing.
      disableBlinkFeatures: 'Auxclick',
    },
  });
  const { webContents } = window;
  installTextMenu(window);
  zoomByWheel(webContents);
  ignoreRepeatedCommands(webContents);
  // The page uses no such connection; one would reveal this computer's addresses. One over TCP is left to the session (security.ts).
  webContents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  webContents.on('did-fail-load', (_event, code, _reason, _url, isMainFrame) => {
    // -3: another load took its place.
    if (isMainFrame && code !== -3) onFailure(Object.assign(new Error('the page did not load'), { code }));
  });
  webContents.on('preload-error', (_event, _file, error) => onFailure(error));
  // If the first paint does not come, the window is shown all the same.
  const late = setTimeout(() => window.show(), 10_000);
  window.once('ready-to-show', () => {
    clearTimeout(late);
    window.show();
  });
  window.once('closed', () => clearTimeout(late));
  window.loadURL(windowUrl).catch(() => {
    // did-fail-load reports it.
  });
  return window;
}

/** Where the wheel ends, in levels of zoom, each a fifth larger than the one below: 58 % to 249 %. */
const zoomLevels = { least: -3, most: 5 };

/**
 * The wheel with Ctrl: Electron reports it and zooms nothing by itself. A step is that of the View menu (menu-item-roles.ts), which goes
 * beyond these ends: from there the wheel only comes back.
 */
export function zoomByWheel(contents: Pick<WebContents, 'on' | 'zoomLevel'>): void {
  contents.on('zoom-changed', (_event, direction) => {
    const now = contents.zoomLevel;
    contents.zoomLevel =
      direction === 'in'
        ? Math.max(now, Math.min(now + 0.5, zoomLevels.most))
        : Math.min(now, Math.max(now - 0.5, zoomLevels.least));
  });
}
