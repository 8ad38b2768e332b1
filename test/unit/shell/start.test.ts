import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix, win32 } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Notification } from 'electron';
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { isNetworkPath, liesOnNetwork } from '../../../electron/core/storage/database/network-folder.ts';
import { goesWithProgram } from '../../../electron/core/storage/database/program-folder.ts';
import { programsData } from '../../../electron/platform/data-folder.ts';
import { argumentsToRestart, readArguments } from '../../../electron/shell/arrivals.ts';
import { findCommandLine } from '../../../electron/shell/command-line.ts';
import { createDialogs } from '../../../electron/shell/dialogs.ts';
import { readLink } from '../../../electron/shell/link.ts';
import { dockMenu, jumpList, menuTemplate } from '../../../electron/shell/menu.ts';
import { showNotice } from '../../../electron/shell/notices.ts';
import { findRefusedSwitch } from '../../../electron/shell/refused-switches.ts';
import { keepOffNetwork } from '../../../electron/shell/security.ts';
import { placeIds } from '../../../shared/places.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { admitsArguments, app } from '../../host/app.ts';
import { dialog } from '../../host/dialog.ts';
import { clickNotices, timeOutNotices } from '../../host/notification.ts';

// What main does before and besides the window, and how it handles arguments, links and signals.

const clicked = vi.fn();

beforeAll(() => app.becomeReady());
afterEach(() => vi.restoreAllMocks());

describe('switches that a packaged program refuses', () => {
  const given =
    (...names: string[]) =>
    (name: string) =>
      names.includes(name);

  test.each([
    'remote-debugging-port',
    'remote-debugging-pipe',
    'inspect',
    'js-flags',
    'disable-web-security',
    'ssl-key-log-file',
    'host-resolver-rules',
    'renderer-cmd-prefix',
    'no-sandbox',
  ])('--%s', (name) => {
    expect(findRefusedSwitch(given('lang', name), false)).toBe(name);
  });

  test('allows switches that a person may want', () => {
    expect(findRefusedSwitch(given('lang', 'log-net-log', 'force-device-scale-factor', 'open'), false)).toBeNull();
  });

  test('the AppImage’s launcher may disable the sandbox, and nothing else', () => {
    expect(findRefusedSwitch(given('no-sandbox'), true)).toBeNull();
    expect(findRefusedSwitch(given('no-sandbox', 'remote-debugging-port'), true)).toBe('remote-debugging-port');
  });
});

describe('started as a command line', () => {
  test.each([
    [['exe', '--command-line', '--', 'credits', '--json'], true, ['credits', '--json']],
    [['exe', '--command-line', '--ozone-platform=headless', '--disable-gpu', '--', 'help'], true, ['help']],
    [['electron', '.', '--command-line', '--', 'call', '--', 'x'], false, ['call', '--', 'x']],
    [['exe', '--command-line', '--'], true, []],
    [['exe', '--command-line', 'credits'], true, null],
    [['exe', 'address-console://lookup', '--command-line', '--', 'call'], true, null],
    [['exe', '--', '--command-line', '--', 'call'], true, null],
    [['exe'], true, null],
  ])('%j, packaged: %s', (argv, packaged, words) => {
    expect(findCommandLine(argv, packaged, false)).toEqual(words);
  });

  test('behind the switch that an AppImage’s launcher adds, and behind no other', () => {
    const argv = ['exe', '--no-sandbox', '--command-line', '--', 'help'];
    expect(findCommandLine(argv, true, true)).toEqual(['help']);
    expect(findCommandLine(argv, true, false)).toBeNull();
    expect(findCommandLine(['exe', '--lang=en', '--command-line', '--', 'help'], true, true)).toBeNull();
  });
});

test('the engine’s dictionaries are off before its first turn ends, and nothing of a page leaves', () => {
  const done: [string, unknown][] = [];
  let before: ((details: object, callback: (answer: object) => void) => void) | undefined;
  let urls: string[] = [];
  void keepOffNetwork({
    setSpellCheckerLanguages: (languages: string[]) => done.push(['languages', languages]),
    setSpellCheckerEnabled: (enabled: boolean) => done.push(['enabled', enabled]),
    setSpellCheckerDictionaryDownloadURL: (url: string) => done.push(['from', new URL(url).hostname]),
    webRequest: {
      onBeforeRequest: (filter: { urls: string[] }, listener: typeof before) => {
        urls = filter.urls;
        before = listener;
      },
    },
    setProxy: (config: object) => done.push(['proxy', config]),
  } as unknown as Parameters<typeof keepOffNetwork>[0]);
  expect(done).toEqual([
    ['languages', []],
    ['enabled', false],
    ['from', '127.0.0.1'],
    // Without the last rule what is on this computer is reached past a proxy.
    ['proxy', { mode: 'fixed_servers', proxyRules: 'http://127.0.0.1:1', proxyBypassRules: '<-loopback>' }],
  ]);
  for (const scheme of ['http', 'https', 'ws', 'wss', 'file']) expect(urls).toContain(`${scheme}://*/*`);
  const answer = vi.fn();
  before?.({ url: 'https://example.com/' }, answer);
  expect(answer).toHaveBeenCalledExactlyOnceWith({ cancel: true });
});

