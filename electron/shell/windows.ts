import type { BrowserWindow, WebContents } from 'electron';
import { openCommand, type Place, placeIds } from '../../shared/places.ts';
import type { MenuCommand } from './menu.ts';

/** More are opened only by a key that is held down. */
export const mostWindows = 8;

interface OpenWindow {
  /** Never given twice. */
  number: number;
  /** Its name for Electron, which remembers the window's place by it: the smallest free one. */
  name: string;
  window: BrowserWindow;
}

/** Makes a window; Electron refuses two of one name. `beside`: the one that it is opened from. */
type Make = (place: { name: string; beside: BrowserWindow | undefined; number: number }) => BrowserWindow;

interface WindowEvents {
  onUse(number: number): void;
  onClose(number: number): void;
}

/** The windows there are, the one used last at the end. */
export function createWindows(make: Make, { onUse, onClose }: WindowEvents) {
  let open: OpenWindow[] = [];
  let last = 0;

  function use(one: OpenWindow): void {
    open = [...open.filter((other) => other !== one), one];
    onUse(one.number);
  }

  return {
    /** undefined: there are as many as there may be. */
    open(): BrowserWindow | undefined {
      if (open.length >= mostWindows) return undefined;
      const names = new Set(open.map(({ name }) => name));
      let name = 'main';
      for (let nth = 2; names.has(name); nth += 1) name = `window-${nth}`;
      last += 1;
      const number = last;
      const window = make({ name, beside: open.at(-1)?.window, number });
      const one = { number, name, window };
      open = [...open, one];
      window.on('focus', () => use(one));
      window.once('closed', () => {
        open = open.filter((other) => other !== one);
        onClose(number);
      });
      return window;
    },
    /** The one used last. */
    front: (): BrowserWindow | undefined => open.at(-1)?.window,
    count: (): number => open.length,
    /** The number of the window that a message comes from; null: from none of ours. */
    numberOf: (contents: WebContents): number | null =>
      open.find(({ window }) => window.webContents === contents)?.number ?? null,
  };
}

export type Windows = ReturnType<typeof createWindows>;

/**
 * Runs a command of the menu in the window used last. macOS has its menu without a window too, then one is opened, and with all of them
 * minimised, then that one is shown: otherwise nobody would see what was chosen. `arrive`: opens a screen in the next window.
 */
export function createMenuRunner(
  { front, open }: Pick<Windows, 'front' | 'open'>,
  send: (command: MenuCommand) => void,
  arrive: (screen: Place) => void,
): (command: MenuCommand | 'new-window') => void {
  return (command) => {
    const window = front();
    if (command === 'new-window') open();
    else if (window) {
      if (window.isMinimized()) bringForward(window);
      send(command);
    } else {
      const screen = placeIds.find((place) => openCommand(place) === command);
      if (screen) arrive(screen);
      open();
    }
  };
}

/** Shows a window to somebody who asked for it. */
export function bringForward(window: BrowserWindow | undefined): void {
  if (window?.isMinimized()) window.restore();
  window?.show();
  window?.focus();
}
