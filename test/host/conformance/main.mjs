// Checks the behaviour of Electron on which the program relies. This program runs on both Electron and the development host. Each check
// is written from Electron's sources and specifications (test/host/README.md names them); a difference is a line in the report.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import * as electron from 'electron';

const { app, BrowserWindow, ClipboardItem, clipboard, dialog, ipcMain, Menu, Notification, protocol, session } =
  electron;
const report = process.env.CONFORMANCE_REPORT ?? '';
const isSecond = process.argv.includes('--second');

/** @param {string} name @param {unknown} error */
const tell = (name, error) =>
  appendFileSync(report, `${JSON.stringify({ name, error: error === undefined ? null : String(error) })}\n`);
/** @param {string} name @param {() => unknown} run */
async function check(name, run) {
  try {
    await run();
    tell(name, undefined);
  } catch (error) {
    tell(name, error);
  }
}
/** @param {() => boolean} holds */
async function until(holds) {
  while (!holds()) await turn();
}
const headers = { 'content-security-policy': "default-src 'none'; script-src 'self'", 'content-type': 'text/html' };
const privileged = [{ scheme: 'app', privileges: { standard: true, secure: true } }];

app.setPath('userData', process.env.CONFORMANCE_FOLDER ?? '');
if (!app.requestSingleInstanceLock({ from: 'second' })) app.exit(0);
else if (isSecond) throw new Error('a second start had the lock');
else {
  await check('not ready while main’s body runs', () => assert.equal(app.isReady(), false));
  await check('before ready: switches that Electron sets itself are found among those given', () => {
    assert.equal(app.commandLine.hasSwitch('allow-file-access-from-files'), true);
    assert.equal(app.commandLine.hasSwitch('remote-debugging-port'), false);
  });
  await check('before ready: no session, window, notice, protocol handler or dialog', () => {
    assert.throws(() => session.defaultSession, /ready/);
    assert.throws(() => new BrowserWindow(), /before app is ready/);
    assert.throws(() => new Notification({ title: 'a' }), /before app is ready/);
    assert.throws(() => protocol.handle('app', () => new Response()), /ready/);
    assert.throws(() => dialog.showSaveDialog({}), /can only be used after app is ready/);
  });
  await check('before ready: schemes, sandbox and switches may be set', () => {
    protocol.registerSchemesAsPrivileged(privileged);
    app.enableSandbox();
    app.commandLine.appendSwitch('lang', 'en-GB');
  });
  await check('before ready: a sandbox that is enabled takes --no-sandbox back', () => {
    assert.equal(app.commandLine.hasSwitch('enable-sandbox'), true);
    assert.equal(app.commandLine.hasSwitch('no-sandbox'), false);
  });
  void app.whenReady().then(run);
}

