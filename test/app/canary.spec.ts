import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright/test';
import type { RunningConsole } from '../helpers/console.ts';
import { removeFolder } from '../helpers/folders.ts';
import { listenOnLoopback } from '../helpers/loopback.ts';
import { connectOwn, expect, focusTaken, goTo, press, type Service, screenOf, searchFor, test } from './fixtures.ts';

// Promise 11: plants known secrets, uses the features, and searches every byte that is written or sent to the window for them, in plain,
// URL, XML-entity and base64 forms. The service is a real one on loopback, so the secrets are really sent. What the
// browser engine asks the network by itself is counted in the same program (promise 22).

/** Every form in which a value may leak. Base64 is in its three alignments, without the characters that depend on neighbouring bytes. */
function formsOf(secret: string): string[] {
  const base64 = [0, 1, 2].map((shift) => {
    const text = Buffer.from(`${'x'.repeat(shift)}${secret}`)
      .toString('base64')
      .replaceAll('=', '');
    return text.slice(shift === 0 ? 0 : shift + 1, -2);
  });
  const entities = [...secret].map((char) => `&#${char.charCodeAt(0)};`).join('');
  const hex = [...secret].map((char) => `&#x${char.charCodeAt(0).toString(16)};`).join('');
  const percent = [...secret].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('');
  return [
    ...new Set([
      secret,
      secret.toUpperCase(),
      secret.toLowerCase(),
      encodeURIComponent(secret),
      percent,
      percent.toUpperCase(),
      entities,
      hex,
      ...base64,
      ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
      [...secret].reverse().join(''),
    ]),
  ];
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The secrets that occur in some bytes, each as "what: which secret". */
function leaks(what: string, bytes: Buffer, secrets: Readonly<Record<string, string>>): string[] {
  return Object.entries(secrets).flatMap(([name, secret]) =>
    formsOf(secret).some((form) => bytes.includes(form) || bytes.includes(Buffer.from(form, 'utf16le')))
      ? [`${what}: ${name}`]
      : [],
  );
}

/** Adds a secret under Connections, as a user does. */
async function addSecret(page: Page, role: RegExp, label: string, value: string): Promise<void> {
  await press(page, /Add a key/);
  const dialog = page.getByRole('dialog');
  await focusTaken(dialog);
  await dialog.getByRole('textbox', { name: 'Label' }).fill(label);
  await dialog
    .getByRole('combobox', { name: 'Role' })
    .or(dialog.getByRole('textbox', { name: 'Role' }))
    .click();
  await page.getByRole('option', { name: role }).click();
  await dialog.getByLabel('Value').fill(value);
  await dialog.getByRole('button', { name: 'Save it' }).press('Enter');
  await expect(dialog).toBeHidden();
}

/** The password of a proxy, which is entered under Settings. */
const proxyPassword = 'c4f00d5e-proxy-9b1d';

async function enterProxySignIn(page: Page): Promise<void> {
  await goTo(page, 'settings');
  await screenOf(page, 'settings').getByRole('button', { name: 'Add a sign-in' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await focusTaken(dialog);
  await dialog.getByRole('textbox', { name: 'Proxy' }).fill('proxy.example:8080');
  await dialog.getByRole('textbox', { name: 'User name' }).fill('kim');
  await dialog.getByLabel('Password', { exact: true }).fill(proxyPassword);
  await dialog.getByRole('button', { name: 'Save it' }).press('Enter');
  await expect(dialog).toBeHidden();
  await press(page, /Check the network/);
  await expect(
    screenOf(page, 'settings')
      .getByText(/All reached/)
      .first(),
  ).toBeVisible();
}

async function driveEverything(page: Page, service: Service): Promise<void> {
  await goTo(page, 'connections');
  await addSecret(page, /SOAP licence ID/, 'Licence', service.demo.licenceId);
  await addSecret(page, /SOAP account GUID/, 'Account', service.demo.guid);
  await addSecret(page, /Master key/, 'Master', service.demo.masterKey);
  await press(page, /^Edit$/);
  await focusTaken(page.getByRole('dialog'));
  await page.getByRole('dialog').getByRole('textbox', { name: 'Account name' }).fill(service.demo.accountName);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).press('Enter');
  await press(page, /Test · free/);
  await expect(screenOf(page, 'connections').getByText(/by the free call GetCredits/)).toBeVisible();
  await enterProxySignIn(page);

  await searchFor(page, service.demo.sample.postcode);
  await expect(page.getByRole('listbox').first()).toBeVisible();
  await page.getByRole('listbox').first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.locator('address')).toBeVisible();
  await press(page, /Get UPRN/);
  await expect(page.getByText(/^\d{12}$/).first()).toBeVisible();
  await press(page, /over SOAP/);
  await expect(page.getByText('Mailsort code')).toBeVisible();
  await press(page, 'Raw answer');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();

  await goTo(page, 'credits');
  await expect(screenOf(page, 'credits')).toBeVisible();
  await press(page, /^Read.* · price not published$/);
  await goTo(page, 'licences');
  await press(page, /Read licences/);
  await expect(
    screenOf(page, 'licences')
      .getByText(/\d+ licences/)
      .first(),
  ).toBeVisible();
  // A key that the service refuses: the service's message and ours are in errors and the log.
  await goTo(page, 'activity');
  await expect(screenOf(page, 'activity').getByText('GetLicenseList').first()).toBeVisible();
}

test('the search for leaks finds a planted one in every form', () => {
  const secret = 'a3f1c0de99887766554433221100beef';
  for (const form of formsOf(secret))
    expect(leaks('here', Buffer.from(`…${form}…`), { secret })).toEqual(['here: secret']);
});

// One program with a browser of its own, whose files are in the data folder and are searched too. The last test ends it.
test.describe('from its own service to a key that works', () => {
  test.describe.configure({ mode: 'default' });
  let folder: string;
  let recordFile: string;
  let service: Service;
  let running: RunningConsole;
  /** What the browser engine itself wanted from the network: everything, through a proxy that refuses it. */
  const asked: string[] = [];
  // Chrome, unlike Electron, contacts its account and form-filling servers, and preconnects to the page's own name.
  const ofProduct = /^(?:http:\/\/)?(?:[\w-]+\.)*(?:google|googleapis|gstatic)\.com[:/]|^console\.app\.localhost:443$/;
  /** An address that only a test's own page opens. */
  const elsewhere = 'http://elsewhere.example/';
  const others = () => asked.filter((address) => !ofProduct.test(address));
  const proxy = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(502).end();
  });
  proxy.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    socket.end('HTTP/1.1 502 No\r\n\r\n');
  });

  test.beforeAll(async ({ launchForAll, startServiceForAll }) => {
    const port = await listenOnLoopback(proxy);
    folder = mkdtempSync(join(tmpdir(), 'address-console-canary-'));
    recordFile = join(folder, 'to-the-window.jsonl');
    // With keys of its own: those of the usual seed stand in arguments of programs that other tests start.
    service = await startServiceForAll('--seed', '7');
    running = await launchForAll({
      dataFolder: join(folder, 'data'),
      recordFile,
      ownBrowser: true,
      env: { ADDRESS_CONSOLE_HOST_BROWSER_PROXY: `http://127.0.0.1:${port}` },
    });
    await connectOwn(running.page, service, service.demo.lookupKey);
    await expect(running.page.getByText(/by the free call GetCredits/)).toBeVisible();
    await press(running.page, 'Open Lookup');
  });
  test.afterAll(() => {
    proxy.close();
    removeFolder(folder);
  });

  test('the program shows no secret in its arguments', async () => {
    test.skip(process.platform === 'win32', 'ps is not there');
    const { stdout: list } = await promisify(execFile)('ps', ['-axww', '-o', 'command'], { maxBuffer: 64_000_000 });
    expect(list).toContain('main.js');
    expect(leaks('arguments', Buffer.from(list), { key: service.demo.lookupKey })).toEqual([]);
  });

  test('the browser engine makes no network request, by itself or for the page', async () => {
    test.skip(
      running.host === 'electron',
      'its net log is read where the package is started (build/package/start-once.ts)',
    );
    const { page } = running;
    const screens = ['Lookup', 'Credits', 'Licences', 'Activity', 'Connections', 'Settings', 'Lookup'];
    for (const [at, name] of screens.entries()) {
      await page.keyboard.press(`ControlOrMeta+${(at % 6) + 1}`);
      await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
    }
    await page
      .getByRole('textbox', { name: 'Postcode, street, business or building' })
      .pressSequentially('mispeld wrods');
    expect(others()).toEqual([]);
    // Shows that requests are recorded: a page that is not the program's makes one.
    const other = await page.context().newPage();
    await other.goto(elsewhere).catch(() => {});
    expect(others()).toEqual([elsewhere]);
    await other.close();
  });

  test('planted secrets are found nowhere except in the keychain', async () => {
    const { dataFolder } = running;
    const secrets = {
      lookupKey: service.demo.lookupKey,
      masterKey: service.demo.masterKey,
      guid: service.demo.guid,
      licenceId: service.demo.licenceId,
      proxyPassword,
    };
    await driveEverything(running.page, service);
    const dom = await running.page.content();
    await running.close();
    // What is asked late, as after the last letter above, is here too.
    if (running.host === 'development host')
      expect(others().filter((address) => !address.startsWith(elsewhere))).toEqual([]);

    const written = filesBelow(dataFolder);
    expect(written.some((file) => file.endsWith('.sqlite'))).toBe(true);
    const found = written.flatMap((file) => leaks(file.slice(dataFolder.length), readFileSync(file), secrets));
    expect(found).toEqual([]);
    expect(leaks('the page', Buffer.from(dom), secrets)).toEqual([]);
    expect(leaks('the output', Buffer.from(running.output()), secrets)).toEqual([]);
    if (running.host === 'development host') {
      const messages = readFileSync(recordFile);
      // Shows that the messages were recorded: they have the key's last four characters, which the window shows.
      expect(messages.includes(secrets.lookupKey.slice(-4))).toBe(true);
      expect(leaks('messages to the window', messages, secrets)).toEqual([]);
    }
  });
});