describe('a notice of the system', () => {
  const shows = (event: 'show' | 'failed') =>
    vi.spyOn(Notification.prototype, 'show').mockImplementation(function (this: Notification) {
      (this as unknown as NodeJS.EventEmitter).emit(event, {}, 'not signed');
    });

  test('counts once it was shown', async () => {
    shows('show');
    expect(await showNotice('Licences', 'One expires today.', clicked)).toBe(true);
  });

  test('does not count if the system refuses it, though it has notices', async () => {
    shows('failed');
    expect(Notification.isSupported()).toBe(true);
    expect(await showNotice('Licences', 'One expires today.', clicked)).toBe(false);
  });

  test('does not count if the system does not respond', async () => {
    vi.useFakeTimers();
    vi.spyOn(Notification.prototype, 'show').mockImplementation(() => {});
    const shown = showNotice('Licences', 'One expires today.', clicked);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await shown).toBe(false);
    vi.useRealTimers();
  });
});

describe('a notice without a reference', () => {
  // Makes the garbage collector callable, which it is not by default.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const afterCollection = async () => {
    for (let turn = 0; turn < 5; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      collect();
    }
    return clickNotices();
  };

  test('gets no click once garbage-collected; one that the program shows does', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const before = await afterCollection();
    new Notification({ title: 'Licences', body: 'Held by nobody.' }).show();
    expect(await afterCollection()).toBe(before);
    expect(await showNotice('Licences', 'One expires today.', clicked)).toBe(true);
    expect(await afterCollection()).toBe(before + 1);
    // After a click the program releases the notification too.
    expect(await afterCollection()).toBe(before);
  });

  test('one that the system has put away after a while can still be clicked where it is kept; no more than twenty are', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    await afterCollection();
    clicked.mockClear();
    for (let shown = 0; shown < 25; shown += 1) await showNotice('Licences', 'One expires today.', clicked);
    timeOutNotices();
    await afterCollection();
    expect(clicked).toHaveBeenCalledTimes(20);
  });
});

describe('the data folder', () => {
  test('is this computer’s on Windows, not the roaming one', () => {
    const env = { APPDATA: 'C:\\Users\\kim\\AppData\\Roaming', LOCALAPPDATA: 'D:\\Local' };
    expect(programsData('win32', env, 'C:\\Users\\kim')).toBe('D:\\Local');
    expect(programsData('win32', {}, 'C:\\Users\\KIM~1')).toBe('C:\\Users\\KIM~1\\AppData\\Local');
    expect(programsData('win32', { LOCALAPPDATA: '' }, 'C:\\Users\\Kim Lee')).toBe(
      'C:\\Users\\Kim Lee\\AppData\\Local',
    );
    expect(programsData('darwin', {}, '/Users/kim')).toBe('/Users/kim/Library/Application Support');
    expect(programsData('linux', { XDG_CONFIG_HOME: '' }, '/home/kim')).toBe('/home/kim/.config');
    expect(programsData('linux', { XDG_CONFIG_HOME: '/etc/kim' }, '/home/kim')).toBe('/etc/kim');
  });

  test.each([
    ['\\\\server\\profiles\\kim', true],
    ['//server/profiles/kim', true],
    ['\\\\server.example@SSL\\DavWWWRoot', true],
    ['\\\\?\\UNC\\server\\share', true],
    ['\\\\?\\unc\\server\\share', true],
    ['\\\\wsl.localhost\\Debian\\home', true],
    ['\\\\?\\C:\\Users\\kim', false],
    ['\\\\.\\pipe\\name', false],
    ['C:\\Users\\kim', false],
    ['c:/Users/kim', false],
    ['C:relative', false],
    ['\\rooted', false],
    ['/home/kim', false],
    ['kim\\\\server', false],
    ['', false],
  ])('%s is on the network: %s', (path, network) => {
    expect(isNetworkPath(path)).toBe(network);
  });

  test('on another computer is recognised before it exists; one on this computer is not taken for it', () => {
    expect(liesOnNetwork('\\\\server\\profiles\\kim\\Address Console', 'win32')).toBe(true);
    expect(liesOnNetwork(`${import.meta.dirname}/not/there/yet`)).toBe(false);
  });

  test('goes with the program on Windows if it is in the folder that the installer’s uninstaller removes', () => {
    const local = mkdtempSync(join(tmpdir(), 'address-console-local-'));
    const data = join(local, 'Address Console');
    mkdirSync(data);
    const program = join(data, 'Address Console.exe');
    // Unpacked by hand, or by an MSI, which removes its own files alone.
    expect(goesWithProgram(data, program, 'win32')).toBe(false);
    writeFileSync(join(data, 'Uninstall Address Console.exe'), '');
    expect(goesWithProgram(data, program, 'win32')).toBe(true);
    expect(goesWithProgram(join(data, 'not there', 'yet'), program, 'win32')).toBe(true);
    expect(goesWithProgram(data, program, 'linux')).toBe(false);
    for (const other of [local, join(local, 'Address Console 2'), join(local, 'not there', 'yet')])
      expect(goesWithProgram(other, program, 'win32')).toBe(false);
    removeFolder(local);
  });
});

