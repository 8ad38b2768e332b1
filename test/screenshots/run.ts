import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright';
import { launchConsole } from '../helpers/console.ts';
import { openRow } from '../helpers/rows.ts';
import { startTestKeychain } from '../helpers/secret-service.ts';

// Writes the README's pictures from the running program, on the demo service, in both schemes: `npm run screenshots`.

const target = resolve(import.meta.dirname, 'pictures');
mkdirSync(target, { recursive: true });

const press = async (page: Page, name: RegExp | string) => page.getByRole('button', { name }).first().press('Enter');
const settle = (page: Page) => page.waitForTimeout(700);

async function openPremise(page: Page, text: RegExp): Promise<void> {
  await openRow(page, page.getByRole('listbox').first(), text);
  await page.locator('address').waitFor();
}

/** One way through the program, a picture at each stop. */
async function walk(page: Page, shoot: (name: string) => Promise<void>): Promise<void> {
  await shoot('first-run');
  await press(page, 'Start the demo service');
  const open = page.getByRole('button', { name: 'Open Lookup' });
  await page.waitForFunction(() =>
    [...document.querySelectorAll('button')].some((one) => one.textContent?.includes('Open Lookup') && !one.disabled),
  );
  await shoot('first-run-test');
  await open.press('Enter');
  await page.keyboard.press('Control+l');
  await page.keyboard.type('HR10 2DT');
  await page.keyboard.press('Enter');
  await page.getByText('34 premises').waitFor();
  for (const row of [/^2 Tannery Row/, /Flat 1, 20/, /14 Tannery Row/]) await openPremise(page, row);
  await press(page, /Get UPRN/);
  await settle(page);
  await shoot('lookup');
  await page.keyboard.press('Control+2');
  await settle(page);
  await shoot('credits');
  await page.keyboard.press('Control+3');
  await press(page, /Read licences/);
  await settle(page);
  await shoot('licences');
  await page.keyboard.press('Control+4');
  await settle(page);
  await shoot('activity');
  await page.keyboard.press('Control+5');
  await press(page, /Test · free/);
  await settle(page);
  await shoot('connections');
  await page.keyboard.press('Control+6');
  await settle(page);
  await shoot('settings');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('tan');
  await settle(page);
  await shoot('palette');
}

const keychain = await startTestKeychain();
const { DBUS_SESSION_BUS_ADDRESS } = keychain.env;
for (const scheme of ['light', 'dark'] as const) {
  const dataFolder = mkdtempSync(join(tmpdir(), 'address-console-pictures-'));
  const running = await launchConsole({
    dataFolder,
    env: DBUS_SESSION_BUS_ADDRESS === undefined ? {} : { DBUS_SESSION_BUS_ADDRESS },
  });
  const { page } = running;
  await page.evaluate(async (colourScheme) => {
    const now = await window.api.call['settings.read']('shots-1', {});
    if (now.ok) await window.api.call['settings.save']('shots-2', { ...now.value, colourScheme });
  }, scheme);
  try {
    await walk(page, async (name) => {
      const path = join(target, `${name}-${scheme}.png`);
      await page.screenshot({ path });
      console.error(path);
    });
  } finally {
    await running.close();
    rmSync(dataFolder, { recursive: true, force: true });
  }
}
await keychain.stop();
