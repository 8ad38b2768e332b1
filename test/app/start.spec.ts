import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright/test';
import { type RunningConsole, startToEnd } from '../helpers/console.ts';
import { removeFolder } from '../helpers/folders.ts';
import {
  chooseItem,
  expect,
  expectClean,
  focusTaken,
  press,
  reloadClean,
  screenOf,
  startDemo,
  test,
} from './fixtures.ts';
import { call, connectBoth, selectedConnection } from './own-service.ts';

const box = (page: Page) => page.getByRole('textbox', { name: 'Postcode, street, business or building' });

test.describe('one program, started again', () => {
  test.describe.configure({ mode: 'default' });
  let folder: string;
  let running: RunningConsole;
  test.beforeAll(async ({ launchForAll }) => {
    folder = mkdtempSync(join(tmpdir(), 'address-console-start-'));
    running = await launchForAll();
    await startDemo(running.page);
  });
  test.afterAll(() => removeFolder(folder));

  test('what a second start brings is shown in the window of the first, and nothing is sent', async () => {
    const { page } = running;
    const table = join(folder, 'Move these.csv');
    writeFileSync(table, '\ufeffLicence,To\r\nWY-20418,NEW-01\r\n');
    await page.keyboard.press('ControlOrMeta+4');
    // The program reads the balance by itself.
    const sent = async () => {
      const { calls } = await call(page, 'activity.list', { before: null, limit: 500 });
      return calls.filter(({ operation }) => operation !== 'GetCredits').map(({ operation }) => operation);
    };
    const before = await sent();

    await startToEnd(running.dataFolder, { args: ['address-console://lookup?text=HR10%202DT'] });
    await expect(page.getByRole('heading', { name: 'Lookup', level: 1 })).toBeVisible();
    await expect(box(page)).toHaveValue('HR10 2DT');
    await startToEnd(running.dataFolder, { args: ['--open=credits'] });
    await expect(page.getByRole('heading', { name: 'Credits', level: 1 })).toBeVisible();
    await startToEnd(running.dataFolder, { args: [table] });
    await expect(page.getByText('1 row', { exact: false }).first()).toBeVisible();
    await expect(page.getByText('Move these.csv').first()).toBeVisible();

    // The same table dropped on the window, and a file that is not a table.
    const drop = (name: string) =>
      page.evaluate((file) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(['Licence,To\nWY-1,A\nWY-2,B\n'], file));
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      }, name);
    await drop('dropped.csv');
    await expect(page.getByText('dropped.csv').first()).toBeVisible();
    await drop('picture.png');
    await expect(page.getByText('picture.png is not a table: a CSV file can be dropped here.')).toBeVisible();
    await expectClean(page);
    await page.keyboard.press('ControlOrMeta+4');
    expect(await sent()).toEqual(before);
  });

  test('a right click on a field brings a menu to cut, copy and paste: Electron shows none by itself', async () => {
    test.skip(running.host === 'electron', 'the menu is the system’s and stays open');
    const { page } = running;
    await page.keyboard.press('ControlOrMeta+1');
    await box(page).fill('HR10 2DT');
    await box(page).selectText();
    const before = running.output().length;
    await box(page).click({ button: 'right', position: { x: 40, y: 10 } });
    await expect.poll(() => running.output().slice(before)).toContain('menu: undo, redo, cut, copy, paste, selectAll');
    await page.getByRole('heading', { name: 'Lookup', level: 1 }).click({ button: 'right' });
    await box(page).fill('');
    await expectClean(page);
  });

  test('two windows: each has its own history and title, shows the other’s changes, and survives the end of the other', async () => {
    const first = running.page;
    await first.keyboard.press('ControlOrMeta+1');
    await box(first).fill('');
    const [second] = await Promise.all([
      first.context().waitForEvent('page'),
      first.keyboard.press('ControlOrMeta+Shift+n'),
    ]);
    second.setDefaultTimeout(60_000);
    await expect(second).toHaveTitle(/^Lookup · .+ · Address Console$/);
    await second.keyboard.press('ControlOrMeta+2');
    await expect(second).toHaveTitle(/^Credits · /);
    await expect(first).toHaveTitle(/^Lookup · /);

    // A cap that is set in one window is shown in the other.
    await first.keyboard.press('ControlOrMeta+2');
    for (const page of [first, second]) await page.getByRole('tab', { name: 'Caps and alerts' }).press('Enter');
    await press(first, 'Change the cap for today');
    await first.keyboard.type('4321');
    await first.keyboard.press('Enter');
    await expect(screenOf(second, 'credits').getByText(/ of 4,321/)).toBeVisible();

    // So is the arrangement of a table.
    for (const page of [first, second]) await page.getByRole('tab', { name: 'Ledger', exact: true }).press('Enter');
    await press(first, /^Columns, 8 of 10/);
    await focusTaken(first.getByRole('dialog'));
    await first.getByRole('dialog').getByRole('checkbox', { name: 'Person' }).press('Space');
    await first.keyboard.press('Escape');
    await expect(screenOf(second, 'credits').getByRole('columnheader', { name: 'Person' })).toBeVisible();

    // A second start passes its link to the window that was used last.
    await second.keyboard.press('ControlOrMeta+3');
    await expect(second).toHaveTitle(/^Licences · /);
    expect(await startToEnd(running.dataFolder, { args: ['address-console://lookup?text=HR10%202DT'] })).toEqual({
      code: 0,
      said: expect.stringContaining('already running'),
    });
    await expect(box(second)).toHaveValue('HR10 2DT');
    await expect(first).toHaveTitle(/^Credits · /);

    const again = await running.crashWindow();
    const log = () => readFileSync(join(running.dataFolder, 'logs', 'console.log'), 'utf8');
    expect(log()).toMatch(/ window 1, its process: (?!clean-exit)[\w-]+$/m);
    await expect(again.getByText(/The window ended unexpectedly and was started again/)).toBeVisible();
    await expect(again).toHaveTitle(/^Credits · /);
    await expect(box(second)).toHaveValue('HR10 2DT');
    await expect(second.getByText(/The window ended unexpectedly/)).toHaveCount(0);
    await second.close();
    await again.keyboard.press('ControlOrMeta+4');
    await expect(again).toHaveTitle(/^Activity · /);
    await expectClean(again);
  });
});