describe('links', () => {
  test.each([
    ['address-console://lookup', { kind: 'screen', screen: 'lookup', text: null }],
    ['address-console://lookup/?text=HR10%202DT', { kind: 'screen', screen: 'lookup', text: 'HR10 2DT' }],
    ['ADDRESS-CONSOLE://Lookup?text=a+b', { kind: 'screen', screen: 'lookup', text: 'a b' }],
    ['address-console://credits?text=ignored', { kind: 'screen', screen: 'credits', text: null }],
    ['address-console://licences?do=read&licence=1', { kind: 'screen', screen: 'licences', text: null }],
    ['address-console://lookup?text=a%0d%0ab%00%E2%80%AEc', { kind: 'screen', screen: 'lookup', text: 'a  b  c' }],
    ['address-console://lookup?text=%20', { kind: 'screen', screen: 'lookup', text: null }],
  ])('%s', (link, arrival) => expect(readLink(link)).toEqual(arrival));

  test.each([
    '',
    'address-console:lookup',
    'address-console://',
    'address-console://elsewhere',
    'address-console://lookup/run?text=a',
    'address-console://kim@lookup',
    'address-console://lookup:80',
    'address-console://lookup.evil',
    'https://lookup?text=a',
    'app://console/index.html',
    `address-console://lookup?text=${'a'.repeat(2000)}`,
  ])('%s has no effect', (link) => expect(readLink(link)).toBeNull());

  test('whatever a link contains, it only opens a screen and fills a box', () => {
    fc.assert(
      fc.property(fc.constantFrom(...placeIds, 'x'), fc.webQueryParameters(), fc.string(), (host, query, text) => {
        const found = readLink(`address-console://${host}?${query}&text=${text}`);
        if (found === null) return;
        expect(Object.keys(found).sort()).toEqual(['kind', 'screen', 'text']);
        if (found.kind !== 'screen') throw new Error(found.kind);
        expect(placeIds).toContain(found.screen);
        expect(found.text === null || found.text.length <= 500).toBe(true);
      }),
    );
  });
});

describe('the arguments of a start', () => {
  const screen = (name: string, text: string | null = null) => ({ kind: 'screen', screen: name, text });

  test('on Windows: tables by drive, share, short name and from the folder it was typed in; nothing of the engine’s', () => {
    const args = [
      '--allow-file-access',
      '--open=credits',
      'D:\\Tables\\Move these.csv',
      '\\\\server\\share\\a.CSV',
      'C:\\Users\\RUNNER~1\\a.tsv',
      'b.txt',
      '..\\c.csv',
      'notes.docx',
      'address-console://lookup?text=x',
      'address-console://nowhere',
      '--open=elsewhere',
      '-a.csv',
    ];
    expect(readArguments(args, 'C:\\Users\\kim', win32)).toEqual([
      screen('credits'),
      { kind: 'file', path: 'D:\\Tables\\Move these.csv' },
      { kind: 'file', path: '\\\\server\\share\\a.CSV' },
      { kind: 'file', path: 'C:\\Users\\RUNNER~1\\a.tsv' },
      { kind: 'file', path: 'C:\\Users\\kim\\b.txt' },
      { kind: 'file', path: 'C:\\Users\\c.csv' },
      screen('lookup', 'x'),
    ]);
  });

  test('of several starts that came while the program ended, together: Electron on Windows starts with them', () => {
    const engine = '--allow-file-access-from-files';
    const [credits, lookup] = ['address-console://credits', 'address-console://lookup?text=x'];
    const given = [engine, credits, engine, lookup, engine, '--open=licences', 'D:\\Tables\\a.csv'];
    expect(admitsArguments(given)).toBe(false);
    const kept = argumentsToRestart(given);
    expect(admitsArguments(kept)).toBe(true);
    expect(readArguments(kept, 'C:\\', win32)).toEqual([
      screen('licences'),
      { kind: 'file', path: 'D:\\Tables\\a.csv' },
      screen('lookup', 'x'),
    ]);
    expect(argumentsToRestart([])).toEqual([]);
  });

  test('elsewhere: a path is one from the folder it was typed in', () => {
    expect(readArguments(['a.csv', '/home/kim/b.csv'], '/tmp', posix)).toEqual([
      { kind: 'file', path: '/tmp/a.csv' },
      { kind: 'file', path: '/home/kim/b.csv' },
    ]);
  });

  test('some desktops of Linux give a file as a URL', () => {
    expect(readArguments(['file:///home/kim/Move%20these.csv'], '/tmp', posix)).toEqual([
      { kind: 'file', path: '/home/kim/Move these.csv' },
    ]);
    // One of another computer is no path: it is said that it cannot be read.
    expect(readArguments(['file://server/a.csv'], '/tmp', posix)).toEqual([
      { kind: 'file', path: '/tmp/file:/server/a.csv' },
    ]);
  });
});

