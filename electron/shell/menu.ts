import {
  app,
  type BrowserWindow,
  type ContextMenuParams,
  type JumpListCategory,
  Menu,
  type MenuItemConstructorOptions,
  type WebContents,
} from 'electron';
import type { EventPayload } from '../../shared/contract.ts';
import { openCommand, places } from '../../shared/places.ts';
import { newWindowArgument, openArgument } from './arrivals.ts';
import { isPackaged } from './packaged.ts';

export type MenuCommand = EventPayload<'menu.command'>['command'];

/** The menu and the palette have the same commands. A packaged program has no reload and no developer tools. */
export function menuTemplate(
  platform: NodeJS.Platform,
  run: (command: MenuCommand | 'new-window') => void,
): MenuItemConstructorOptions[] {
  const item = (
    label: string,
    command: MenuCommand | 'new-window',
    accelerator: string,
  ): MenuItemConstructorOptions => ({
    label,
    accelerator,
    click: () => run(command),
  });
  const settings: MenuItemConstructorOptions = {
    label: platform === 'darwin' ? 'Settings…' : 'Settings',
    accelerator: 'CommandOrControl+,',
    click: () => run('open-settings'),
  };
  return [
    ...(platform === 'darwin' ? [appMenu(settings)] : []),
    {
      label: '&File',
      submenu: [
        item('New Window', 'new-window', 'CommandOrControl+Shift+N'),
        { type: 'separator' },
        item('Find a Command, Screen or Address', 'open-palette', 'CommandOrControl+K'),
        item('Read Balances', 'read-balances', 'CommandOrControl+Shift+B'),
        { type: 'separator' },
        ...(platform === 'darwin'
          ? [{ role: 'close' } as const]
          : [settings, { type: 'separator' } as const, { role: 'quit' } as const]),
      ],
    },
    { role: 'editMenu' },
    {
      label: '&Go',
      submenu: [
        // The settings have their own entry elsewhere in the menu.
        ...places
          .filter(({ id }) => id !== 'settings')
          .map(({ id, label }, index) => item(label, openCommand(id), `CommandOrControl+${index + 1}`)),
        { type: 'separator' },
        item('Search Box', 'focus-search', 'CommandOrControl+L'),
      ],
    },
    {
      label: '&View',
      submenu: [
        { role: 'zoomIn' },
        // The role's own key is the plus, for which Electron wants Shift too; most keyboards have it on the key of the equals sign.
        { role: 'zoomIn', accelerator: 'CommandOrControl+=', visible: false },
        { role: 'zoomOut' },
        { role: 'resetZoom' },
        { role: 'togglefullscreen' },
      ],
    },
    platform === 'darwin'
      ? { role: 'windowMenu' }
      : // The role's own has an entry “Zoom” that does something on macOS alone (menu-item-roles.ts).
        { label: '&Window', submenu: [{ role: 'minimize' }, { role: 'close' }] },
    {
      role: 'help',
      // No accelerators: in the window F1 and the question mark also close what they opened, and a field takes the mark as text.
      submenu: [
        { label: 'Address Console Help', click: () => run('show-help') },
        { label: 'Keyboard Shortcuts', click: () => run('show-shortcuts') },
        ...(platform === 'darwin' ? [] : [{ type: 'separator' } as const, { role: 'about' } as const]),
      ],
    },
  ];
}

/** macOS's own menu of a program, with the settings where a person looks for them there. */
const appMenu = (settings: MenuItemConstructorOptions): MenuItemConstructorOptions => ({
  role: 'appMenu',
  submenu: [
    { role: 'about' },
    { type: 'separator' },
    settings,
    { type: 'separator' },
    { role: 'services' },
    { type: 'separator' },
    { role: 'hide' },
    { role: 'hideOthers' },
    { role: 'unhide' },
    { type: 'separator' },
    { role: 'quit' },
  ],
});

export function installMenu(run: (command: MenuCommand | 'new-window') => void): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(process.platform, run)));
  app.setAboutPanelOptions({ applicationName: 'Address Console', applicationVersion: app.getVersion() });
}