test('a failed start says so, is logged, and leaves nothing that prevents the next one', async ({ launch, folder }) => {
  const preload = fileURLToPath(new URL('../helpers/no-host-name.mjs', import.meta.url));
  expect(await startToEnd(folder, { preload })).toEqual({
    code: 1,
    said: expect.stringContaining('Address Console cannot start'),
  });
  expect(readFileSync(join(folder, 'logs', 'console.log'), 'utf8')).toMatch(/ start Error/);
  await launch({ dataFolder: folder });
});

test('a data folder that cannot be written to is said to be one, and not taken for a program that runs already', async ({
  folder,
}) => {
  const file = join(folder, 'a-file');
  writeFileSync(file, '');
  expect(await startToEnd(file, {})).toEqual({
    code: 1,
    said: expect.stringMatching(/Address Console cannot start: Nothing can be written to the data folder\./),
  });
});

test('so is one that cannot be made in the user’s own place for it', async ({ folder }) => {
  test.skip(process.platform !== 'linux', 'other systems have no variable for that place');
  const file = join(folder, 'a-file');
  writeFileSync(file, '');
  // No folder of one's own is named.
  expect(await startToEnd('', { env: { XDG_CONFIG_HOME: file } })).toEqual({
    code: 1,
    said: expect.stringMatching(/Address Console cannot start: Nothing can be written to the data folder\./),
  });
});

test('so is one for temporary files, without which no start gets the lock', async ({ folder }) => {
  test.skip(process.platform !== 'linux', 'Windows has no socket there, and macOS names the folder itself');
  const file = join(folder, 'a-file');
  writeFileSync(file, '');
  expect(await startToEnd(join(folder, 'data'), { env: { TMPDIR: file } })).toEqual({
    code: 1,
    said: expect.stringContaining(
      `Address Console cannot start: Nothing can be written to the folder for temporary files.\nCheck that it is a folder, that you may write to it and that the disk is not full.\n\n${file}\n`,
    ),
  });
});