test('the icon’s menus open three screens, with arguments that a start understands', () => {
  const [tasks] = jumpList('C:\\Program Files\\Address Console\\Address Console.exe');
  const asked = (tasks?.items ?? []).map(({ args }) => readArguments([args ?? ''], 'C:\\', win32));
  expect(asked.flat()).toEqual(
    ['lookup', 'credits', 'licences'].map((name) => ({ kind: 'screen', screen: name, text: null })),
  );
  const ran: string[] = [];
  for (const item of dockMenu((name) => ran.push(name))) item.click?.({} as never, undefined, {} as never);
  expect(ran).toEqual(['new-window', 'lookup', 'credits', 'licences']);
});

test('settings and quit are where each system has them', () => {
  const labels = (platform: NodeJS.Platform, menu: number) => {
    const { submenu } = menuTemplate(platform, () => {})[menu] ?? {};
    return Array.isArray(submenu) ? submenu.map(({ label, role }) => label ?? role ?? '') : [];
  };
  expect(labels('darwin', 0)).toContain('Settings…');
  expect(labels('darwin', 0).at(-1)).toBe('quit');
  expect(labels('darwin', 1).at(-1)).toBe('close');
  for (const platform of ['win32', 'linux'] as const) {
    expect(labels(platform, 0)).toContain('Settings');
    expect(labels(platform, 0).at(-1)).toBe('quit');
  }
});

test('a dialog begins in the last folder of its kind, at first with only the name, and asks before a file is replaced', async () => {
  const folders: Record<string, string | null> = { save: null, open: null };
  const dialogs = createDialogs(
    {
      read: (kind) => folders[kind] ?? null,
      write: (kind, folder) => {
        folders[kind] = folder;
      },
    },
    () => undefined,
  );
  const begun: (string | undefined)[] = [];
  vi.spyOn(dialog, 'showSaveDialog').mockImplementation(async (options: unknown) => {
    const { defaultPath, properties, message } = options as Electron.SaveDialogOptions;
    begun.push(defaultPath);
    // A Mac shows no title: its dialog is attached to the window.
    expect(message).toBe('Save');
    // GTK's dialog replaces a file without a question if it is not told to ask.
    expect(properties).toContain('showOverwriteConfirmation');
    return { canceled: false, filePath: `${import.meta.dirname}/table.csv` };
  });
  await dialogs.chooseSaveFile({ title: 'Save', name: 'a.csv', extension: 'csv' });
  // The window may name a file, and no folder.
  await dialogs.chooseSaveFile({ title: 'Save', name: '../../b.csv', extension: 'csv' });
  folders.save = '/a/folder/that/is/gone';
  await dialogs.chooseSaveFile({ title: 'Save', name: 'c.csv', extension: 'csv' });
  expect(begun).toEqual(['a.csv', `${import.meta.dirname}/b.csv`, 'c.csv']);
  expect(folders.open).toBeNull();

  const saveAs = async (typed: string) => {
    vi.mocked(dialog.showSaveDialog).mockResolvedValue({ canceled: false, filePath: typed } as never);
    return dialogs.chooseSaveFile({ title: 'Save', name: 'a.csv', extension: 'ts' });
  };
  // GTK's dialog alone leaves a name without its ending.
  const bare = join(import.meta.dirname, 'january');
  expect(await saveAs(bare)).toBe(process.platform === 'linux' ? `${bare}.ts` : bare);
  expect(await saveAs(`${bare}.txt`)).toBe(`${bare}.txt`);
  // A file of the full name is there, and nobody was asked about it.
  const taken = join(import.meta.dirname, '..', '..', 'run-all');
  expect(await saveAs(taken)).toBe(taken);

  const opened = vi.spyOn(dialog, 'showOpenDialog');
  expect(await dialogs.chooseFile({ title: 'Open a table', extensions: ['csv'] })).toBeNull();
  expect(opened).toHaveBeenCalledWith(expect.objectContaining({ title: 'Open a table', message: 'Open a table' }));
});
