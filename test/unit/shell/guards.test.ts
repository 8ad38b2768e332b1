import { EventEmitter } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { readPacAnswer } from '../../../electron/core/network/pac-answer.ts';
import type { Dispatcher } from '../../../electron/ipc/dispatcher.ts';
import { wire } from '../../../electron/ipc/wire.ts';
import { createFileLogger } from '../../../electron/platform/logger.ts';
import { createProxyFinder } from '../../../electron/platform/proxy.ts';
import { serveIpc } from '../../../electron/shell/ipc.ts';
import { ignoreRepeatedCommands, menuTemplate, textMenu } from '../../../electron/shell/menu.ts';
import { denyPermissions, lockEveryContents, lockNavigation } from '../../../electron/shell/security.ts';
import { app } from '../../host/app.ts';
import { handlers } from '../../host/ipc.ts';

describe('who may call a channel', () => {
  const dispatch = vi.fn<Dispatcher['dispatch']>(async () => ({ ok: true, value: 'answered' }));
  const cancel = vi.fn();
  const mainFrame = { url: 'app://console/index.html' };
  beforeAll(() =>
    serveIpc({ dispatch, cancel, cancelAll: () => {} }, (contents) =>
      (contents as unknown as { mainFrame: object }).mainFrame === mainFrame ? 7 : null,
    ),
  );

  const invoke = (frame: { url: string } | null, ...args: unknown[]) =>
    handlers.get(wire.invoke)?.(
      { sender: { mainFrame }, senderFrame: frame } as unknown as Parameters<
        NonNullable<ReturnType<typeof handlers.get>>
      >[0],
      ...args,
    );

  test('the main frame of the own page', async () => {
    expect(await invoke(mainFrame, 'app.info', 'w1', {})).toEqual({ ok: true, value: 'answered' });
    expect(dispatch).toHaveBeenLastCalledWith('app.info', 'w1', {}, 7);
  });

  test('the program’s page in a foreign window is refused, and cannot cancel anything', async () => {
    dispatch.mockClear();
    const frame = { url: 'app://console/index.html' };
    const event = { sender: { mainFrame: frame }, senderFrame: frame } as never;
    expect(await handlers.get(wire.invoke)?.(event, 'app.info', 'w1', {})).toMatchObject({
      ok: false,
      error: { code: 'not-allowed' },
    });
    await handlers.get(wire.cancel)?.(event, 'w1');
    expect(dispatch).not.toHaveBeenCalled();
    expect(cancel).not.toHaveBeenCalled();
  });

  test.each([
    ['a frame that is gone', null],
    ['a frame inside the page', { url: 'app://console/index.html' }],
    ['a page from elsewhere', { url: 'https://example.com/' }],
    ['a page without an address', { url: '' }],
  ])('%s is refused with an error, not with undefined', async (_name, frame) => {
    dispatch.mockClear();
    expect(await invoke(frame, 'app.info', 'w1', {})).toMatchObject({ ok: false, error: { code: 'not-allowed' } });
    expect(dispatch).not.toHaveBeenCalled();
  });

  test('a channel name that is not a string', async () => {
    expect(await invoke(mainFrame, { toString: () => 'app.info' }, 'w1', {})).toMatchObject({
      ok: false,
      error: { code: 'bad-channel-input' },
    });
  });
});

describe('navigation', () => {
  class Contents extends EventEmitter {
    open: (details: { url: string }) => { action: string } = () => ({ action: 'allow' });
    setWindowOpenHandler(handler: Contents['open']) {
      this.open = handler;
    }
  }
  const contents = new Contents();
  beforeAll(() => lockNavigation(contents as unknown as Parameters<typeof lockNavigation>[0]));

  test.each(['will-navigate', 'will-frame-navigate', 'will-redirect'])(
    '%s to another page is stopped, within the own page it is not',
    (event) => {
      const away = { url: 'https://example.com/', preventDefault: vi.fn() };
      contents.emit(event, away);
      expect(away.preventDefault).toHaveBeenCalledOnce();
      const home = { url: 'app://console/index.html', preventDefault: vi.fn() };
      contents.emit(event, home);
      expect(home.preventDefault).not.toHaveBeenCalled();
    },
  );

  test('webviews and new windows are refused', () => {
    const webview = { preventDefault: vi.fn() };
    contents.emit('will-attach-webview', webview);
    expect(webview.preventDefault).toHaveBeenCalledOnce();
    expect(contents.open({ url: 'app://console/index.html' })).toEqual({ action: 'deny' });
  });
});

