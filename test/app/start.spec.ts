import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright/test';
import { startToEnd } from '../helpers/console.ts';
import { expect, expectClean, press, screenOf, startDemo, test } from './fixtures.ts';

test('two windows: each has its own history and title, shows the other’s changes, and survives the end of the other', async ({
  launch,
  folder,
}) => {
  const dataFolder = join(folder, 'data');
  const running = await launch({ dataFolder });
  const first = running.page;
  await startDemo(first);
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

  // A second start passes its link to the window that was used last.
  await second.keyboard.press('ControlOrMeta+3');
  await expect(second).toHaveTitle(/^Licences · /);
  expect(await startToEnd(dataFolder, { args: ['address-console://lookup?text=HR10%202DT'] })).toEqual({
    code: 0,
    said: expect.stringContaining('already running'),
  });
  const box = (page: Page) => page.getByRole('textbox', { name: 'Postcode, street, business or building' });
  await expect(box(second)).toHaveValue('HR10 2DT');
  await expect(first).toHaveTitle(/^Credits · /);

  const again = await running.crashWindow();
  await expect(again.getByText(/The window ended unexpectedly and was started again/)).toBeVisible();
  await expect(again).toHaveTitle(/^Credits · /);
  await expect(box(second)).toHaveValue('HR10 2DT');
  await expect(second.getByText(/The window ended unexpectedly/)).toHaveCount(0);
  await second.close();
  await again.keyboard.press('ControlOrMeta+4');
  await expect(again).toHaveTitle(/^Activity · /);
  await expectClean(again);
});

test('a failed start says so, is logged, and leaves nothing that prevents the next one', async ({ launch, folder }) => {
  const preload = fileURLToPath(new URL('../helpers/nobody.mjs', import.meta.url));
  expect(await startToEnd(folder, { preload })).toEqual({
    code: 1,
    said: expect.stringContaining('Address Console cannot start'),
  });
  expect(readFileSync(join(folder, 'logs', 'console.log'), 'utf8')).toMatch(/ start Error/);
  await launch({ dataFolder: folder });
});

test('what a second start brings is shown in the window of the first, and nothing is sent', async ({
  launch,
  folder,
}) => {
  const dataFolder = join(folder, 'data');
  const table = join(folder, 'Move these.csv');
  writeFileSync(table, '\ufeffLicence,To\r\nWY-20418,NEW-01\r\n');
  const { page } = await launch({ dataFolder });
  await startDemo(page);
  await page.keyboard.press('ControlOrMeta+4');
  const before = await page.locator('[data-screen="activity"] [role="row"]').count();

  await startToEnd(dataFolder, { args: ['address-console://lookup?text=HR10%202DT'] });
  await expect(page.getByRole('heading', { name: 'Lookup', level: 1 })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Postcode, street, business or building' })).toHaveValue('HR10 2DT');
  await startToEnd(dataFolder, { args: ['--open=credits'] });
  await expect(page.getByRole('heading', { name: 'Credits', level: 1 })).toBeVisible();
  await startToEnd(dataFolder, { args: [table] });
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
  await expect(page.locator('[data-screen="activity"] [role="row"]')).toHaveCount(before);
});

test('without a keychain the window says where keys are stored, and for how long', async ({ launch }) => {
  test.skip(process.platform !== 'linux', 'Windows and macOS always have a keychain.');
  const { page } = await launch({ env: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' } });
  await expect(page.getByText(/No keychain/).first()).toBeVisible();
  await expect(page.getByText(/kept in memory and are gone when the program ends/).first()).toBeVisible();
  await expect(page.getByText(/the key is only in memory until the program ends/)).toBeVisible();
  await expect(page.getByText(/keychain and nowhere else/)).toHaveCount(0);
  await expectClean(page);
});

test('connection, scheme and spending survive a restart; a damaged database is set aside, nothing is deleted, and the window says so', async ({
  launch,
  folder: dataFolder,
}) => {
  const first = await launch({ dataFolder });
  await startDemo(first.page);
  await first.page.keyboard.press('ControlOrMeta+6');
  await first.page.getByRole('radio', { name: 'Dark' }).press('Space');
  await expect(first.page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await first.close();
  const second = await launch({ dataFolder });
  await expect(second.page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
  await expect(second.page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expect(second.page.getByRole('banner').getByText('5,000')).toBeVisible();
  await second.close();

  const file = join(dataFolder, 'address-console.sqlite');
  const bytes = readFileSync(file);
  writeFileSync(file, Buffer.concat([bytes.subarray(0, 100), Buffer.alloc(Math.max(0, bytes.length - 100), 0x5a)]));
  const { page } = await launch({ dataFolder });
  await expect(page.getByText(/database was damaged/)).toBeVisible();
  expect(readdirSync(dataFolder).some((name) => name.includes('.damaged-'))).toBe(true);
});

test('on a Mac shortcuts use Command and are written so', async ({ launch }) => {
  const { page } = await launch();
  await page.addInitScript(() => Object.defineProperty(navigator, 'platform', { get: () => 'MacIntel' }));
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
  await expectClean(page);
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