/** The keys of the program's own commands, as the menu writes them; those of roles, such as paste and zoom, act again for each repeat. */
const commandKeys = (platform: NodeJS.Platform): Set<unknown> =>
  new Set(
    menuTemplate(platform, () => {})
      .flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []))
      .flatMap(({ click, accelerator }) => (click && accelerator ? [accelerator] : [])),
  );

/**
 * Makes the key of a command that is kept pressed act once. The page does the same, but a key that it leaves alone runs its entry of the
 * menu, for each repeat: windows opened one after the other, and balances were read again and again.
 */
export function ignoreRepeatedCommands(contents: Pick<WebContents, 'on'>, platform = process.platform): void {
  const keys = commandKeys(platform);
  contents.on('before-input-event', (event, { isAutoRepeat, key, shift, alt, control, meta }) => {
    const isMod = platform === 'darwin' ? meta && !control : control && !meta;
    if (!isAutoRepeat || !isMod || alt) return;
    if (keys.has(`CommandOrControl+${shift ? 'Shift+' : ''}${key.toUpperCase()}`)) event.preventDefault();
  });
}

/** The entries of a right click on a field or on selected text. Empty: there is nothing to cut, copy or paste. */
export function textMenu({
  isEditable,
  editFlags,
}: Pick<ContextMenuParams, 'isEditable' | 'editFlags'>): MenuItemConstructorOptions[] {
  const copy = { role: 'copy', enabled: editFlags.canCopy } as const;
  if (!isEditable) return editFlags.canCopy ? [copy] : [];
  return [
    { role: 'undo', enabled: editFlags.canUndo },
    { role: 'redo', enabled: editFlags.canRedo },
    { type: 'separator' },
    { role: 'cut', enabled: editFlags.canCut },
    copy,
    { role: 'paste', enabled: editFlags.canPaste },
    { type: 'separator' },
    { role: 'selectAll', enabled: editFlags.canSelectAll },
  ];
}

/** Electron shows no menu for a right click by itself. Where the page has a menu of its own, none is asked for. */
export function installTextMenu(window: BrowserWindow): void {
  window.webContents.on('context-menu', (_event, params) => {
    const items = textMenu(params);
    if (items.length > 0) Menu.buildFromTemplate(items).popup({ window, x: params.x, y: params.y });
  });
}

/** The screens that can be opened from the program's icon. */
const atIcon = places.filter((place) => place.atIcon);
type AtIcon = (typeof atIcon)[number]['id'];

/** Windows starts the program again with an argument, which is passed to the running one (arrivals.ts). */
export const jumpList = (program: string): JumpListCategory[] => [
  {
    type: 'tasks',
    items: [
      {
        type: 'task',
        title: 'New window',
        description: 'Opens one more window. Nothing is asked and nothing is spent.',
        program,
        args: newWindowArgument,
        iconPath: program,
        iconIndex: 0,
      },
      ...atIcon.map(({ id, label }) => ({
        type: 'task' as const,
        title: label,
        description: `Opens ${label}. Nothing is asked and nothing is spent.`,
        program,
        args: openArgument(id),
        iconPath: program,
        iconIndex: 0,
      })),
    ],
  },
];

export const dockMenu = (run: (screen: AtIcon | 'new-window') => void): MenuItemConstructorOptions[] => [
  { label: 'New Window', click: () => run('new-window') },
  ...atIcon.map(({ id, label }): MenuItemConstructorOptions => ({ label, click: () => run(id) })),
];

/** The menu of the icon in the task bar (Windows, packaged: else the program of the list would be another) or in the dock (macOS). */
export function installShortcuts(run: (screen: AtIcon | 'new-window') => void): void {
  if (process.platform === 'win32' && isPackaged) app.setJumpList(jumpList(process.execPath));
  if (process.platform === 'darwin') app.dock?.setMenu(Menu.buildFromTemplate(dockMenu(run)));
}
