import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import type { MenuItemConstructorOptions, PopupOptions } from 'electron';
import { BrowserWindow } from './browser-window.ts';

const menuTypes: readonly string[] = ['normal', 'separator', 'submenu', 'checkbox', 'radio', 'header', 'palette'];

/** A menu that is not shown. Wrong items throw as in Electron. */
export class Menu {
  private static application: Menu | null = null;
  readonly items: Pick<MenuItemConstructorOptions, 'label' | 'role' | 'enabled'>[] = [];
  static buildFromTemplate(template: MenuItemConstructorOptions[]): Menu {
    const menu = new Menu();
    for (const item of template) {
      const { label, role, type, submenu } = item;
      if (label === undefined && role === undefined && type === undefined)
        throw new Error('Invalid template for MenuItem: must have at least one of label, role or type');
      if (type === 'submenu' && submenu === undefined && role === undefined) throw new Error('Invalid submenu');
      if (type !== undefined && !menuTypes.includes(type)) throw new Error(`Unknown menu item type: ${type}`);
      if (Array.isArray(submenu)) Menu.buildFromTemplate(submenu);
      menu.items.push(item);
    }
    return menu;
  }
  /** Shows the menu until somebody chooses from it or clicks elsewhere. Here it is printed, with the entries that can be chosen. */
  popup(_options?: PopupOptions): void {
    const names = this.items.flatMap(({ label, role, enabled }) =>
      enabled === false || (label ?? role) === undefined ? [] : [label ?? role],
    );
    console.error(`menu: ${names.join(', ')}`);
  }
  static setApplicationMenu(menu: Menu | null): void {
    Menu.application = menu;
  }
  static getApplicationMenu(): Menu | null {
    return Menu.application;
  }
}

class NativeTheme extends EventEmitter {
  /** Set by the program and applied to the page by the browser's media emulation. */
  private source: 'system' | 'light' | 'dark' = 'system';
  get shouldUseDarkColors(): boolean {
    return this.source === 'dark';
  }
  get themeSource() {
    return this.source;
  }
  set themeSource(source: 'system' | 'light' | 'dark') {
    this.source = source;
    for (const window of BrowserWindow.getAllWindows())
      void window.webContents.setColourScheme(source === 'system' ? '' : source);
    this.emit('updated');
  }
}
export const nativeTheme = new NativeTheme();

/** Says nothing here: the computer is not known to sleep. */
export const powerMonitor = new EventEmitter();

const blockers = new Set<number>();
let lastBlocker = -1;
/** Keeps no computer awake: it says from when on and until when it would. */
export const powerSaveBlocker = {
  start(type: 'prevent-app-suspension' | 'prevent-display-sleep'): number {
    if (!['prevent-app-suspension', 'prevent-display-sleep'].includes(type))
      throw new TypeError('Error processing argument at index 0');
    lastBlocker += 1;
    blockers.add(lastBlocker);
    if (blockers.size === 1) console.error('the computer stays awake');
    return lastBlocker;
  },
  stop(id: number): boolean {
    const was = blockers.delete(id);
    if (was && blockers.size === 0) console.error('the computer may sleep');
    return was;
  },
};

/** What is written at once, by its formats; here their contents are texts. */
export class ClipboardItem {
  private readonly items: Readonly<Record<string, string>>;
  constructor(items: Record<string, string>) {
    if (Object.keys(items).length === 0)
      throw new TypeError("Failed to construct 'ClipboardItem': at least one MIME type is required.");
    this.items = { ...items };
  }
  get types(): string[] {
    return Object.keys(this.items);
  }
  async getType(type: string): Promise<Blob> {
    const text = this.items[type];
    if (text === undefined) throw new Error(`The type '${type}' was not found in the ClipboardItem`);
    return new Blob([text], { type });
  }
}

let copied = '';
/** Formats that were written beside the text. */
let beside: string[] = [];
/** The browser's clipboard, so that the text can be pasted elsewhere. It is also stored for tests to read. */
export const clipboard = {
  async write(items: ClipboardItem[]): Promise<void> {
    if (!Array.isArray(items) || !items.every((item) => item instanceof ClipboardItem))
      throw new TypeError('clipboard.write expects an array of ClipboardItem');
    const types = items.flatMap((item) => item.types);
    const text = await items.find((item) => item.types.includes('text/plain'))?.getType('text/plain');
    await clipboard.writeText((await text?.text()) ?? '');
    beside = types.filter((type) => type !== 'text/plain');
  },
  async writeText(text: string): Promise<void> {
    copied = text;
    beside = [];
    const tool =
      process.platform === 'darwin'
        ? ['pbcopy']
        : process.platform === 'win32'
          ? ['clip']
          : ['xclip', '-selection', 'clipboard'];
    const [command = '', ...args] = tool;
    const child = spawn(command, args, { stdio: ['pipe', 'ignore', 'ignore'] });
    child.on('error', () => {});
    child.stdin.on('error', () => {});
    child.stdin.end(text);
  },
  readText: async (): Promise<string> => copied,
  has: async (type: string): Promise<boolean> => beside.includes(type) || (type === 'text/plain' && copied !== ''),
  clear(): void {
    void clipboard.writeText('');
  },
};

/** Prints the address and opens it in the system's browser, or only prints it if the host has no screen. */
export const shell = {
  async openExternal(address: string): Promise<void> {
    process.stdout.write(`opens outside ${address}\n`);
    if (process.env.ADDRESS_CONSOLE_HOST_HEADLESS) return;
    const [command, ...args] =
      process.platform === 'darwin'
        ? ['open', address]
        : process.platform === 'win32'
          ? ['rundll32', 'url.dll,FileProtocolHandler', address]
          : ['xdg-open', address];
    await new Promise<void>((opened, failed) => {
      const child = spawn(command ?? '', args, { stdio: 'ignore', detached: true });
      child.on('error', failed);
      child.on('spawn', () => opened());
      child.unref();
    });
  },
};
