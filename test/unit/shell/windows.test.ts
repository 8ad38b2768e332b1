import { EventEmitter } from 'node:events';
import type { BrowserWindow } from 'electron';
import { beforeEach, expect, test, vi } from 'vitest';
import { zoomByWheel } from '../../../electron/shell/window.ts';
import { createCrashCount } from '../../../electron/shell/window-failures.ts';
import { createMenuRunner, createWindows, mostWindows } from '../../../electron/shell/windows.ts';

// The set of windows. test/host/conformance tests that Electron refuses two with one name, test/app tests real windows.

class Window extends EventEmitter {
  readonly webContents = {};
  readonly name: string;
  minimised = false;
  restore = () => {
    this.minimised = false;
  };
  readonly isMinimized = () => this.minimised;
  readonly show = vi.fn();
  readonly focus = vi.fn();
  constructor(name: string) {
    super();
    this.name = name;
  }
}

let made: { name: string; beside: string | undefined }[];
let used: number[];
let closed: number[];
const open = () => {
  const windows = createWindows(
    ({ name, beside }) => {
      made.push({ name, beside: (beside as Window | undefined)?.name });
      return new Window(name) as unknown as BrowserWindow;
    },
    { onUse: (number) => used.push(number), onClose: (number) => closed.push(number) },
  );
  return {
    windows,
    one: () => windows.open() as unknown as Window,
  };
};

beforeEach(() => {
  made = [];
  used = [];
  closed = [];
});

test('a name belongs to one window at a time, and a number to one window for ever', () => {
  const { windows, one } = open();
  const first = one();
  const second = one();
  first.emit('closed');
  const third = one();
  expect(made.map(({ name }) => name)).toEqual(['main', 'window-2', 'main']);
  const numbers = [first, second, third].map(({ webContents }) => windows.numberOf(webContents as never));
  expect(numbers).toEqual([null, 2, 3]);
  expect(closed).toEqual([1]);
});

test('the front window is the one used last, and after its end the one used before', () => {
  const { windows, one } = open();
  const [first, second, third] = [one(), one(), one()];
  second.emit('focus');
  first.emit('focus');
  expect(windows.front()).toBe(first);
  first.emit('closed');
  expect(windows.front()).toBe(second);
  one();
  expect(made.at(-1)).toEqual({ name: 'main', beside: 'window-2' });
  expect(used).toEqual([2, 1]);
  expect(windows.count()).toBe(3);
  third.emit('closed');
  expect(windows.numberOf(third.webContents as never)).toBeNull();
});

test('a command of the menu is seen: with every window minimised the last is shown, without one a window is opened', () => {
  const { windows, one } = open();
  const seen: string[] = [];
  const run = createMenuRunner(
    windows,
    (command) => seen.push(command),
    (screen) => seen.push(`arrives at ${screen}`),
  );
  const [first, second] = [one(), one()];
  run('open-credits');
  expect(second.show).not.toHaveBeenCalled();
  for (const window of [first, second]) window.minimised = true;
  run('open-settings');
  expect([first.minimised, second.minimised]).toEqual([true, false]);
  expect(second.show).toHaveBeenCalledOnce();
  for (const window of [first, second]) window.emit('closed');
  run('open-licences');
  run('new-window');
  expect(seen).toEqual(['open-credits', 'open-settings', 'arrives at licences']);
  expect(windows.count()).toBe(2);
});

test('the wheel with Ctrl zooms by steps, between two ends', () => {
  const contents = Object.assign(new EventEmitter(), { zoomLevel: 0 });
  zoomByWheel(contents as unknown as Parameters<typeof zoomByWheel>[0]);
  const turn = (direction: 'in' | 'out', times: number) => {
    for (let nth = 0; nth < times; nth += 1) contents.emit('zoom-changed', {}, direction);
    return contents.zoomLevel;
  };
  expect([turn('in', 1), turn('out', 2), turn('in', 40), turn('out', 80)]).toEqual([0.5, -0.5, 5, -3]);
  // The menu zooms beyond both.
  contents.zoomLevel = 6.5;
  expect([turn('in', 1), turn('out', 1)]).toEqual([6.5, 6]);
  contents.zoomLevel = -7;
  expect([turn('out', 1), turn('in', 1)]).toEqual([-7, -6.5]);
});

test('holding a key down opens no more than the maximum of windows', () => {
  const { windows, one } = open();
  for (let nth = 0; nth < 30; nth += 1) one();
  expect(made.length).toBe(mostWindows);
  expect(windows.open()).toBeUndefined();
  (windows.front() as unknown as Window).emit('closed');
  expect(windows.open()).toBeDefined();
});

test('four crashes in a minute are too many; three spread out are not', () => {
  let now = 0;
  const again = createCrashCount(() => now);
  const after = (ms: number) => {
    now += ms;
    return again();
  };
  expect([after(0), after(10_000), after(10_000)]).toEqual([false, false, false]);
  expect(after(50_000)).toBe(false);
  expect([after(1), after(1)]).toEqual([false, true]);
});
