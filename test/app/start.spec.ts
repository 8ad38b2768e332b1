import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, expectClean, startDemo, test } from './fixtures.ts';

const root = resolve(import.meta.dirname, '..', '..');

test('a second start on the same data gives way to the first', async ({ launch }) => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'address-console-twice-'));
  const { host } = await launch({ dataFolder });
  test.skip(host === 'electron', 'Electron’s own lock is not driven from here.');
  const second = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      join(root, 'test', 'host', 'run.ts'),
      join(root, 'dist', 'main', 'main.js'),
    ],
    {
      cwd: root,
      env: { ...process.env, ADDRESS_CONSOLE_DATA_FOLDER: dataFolder, ADDRESS_CONSOLE_HOST_HEADLESS: '1' },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let said = '';
  second.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const code = await new Promise((done) => second.on('close', done));
  expect(code).toBe(0);
  expect(said).toContain('already running');
  rmSync(dataFolder, { recursive: true, force: true });
});

test('without a keychain the window says where keys would be, and for how long', async ({ launch }) => {
  test.skip(process.platform !== 'linux', 'Windows and macOS always have a keychain.');
  const { page } = await launch({ env: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' } });
  await expect(page.getByText(/No keychain/).first()).toBeVisible();
  await expect(page.getByText(/kept in memory and are gone when the program ends/).first()).toBeVisible();
  await expectClean(page);
});

test('what was set up is there after a restart: connection, scheme, spending', async ({ launch }) => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'address-console-again-'));
  const first = await launch({ dataFolder });
  await startDemo(first.page);
  await first.page.keyboard.press('Control+6');
  await first.page.getByRole('radio', { name: 'Dark' }).press('Space');
  await expect(first.page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await first.close();
  const { page } = await launch({ dataFolder });
  await expect(page.getByRole('heading', { name: 'Lookup', level: 1 })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expect(page.getByRole('banner').getByText('5,000')).toBeVisible();
  rmSync(dataFolder, { recursive: true, force: true });
});

test('a damaged database is set aside, nothing is deleted, and the window says so', async ({ launch }) => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'address-console-damaged-'));
  const first = await launch({ dataFolder });
  await startDemo(first.page);
  await first.close();
  const file = join(dataFolder, 'address-console.sqlite');
  const bytes = readFileSync(file);
  writeFileSync(file, Buffer.concat([bytes.subarray(0, 100), Buffer.alloc(Math.max(0, bytes.length - 100), 0x5a)]));
  const { page } = await launch({ dataFolder });
  await expect(page.getByText(/database was damaged/)).toBeVisible();
  expect(readdirSync(dataFolder).some((name) => name.includes('.damaged-'))).toBe(true);
  rmSync(dataFolder, { recursive: true, force: true });
});