test('without a keychain the window says where keys are stored, and for how long', async ({ launch }) => {
  test.skip(process.platform !== 'linux', 'Windows and macOS always have a keychain.');
  const { page } = await launch({ env: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' } });
  await expect(page.getByText(/No keychain/).first()).toBeVisible();
  await expect(page.getByText(/kept in memory and are gone when the program ends/).first()).toBeVisible();
  // Whether the computer has one, as for an earlier run, is not known.
  await expect(
    page.getByText('This run has no keychain: the key is only in memory until the program ends.'),
  ).toBeVisible();
  await expect(page.getByText(/keychain and nowhere else/)).toHaveCount(0);
  await expectClean(page);
});

test('a start without the keychain of an earlier one says which keys are not here, and what removing one does', async ({
  launch,
  folder,
  startService,
}) => {
  test.skip(process.platform !== 'linux', 'Windows and macOS always have a keychain.');
  const dataFolder = join(folder, 'data');
  const first = await launch({ dataFolder });
  await connectBoth(first.page, await startService());
  await expect(first.page.getByText(/^3 keys in the .*, unlocked$/)).toBeVisible();
  await first.close();

  const { page } = await launch({ dataFolder, env: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' } });
  await expect(page.getByText('No keychain: 3 keys entered earlier, not here now')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+5');
  const pane = screenOf(page, 'connections');
  await expect(pane.getByText(/Keys entered earlier are not here; if a keychain has them/)).toBeVisible();
  const later = /is removed here\. What a keychain has from an earlier run is removed when the program next starts/;
  await pane.getByRole('button', { name: /^Actions for test.*Lookup/ }).press('Enter');
  await chooseItem(page, 'Remove the key…');
  await expect(pane.getByText(later)).toBeVisible();
  await expect(pane.getByText(/removed for good/)).toHaveCount(0);
  await press(page, 'Remove test');
  await expect(page.getByText('No keychain: 2 keys entered earlier, not here now')).toBeVisible();
  const connectionId = await selectedConnection(page);
  await call(page, 'secrets.put', { connectionId, role: 'lookup-key', label: 'now', value: 'entered in memory 0001' });
  await reloadClean(page);
  await expect(
    page.getByText('1 key in memory, until the program ends; 2 keys entered earlier, not here now'),
  ).toBeVisible();
  await expectClean(page);
});

test('connection, scheme, spending and a reminder survive a restart; a damaged database is set aside, nothing is deleted, and the window says so', async ({
  launch,
  folder,
}) => {
  const dataFolder = join(folder, 'data');
  const notices = join(folder, 'notices.jsonl');
  const options = { dataFolder, env: { ADDRESS_CONSOLE_HOST_NOTICES: notices } };
  const first = await launch(options);
  await startDemo(first.page);
  const connectionId = await selectedConnection(first.page);
  const { licences } = await call(first.page, 'licences.read', { connectionId });
  const today = new Date().toISOString();
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const soon = licences.find(({ expiresOn }) => expiresOn !== null && expiresOn > today && expiresOn < inDays(29));
  const own = { licenceNumber: soon?.licenceNumber ?? '', note: '', leadDays: 30 };
  await call(first.page, 'licences.annotate', { connectionId, own });
  await first.page.keyboard.press('ControlOrMeta+6');
  await first.page.getByRole('radio', { name: 'Dark' }).press('Space');
  await expect(first.page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await first.close();
  const second = await launch(options);
  await expect(second.page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
  await expect(second.page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expect(second.page.getByRole('banner').getByText('5,000')).toBeVisible();
  // One system notification about the licence that expires.
  await expect.poll(() => (existsSync(notices) ? readFileSync(notices, 'utf8') : '')).toContain('expires in');
  await second.page.keyboard.press('ControlOrMeta+3');
  await expect(second.page.getByRole('region', { name: 'Reminders' })).toContainText('expires in');
  await second.close();
  const third = await launch(options);
  // The program starts on the screen on which it ended, and does not remind again.
  await expect(third.page.getByRole('heading', { name: 'Licences', level: 1 })).toBeVisible();
  expect(
    readFileSync(notices, 'utf8')
      .trim()
      .split('\n')
      .filter((line) => line.includes('By the list read')),
  ).toHaveLength(1);
  await third.close();

  const file = join(dataFolder, 'address-console.sqlite');
  const bytes = readFileSync(file);
  writeFileSync(file, Buffer.concat([bytes.subarray(0, 100), Buffer.alloc(Math.max(0, bytes.length - 100), 0x5a)]));
  const { page } = await launch({ dataFolder });
  await expect(page.getByText(/database was damaged/)).toBeVisible();
  expect(readdirSync(dataFolder).some((name) => name.includes('.damaged-'))).toBe(true);
});

test('on a Mac shortcuts use Command and are written so', async ({ sharedPage: page, startService }) => {
  const service = await startService();
  await connectBoth(page, service);
  const session = await page.context().newCDPSession(page);
  await session.send('Page.enable');
  const { identifier } = await session.send('Page.addScriptToEvaluateOnNewDocument', {
    source: "Object.defineProperty(navigator, 'platform', { get: () => 'MacIntel' })",
  });
  await page.reload();
  await page.waitForSelector('main');
  const palette = page.getByRole('dialog');
  await page.keyboard.press('Control+k');
  await expect(palette).toHaveCount(0);
  await page.keyboard.press('Meta+k');
  await expect(palette).toBeVisible();
  await expect(palette).toContainText('⌘');
  await expect(palette).not.toContainText('Ctrl');
  await page.keyboard.press('Escape');
  await expect(palette).toHaveCount(0);
  await page.keyboard.press('F1');
  await press(page, /For support staff/);
  const help = page.getByRole('article', { name: 'Help' });
  await expect(help).toContainText('Press ⌘ L and type a postcode');
  await expect(help).not.toContainText('Ctrl');
  await page.keyboard.press('Meta+1');
  await expectClean(page);
  // ⌘ Space opens the search of the system itself.
  const marked = page.getByRole('option', { selected: true });
  await box(page).fill(service.demo.sample.postcode);
  await expect(page.locator('.searchbar').getByRole('button', { name: /^Search · / })).toBeEnabled();
  await box(page).press('Enter');
  await page.getByRole('listbox').first().focus();
  for (const key of ['Home', 'Shift+ArrowDown', 'Shift+ArrowDown']) await page.keyboard.press(key);
  await expect(marked).toHaveCount(3);
  await page.keyboard.press('Shift+ ');
  await expect(marked).toHaveCount(2);
  await page.keyboard.press('Meta+3');
  await press(page, /^Read licences/);
  const row = page.getByRole('grid', { name: 'Licences' }).getByRole('row', { selected: true });
  await page.getByRole('grid', { name: 'Licences' }).focus();
  for (const key of ['Home', 'Shift+ArrowDown', 'Shift+ArrowDown']) await page.keyboard.press(key);
  await expect(row).toHaveCount(3);
  await page.keyboard.press('Shift+ ');
  await expect(row).toHaveCount(2);
  await session.send('Page.removeScriptToEvaluateOnNewDocument', { identifier });
  await session.detach();
  await reloadClean(page);
});

test('with the system’s high-contrast preference quiet texts are as strong as plain ones, and lines as strong as marks', async ({
  sharedPage: page,
}) => {
  const colours = () =>
    page.evaluate(() => {
      const style = getComputedStyle(document.documentElement);
      return ['--text', '--text-2', '--line', '--mark-line'].map((name) => style.getPropertyValue(name).trim());
    });
  const [text, quiet, line, mark] = await colours();
  expect(quiet).not.toBe(text);
  expect(line).not.toBe(mark);
  await page.emulateMedia({ contrast: 'more' });
  const more = await colours();
  expect(more[1]).toBe(text);
  expect(more[2]).toBe(mark);
  await expectClean(page);
  await page.emulateMedia({ contrast: 'no-preference' });
  expect(await colours()).toEqual([text, quiet, line, mark]);
});