async function run() {
  await check('after ready: schemes and sandbox may not be set', () => {
    assert.equal(app.isReady(), true);
    assert.throws(() => protocol.registerSchemesAsPrivileged(privileged), /before app is ready/);
    assert.throws(() => app.enableSandbox(), /before app is ready/);
    assert.throws(() => app.disableHardwareAcceleration(), /before app is ready/);
  });
  await check('a rejection that nobody handles does not end the program', async () => {
    void Promise.reject(new Error('nobody handles this'));
    for (let turns = 0; turns < 5; turns += 1) await turn();
  });
  await check('clipboard: both ways are promises', async () => {
    const written = clipboard.writeText('Tŷ Gwyn');
    assert.ok(written instanceof Promise);
    await written;
    assert.equal(await clipboard.readText(), 'Tŷ Gwyn');
  });
  await check('clipboard: a format of the system’s is written together with a text', async () => {
    const mark = 'electron application/osclipboard;format="application/x-conformance"';
    await clipboard.write([new ClipboardItem({ 'text/plain': 'Tŷ Coch', [mark]: '1' })]);
    assert.deepEqual([await clipboard.readText(), await clipboard.has(mark)], ['Tŷ Coch', true]);
    await clipboard.writeText('Tŷ Gwyn');
    assert.equal(await clipboard.has(mark), false);
    await assert.rejects(clipboard.write(/** @type {any} */ ('Tŷ Coch')), /expects an array of ClipboardItem/);
  });
  await check('dialog: options of a wrong type throw before there is a promise', () => {
    for (const name of ['title', 'buttonLabel', 'defaultPath', 'message']) {
      const wrong = /** @type {any} */ ({ [name]: 7 });
      assert.throws(() => dialog.showSaveDialog(wrong), { name: 'TypeError', message: /must be a string/ });
      assert.throws(() => dialog.showOpenDialog(wrong), { name: 'TypeError', message: /must be a string/ });
    }
    const wrong = /** @type {any} */ ({ properties: 'openFile' });
    assert.throws(() => dialog.showOpenDialog(wrong), { name: 'TypeError', message: /must be an array/ });
  });
  await check('menu: an item of nothing, an unknown type and a submenu that is none throw', () => {
    const build = (/** @type {object} */ item) => Menu.buildFromTemplate([item]);
    assert.throws(() => build({}), /must have at least one of label, role or type/);
    assert.throws(() => build({ label: 'a', type: 'unheard-of' }), /Unknown menu item type/);
    assert.throws(() => build({ label: 'a', type: 'submenu' }), /Invalid submenu/);
    build({ role: 'editMenu' });
  });
  await check('notice: whether it was shown is heard of, on Linux in the turn that shows it', async () => {
    const notice = new Notification({ title: 'Conformance', body: 'of the host' });
    const heard = [];
    for (const name of ['show', 'failed']) notice.on(/** @type {any} */ (name), () => heard.push(name));
    notice.show();
    assert.equal(heard.length, process.platform === 'linux' ? 1 : 0);
    await until(() => heard.length === 1);
  });
  await check('ipcMain: one handler a channel, and a function', () => {
    ipcMain.handle('once', () => 1);
    assert.throws(() => ipcMain.handle('once', () => 2), /Attempted to register a second handler for 'once'/);
    ipcMain.removeHandler('once');
    ipcMain.handle('once', () => 3);
    assert.throws(() => ipcMain.handle('none', /** @type {any} */ (undefined)), /Expected handler to be a function/);
  });

  /** @type {Record<string, string>[]} */
  const asked = [];
  await check('protocol: one handler a scheme', () => {
    session.defaultSession.protocol.handle('app', async (request) => {
      const { pathname } = new URL(request.url);
      asked.push({ pathname, method: request.method, accept: request.headers.get('accept') ?? '' });
      if (pathname === '/throws') throw new Error('conformance: a handler that throws');
      if (pathname === '/nothing') return /** @type {any} */ (undefined);
      if (pathname === '/missing') return new Response(null, { status: 404 });
      if (pathname === '/page.js') {
        const { readFile } = await import('node:fs/promises');
        const script = await readFile(join(import.meta.dirname, 'page.js'));
        return new Response(script, { headers: { ...headers, 'content-type': 'text/javascript' } });
      }
      return new Response(
        '<!doctype html><title>Conformance</title><p>Here.</p><script type="module" src="/page.js"></script>',
        { headers },
      );
    });
    assert.throws(
      () => session.defaultSession.protocol.handle('app', () => new Response()),
      /Failed to register protocol/,
    );
    assert.equal(session.defaultSession.protocol.isProtocolHandled('app'), true);
  });
  session.defaultSession.setPermissionRequestHandler((_contents, _permission, callback) => callback(false));
  session.defaultSession.setPermissionCheckHandler(() => false);

  const preload = join(import.meta.dirname, 'preload.cjs');
  const webPreferences = { preload, sandbox: true, contextIsolation: true, nodeIntegration: false };
  ipcMain.handle('report', (_event, name, error) => tell(name, error ?? undefined));
  ipcMain.handle('echo', (_event, ...args) => args);
  ipcMain.handle('throws', () => {
    throw new TypeError('not today');
  });
  ipcMain.handle('function', () => () => {});
  const finished = new Promise((done) => ipcMain.handle('finished', () => done(undefined)));

  /** @type {import('electron').WebContents[]} */
  const created = [];
  app.on('web-contents-created', (_event, contents) => created.push(contents));
  const window = new BrowserWindow({ show: false, width: 640, height: 480, webPreferences });
  const { webContents } = window;
  /** @type {string[]} */
  const opening = [];
  webContents.setWindowOpenHandler(({ url }) => {
    opening.push(url);
    return { action: 'deny' };
  });
  /** @type {string[]} */
  const going = [];
  webContents.on('will-navigate', (event) => {
    going.push(event.url);
    event.preventDefault();
  });
  const painted = once(window, 'ready-to-show');
  await check('window: what its options name is made at once, and the program is told', () =>
    assert.deepEqual(created, [webContents]),
  );
  await check(
    'window: a second one of a name is refused while the first is there, and when the first says that it is closed',
    async () => {
      const named = new BrowserWindow({ show: false, name: 'one of two', webPreferences });
      assert.throws(() => new BrowserWindow({ show: false, name: 'one of two' }), {
        name: 'TypeError',
        message: "Window name 'one of two' is already in use. Window names must be unique.",
      });
      /** @type {unknown} */
      let refusal;
      named.once('closed', () => {
        try {
          new BrowserWindow({ show: false, name: 'one of two' });
        } catch (error) {
          refusal = error;
        }
      });
      const closed = once(named, 'closed');
      named.destroy();
      await closed;
      assert.match(String(refusal), /is already in use/);
      created.length = 1;
    },
  );
  await check(
    'window: once it is closed, nothing may be asked of it and of its contents but whether they are',
    async () => {
      const brief = new BrowserWindow({ show: false, webPreferences });
      const contents = brief.webContents;
      const gone = { name: 'TypeError', message: 'Object has been destroyed' };
      brief.once('closed', () => assert.throws(() => brief.webContents, gone));
      const closed = once(brief, 'closed');
      brief.destroy();
      await closed;
      await until(() => contents.isDestroyed());
      assert.equal(brief.isDestroyed(), true);
      for (const ask of [() => brief.show(), () => brief.isMinimized(), () => brief.destroy()])
        assert.throws(ask, gone);
      for (const ask of [() => contents.getURL(), () => contents.reload(), () => contents.send('number', 1)])
        assert.throws(ask, gone);
      created.length = 1;
    },
  );
  await check('a page that has no body, or whose handler throws or gives nothing, fails to load', async () => {
    for (const path of ['missing', 'throws', 'nothing']) {
      const failed = once(webContents, 'did-fail-load');
      await assert.rejects(window.loadURL(`app://console/${path}`), /ERR_/);
      await failed;
    }
  });

  let senders = 0;
  ipcMain.handle('frame', (event) => {
    senders += 1;
    return event.senderFrame !== null && event.senderFrame === event.sender.mainFrame && event.sender === webContents;
  });
  ipcMain.handle('opened', () => [opening, created.length]);
  ipcMain.handle('gone', () => going);
  ipcMain.handle('send', (event) => {
    for (const number of [1, 2]) event.sender.send('number', number, new Date(0), undefined);
    // Not reported to the program.
    event.sender.send('number', () => {});
    event.sender.send('number', 3, new Date(0), undefined);
  });
  await window.loadURL('app://console/index.html');
  await finished;
  await check('loadURL by main is not asked about, and ends when the page is there', () => {
    assert.ok(!going.includes('app://console/index.html'));
    assert.equal(webContents.getURL(), 'app://console/index.html');
    assert.ok(senders > 0);
  });
  await check('protocol: the request has its method and headers', () => {
    const page = asked.find(({ pathname }) => pathname === '/index.html');
    assert.deepEqual([page?.method, page?.accept.includes('text/html')], ['GET', true]);
  });
  await check('ready-to-show comes with the first paint', () => painted);
  await check('senderFrame is null once its window is gone', async () => {
    const other = new BrowserWindow({ show: false, webPreferences });
    const asking = new Promise((done) => ipcMain.handle('hold', (event) => done(event)));
    await other.loadURL('app://console/other.html');
    const event = await asking;
    assert.notEqual(event.senderFrame, null);
    const closed = once(other, 'closed');
    other.destroy();
    await closed;
    await until(() => event.senderFrame === null);
  });
  await check(
    'a second start gives its arguments, switches first, its folder and data to the first, and ends',
    async () => {
      const told = once(app, 'second-instance');
      const [command, args] = JSON.parse(process.env.CONFORMANCE_START);
      const second = spawn(command, [...args, 'a file', '--second'], {
        stdio: 'ignore',
      });
      const [code] = await once(second, 'exit');
      const [, argv, cwd, data] = await told;
      assert.equal(code, 0);
      const [file, asked] = ['a file', '--second'].map((one) => argv.indexOf(one));
      assert.ok(asked > 0 && asked < file);
      assert.deepEqual([cwd, data], [process.cwd(), { from: 'second' }]);
    },
  );

  // Quitting is checked last: the report's last line is written in the handler of “quit”.
  /** @type {string[]} */
  const order = [];
  for (const name of ['before-quit', 'window-all-closed', 'will-quit'])
    app.on(/** @type {any} */ (name), () => order.push(name));
  for (const name of ['close', 'closed']) window.on(/** @type {any} */ (name), () => order.push(name));
  await check('quit: prevented before it begins, or by a window, it can be asked for again', async () => {
    app.once('before-quit', (event) => event.preventDefault());
    app.quit();
    await turn();
    assert.deepEqual(order, ['before-quit']);
    window.once('close', (event) => event.preventDefault());
    app.quit();
    await until(() => order.length === 3);
    await turn();
    assert.deepEqual(order, ['before-quit', 'before-quit', 'close']);
    assert.equal(window.isDestroyed(), false);
  });
  order.length = 0;
  app.on('quit', (_event, code) => {
    const right = `before-quit close closed will-quit ${0}`;
    const seen = [...order, code].join(' ');
    tell('quit: before-quit, each window’s close, will-quit, quit with the code', seen === right ? undefined : seen);
  });
  app.quit();
}
