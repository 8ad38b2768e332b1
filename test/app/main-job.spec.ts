import { resolve } from 'node:path';
import type { Page } from 'playwright/test';
import { openRow } from '../helpers/rows.ts';
import { expect, expectClean, expectCleanInBoth, press, startDemo, test } from './fixtures.ts';

// The whole main job by keyboard on the demo service: what a new user does in the first five minutes. accessibility.spec.ts checks each
// screen; this checks those that only this path reaches, and at the end that the security policy reported nothing.

const preload = resolve(import.meta.dirname, '..', 'helpers', 'waits-jump.mjs');
const showcase = 'HR10 2DT';

/** The number in the balance chip. */
const balance = async (page: Page): Promise<number> => {
  const text = await page
    .getByRole('banner')
    .getByText(/^[\d,]+$/)
    .first()
    .textContent();
  return Number((text ?? '').replaceAll(',', ''));
};

/** Types the machine's name into the confirmation, as the plan shows it. */
async function typeMachineName(page: Page): Promise<void> {
  const name = await page.evaluate(async () => {
    const info = await window.api.call['app.info'](`t-${Math.random()}`, {});
    return info.ok ? info.value.machineName : '';
  });
  await page.getByRole('textbox', { name: /machine’s name/ }).focus();
  await page.keyboard.type(name);
}

test('the main job, end to end, clean in light and in dark', async ({ launch }) => {
  const { page } = await launch({ preload });
  await test.step('first run', async () => {
    await expect(page.getByRole('heading', { name: 'Set up in three steps' })).toBeVisible();
    await startDemo(page);
  });

  await test.step('colours', async () => {
    await page.keyboard.press('ControlOrMeta+6');
    for (const scheme of ['Dark', 'Light'] as const) {
      await page.getByRole('radio', { name: scheme }).press('Space');
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme.toLowerCase());
      await page.emulateMedia({ colorScheme: scheme === 'Dark' ? 'dark' : 'light' });
      await expectClean(page);
    }
    await page
      .getByRole('radiogroup', { name: 'Colour scheme' })
      .getByRole('radio', { name: 'As the system' })
      .press('Space');
  });

  await test.step('search: typing spends nothing, nor does Enter over SOAP; over REST it is 1', async () => {
    await page.keyboard.press('ControlOrMeta+1');
    await page.keyboard.press('ControlOrMeta+l');
    await page.keyboard.type(showcase);
    await expect(page.getByText('A postcode that can exist.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Search · free over SOAP' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Over REST · 1 credit' })).toBeVisible();
    await expectCleanInBoth(page);
    expect(await balance(page)).toBe(5000);
    await page.keyboard.press('Enter');
    await expect(page.getByText('34 premises')).toBeVisible();
    expect(await balance(page)).toBe(5000);
    await press(page, 'Over REST · 1 credit');
    await expect(page.getByRole('region', { name: 'Results' }).getByText(/^REST, today/)).toBeVisible();
    await expect.poll(() => balance(page)).toBe(4999);
    await expect(page.getByRole('button', { name: 'Show · saved, free' })).toBeVisible();
  });

  await test.step('open an address', async () => {
    await openRow(page, page.getByRole('listbox').first(), /14 Tannery Row/);
    await expect(page.locator('address')).toHaveText(/14 Tannery Row\s*Bartonsham Mead\s*HEREFORD\s*HR10 2DT/);
    await expect.poll(() => balance(page)).toBe(4998);
  });

  await test.step('its UPRN at the cheapest price', async () => {
    await expect(page.getByText(/comes from GetPremiseGeoData for 1 credit/)).toBeVisible();
    await press(page, /Get UPRN · 1 credit/);
    await expect(page.getByText(/^\d{12}$/).first()).toBeVisible();
    await expect.poll(() => balance(page)).toBe(4997);
  });

  await test.step('the same address over SOAP', async () => {
    await press(page, /over SOAP · 1 credit/);
    await expect(page.getByText('SOAP GetPremiseAddress').first()).toBeVisible();
    await expect(page.getByText('Mailsort code')).toBeVisible();
  });

  await test.step('what it cost', async () => {
    await page.keyboard.press('ControlOrMeta+2');
    await expect(page.getByRole('heading', { name: 'Credits', level: 1 })).toBeVisible();
    await expect(page.getByText('4,997').first()).toBeVisible();
    for (const operation of ['Search', 'GetPremise', 'GetPremiseGeoData', 'GetPremiseAddress'])
      await expect(
        page
          .locator('[data-screen="credits"]')
          .getByRole('grid', { name: 'Ledger' })
          .getByText(operation, { exact: true })
          .first(),
      ).toBeVisible();
    await expect(page.locator('[data-screen="credits"]').getByText('fell by 1, alone').first()).toBeVisible();
    await expectCleanInBoth(page);
  });

  await test.step('licences: register one to this machine, proved by reading back', async () => {
    await page.keyboard.press('ControlOrMeta+3');
    await press(page, /Read licences/);
    await expect(page.getByText(/16 licences/).first()).toBeVisible();
    // Earlier screens stay in the page, hidden, so the search is limited to this one.
    const screen = page.locator('[data-screen="licences"]');
    await screen.getByRole('textbox', { name: 'Filter licences' }).fill('Single Machine');
    const grid = screen.getByRole('grid').first();
    await openRow(page, grid, /Single Machine.*1 free/);
    await press(page, /Register to another machine/);
    await screen.getByRole('button', { name: /^This machine: / }).press('Enter');
    await press(page, /Read and plan/);
    await expect(page.getByRole('heading', { name: /Register/, level: 2 }).first()).toBeVisible();
    await typeMachineName(page);
    await press(page, /^Register · price not published/);
    await expect(page.getByText('seen as planned').first()).toBeVisible();
  });

  await test.step('unregister it again', async () => {
    await press(page, /Plan to take it off/);
    await typeMachineName(page);
    await press(page, /^Unregister · price not published/);
    // Two reads, half a minute apart, are needed to call it removed.
    await expect(page.getByRole('heading', { name: /was not seen on/, level: 2 }).first()).toBeVisible();
    await expect(page.getByText('seen as planned').first()).toBeVisible();
    // The list is older than the change and says so until it is read again.
    await page.keyboard.press('Escape');
    await expect(page.getByRole('grid', { name: 'Licences' }).getByText(/^was (full|\d+ free)$/)).toBeVisible();
    // What was typed for a change that was sent is not there for the next one.
    await press(page, /Register to another machine/);
    await expect(page.getByRole('textbox', { name: 'Machine that is to hold it' })).toHaveValue('');
  });

  await test.step('activity and connections', async () => {
    await page.keyboard.press('ControlOrMeta+4');
    await expect(page.locator('[data-screen="activity"]').getByText('UnregisterLicense').first()).toBeVisible();
    await page.keyboard.press('ControlOrMeta+5');
    await expect(page.getByText('Where are my keys?')).toBeVisible();
    // Values stay in main after their call, so that they are masked in a late answer.
    await expect(
      page.getByText('The main process only, until it ends, and sent only to the addresses above.'),
    ).toBeVisible();
    await expectCleanInBoth(page);
  });
});