test('a certificate that the system does not trust is refused, and none of the user’s is given', () => {
  lockEveryContents();
  const [preventDefault, callback] = [vi.fn(), vi.fn()];
  const unknown = app as unknown as EventEmitter;
  unknown.emit('certificate-error', { preventDefault }, {}, 'https://a.example/', 'ERR_CERT', {}, callback);
  expect([preventDefault.mock.calls.length, callback.mock.calls]).toEqual([1, [[false]]]);
  const [prevented, answered] = [vi.fn(), vi.fn()];
  unknown.emit('select-client-certificate', { preventDefault: prevented }, null, 'https://a.example/', [], answered);
  expect([prevented.mock.calls.length, answered.mock.calls]).toEqual([1, [[]]]);
  // A listener that prevents this event's default must call back, or the request waits for ever.
  expect(unknown.listenerCount('login')).toBe(0);
});

test('every permission is refused, asked and checked, and so are devices and downloads', () => {
  const given = new Map<string, (...args: unknown[]) => unknown>();
  const session = new Proxy(new EventEmitter(), {
    get: (target, name: string) =>
      name.startsWith('set')
        ? (handler: (...args: unknown[]) => unknown) => given.set(name, handler)
        : Reflect.get(target, name).bind(target),
  });
  denyPermissions(session as unknown as Parameters<typeof denyPermissions>[0]);
  for (const permission of ['media', 'geolocation', 'notifications', 'clipboard-read', 'openExternal', 'unknown']) {
    const answer = vi.fn();
    given.get('setPermissionRequestHandler')?.({}, permission, answer);
    expect(answer).toHaveBeenCalledExactlyOnceWith(false);
    expect(given.get('setPermissionCheckHandler')?.({}, permission, 'app://console')).toBe(false);
  }
  expect(given.get('setDevicePermissionHandler')?.({})).toBe(false);
  for (const event of ['will-download', 'select-hid-device', 'select-serial-port', 'select-usb-device']) {
    const preventDefault = vi.fn();
    const choose = vi.fn();
    session.emit(event, { preventDefault }, {}, event === 'select-serial-port' ? {} : choose, choose);
    expect(preventDefault).toHaveBeenCalledOnce();
  }
});

test('every menu entry runs a command; reload and developer tools are not in the menu', () => {
  for (const platform of ['darwin', 'linux', 'win32'] as const) {
    const ran: string[] = [];
    const template = menuTemplate(platform, (command) => ran.push(command));
    const items = template.flatMap((menu) => (Array.isArray(menu.submenu) ? menu.submenu : []));
    for (const item of items) item.click?.({} as never, undefined, {} as never);
    expect(new Set(ran).size).toBe(ran.length);
    expect(ran).toContain('open-licences');
    expect(ran).toContain('show-help');
    expect(template.at(-1)?.role).toBe('help');
    const roles = [...template, ...items].map(({ role }) => role);
    for (const role of ['reload', 'forceReload', 'toggleDevTools', 'viewMenu']) expect(roles).not.toContain(role);
    // Of these alone menu-item-roles.ts knows what to do on Windows and Linux, in the menus that roles bring too.
    const acts =
      'about close copy cut delete editMenu help minimize paste quit redo resetZoom selectAll togglefullscreen undo zoomIn zoomOut';
    if (platform !== 'darwin') expect(roles.filter((role) => role && !acts.split(' ').includes(role))).toEqual([]);
    const accelerators = items.flatMap(({ accelerator }) =>
      accelerator === undefined || accelerator === null ? [] : [accelerator],
    );
    expect(new Set(accelerators).size).toBe(accelerators.length);
  }
});

