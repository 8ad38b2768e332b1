import { app, Menu, type MenuItemConstructorOptions } from 'electron';
import type { EventPayload } from '../../shared/contract.ts';

type Command = EventPayload<'menu.command'>['command'];

const places: readonly [string, Command][] = [
  ['Lookup', 'open-lookup'],
  ['Credits', 'open-credits'],
  ['Licences', 'open-licences'],
  ['Activity', 'open-activity'],
  ['Connections', 'open-connections'],
  ['Settings', 'open-settings'],
];

/** Everything in the menu is in the palette too, and back. No reload and no developer tools in a packaged program. */
export function menuTemplate(platform: NodeJS.Platform, run: (command: Command) => void): MenuItemConstructorOptions[] {
  const item = (label: string, command: Command, accelerator: string): MenuItemConstructorOptions => ({
    label,
    accelerator,
    click: () => run(command),
  });
  return [
    ...(platform === 'darwin' ? [{ role: 'appMenu' } as const] : []),
    {
      label: '&File',
      submenu: [
        item('Find a Command, Screen or Address', 'open-palette', 'CommandOrControl+K'),
        item('Read Balances', 'read-balances', 'CommandOrControl+Shift+B'),
        { type: 'separator' },
        platform === 'darwin' ? { role: 'close' } : { role: 'quit' },
      ],
    },
    { role: 'editMenu' },
    {
      label: '&Go',
      submenu: [
        ...places.map(([label, command], index) => item(label, command, `CommandOrControl+${index + 1}`)),
        { type: 'separator' },
        item('Search Box', 'focus-search', 'CommandOrControl+L'),
      ],
    },
    {
      label: '&View',
      submenu: [{ role: 'zoomIn' }, { role: 'zoomOut' }, { role: 'resetZoom' }, { role: 'togglefullscreen' }],
    },
    { role: 'windowMenu' },
  ];
}

export function installMenu(run: (command: Command) => void): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(process.platform, run)));
  app.setAboutPanelOptions({ applicationName: 'Address Console', applicationVersion: app.getVersion() });
}
