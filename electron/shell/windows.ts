import type { BrowserWindow, WebContents } from 'electron';

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

/** Shows a window to somebody who asked for it. */
export function bringForward(window: BrowserWindow | undefined): void {
  if (window?.isMinimized()) window.restore();
  window?.show();
  window?.focus();
}