test('the key of a command acts once while it is kept pressed, in page and menu; others, as that of paste, are left alone', () => {
  for (const platform of ['darwin', 'linux', 'win32'] as const) {
    const contents = new EventEmitter();
    ignoreRepeatedCommands(contents as never, platform);
    const own = platform === 'darwin' ? 'meta' : 'control';
    const isTaken = (keys: string, { isAutoRepeat = true, mod = own } = {}): boolean => {
      const preventDefault = vi.fn();
      const modifiers = { shift: keys.includes('Shift'), alt: keys.includes('Alt'), control: false, meta: false };
      const key = keys.split('+').at(-1) ?? '';
      contents.emit('before-input-event', { preventDefault }, { ...modifiers, [mod]: true, key, isAutoRepeat });
      return preventDefault.mock.calls.length > 0;
    };
    for (const keys of ['Shift+N', 'Shift+n', 'Shift+B', 'k', '1', ',', 'l'])
      expect([isTaken(keys), isTaken(keys, { isAutoRepeat: false })], keys).toEqual([true, false]);
    for (const keys of ['v', 'z', '=', 'ArrowLeft', 'Backspace', 'n', 'Alt+k']) expect(isTaken(keys), keys).toBe(false);
    expect(isTaken('k', { mod: own === 'meta' ? 'control' : 'meta' })).toBe(false);
  }
});

test('a right click offers what can be done with a field or a selected text, and elsewhere nothing', () => {
  const can = (...names: string[]) =>
    Object.fromEntries(
      ['Undo', 'Redo', 'Cut', 'Copy', 'Paste', 'SelectAll'].map((name) => [`can${name}`, names.includes(name)]),
    ) as unknown as Parameters<typeof textMenu>[0]['editFlags'];
  const offered = (isEditable: boolean, ...names: string[]) =>
    textMenu({ isEditable, editFlags: can(...names) }).flatMap(({ role, enabled }) => (role && enabled ? [role] : []));
  expect(offered(true, 'Cut', 'Copy', 'Paste', 'SelectAll')).toEqual(['cut', 'copy', 'paste', 'selectAll']);
  expect(offered(true, 'Undo', 'Paste', 'SelectAll')).toEqual(['undo', 'paste', 'selectAll']);
  expect(textMenu({ isEditable: false, editFlags: can('Copy', 'SelectAll') })).toHaveLength(1);
  expect(textMenu({ isEditable: false, editFlags: can('SelectAll') })).toEqual([]);
});

test('the log has kind and place of an error, never its message', () => {
  const folder = mkdtempSync(join(tmpdir(), 'address-console-log-'));
  const logger = createFileLogger(folder);
  logger.error(
    'channel',
    Object.assign(new TypeError('key a3f1c0de was refused by https://x.example/?key=a3f1c0de'), { code: 'EKEY' }),
  );
  logger.error('channel', 'a3f1c0de');
  // As a service's own stack trace, quoted whole.
  const quoted = new Error('no seat\r\n   at Lookup.Check(String key) for a3f1c0de\n   at a3f1c0de (x.js:1:2)');
  logger.error('channel', quoted);
  quoted.message = 'said otherwise';
  logger.error('channel', quoted);
  logger.error('window 2, its process: crashed', null);
  const text = readFileSync(join(folder, 'console.log'), 'utf8');
  expect(text).toContain('channel TypeError EKEY');
  expect(text).toMatch(/ channel Error\n {2}at .*guards\.test\.ts:\d+:\d+/);
  expect(text).toMatch(/ window 2, its process: crashed$/m);
  expect(text).not.toContain('a3f1c0de');
  expect(text).not.toContain('x.example');
});

test.each([
  ['DIRECT', null],
  ['PROXY proxy.example:8080', 'http://proxy.example:8080'],
  ['HTTPS proxy.example:443; DIRECT', 'https://proxy.example:443'],
  ['SOCKS socks.example:1080; PROXY proxy.example:8080', 'http://proxy.example:8080'],
  ['SOCKS5 socks.example:1080; PROXY proxy.example:8080', 'socks5://socks.example:1080'],
  ['DIRECT; PROXY proxy.example:8080', null],
  ['', null],
  ['nonsense', null],
])('the system’s answer “%s” means %s', (answer, proxy) => {
  expect(readPacAnswer(answer).proxy).toBe(proxy);
});

test('a proxy script gets the server’s name, never the path or the key', async () => {
  const asked: string[] = [];
  const find = createProxyFinder(async (url) => {
    asked.push(url);
    return 'DIRECT';
  });
  await find(new URL('https://lookup.example/v1/Search?key=a3f1c0de'));
  expect(asked).toEqual(['https://lookup.example/']);
  const broken = createProxyFinder(async () => {
    throw new Error('no answer');
  });
  expect(await broken(new URL('https://lookup.example/'))).toBeNull();
});
