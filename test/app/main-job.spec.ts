import type { Page } from 'playwright/test';
import { expect, expectClean, startDemo, test } from './fixtures.ts';

// The whole of the main job, by keyboard alone, on the demo service: what a new user does in the first five minutes.

const showcase = 'HR10 2DT';

/** The figure of the balance chip. */
const balance = async (page: Page): Promise<number> => {
  const text = await page
    .getByRole('banner')
    .getByText(/^[\d,]+$/)
    .first()
    .textContent();
  return Number((text ?? '').replaceAll(',', ''));
};

async function press(page: Page, name: RegExp | string): Promise<void> {
  const button = page.getByRole('button', { name }).first();
  await expect(button).toBeEnabled();
  await button.press('Enter');
}

/** Moves through the list by arrows and opens the row that has this text. */
async function openRow(page: Page, text: RegExp): Promise<void> {
  const list = page.getByRole('listbox').first();
  await list.focus();
  const row = list.getByRole('option', { name: text }).first();
  for (let step = 0; step < 40 && (await row.getAttribute('aria-selected')) !== 'true'; step++) {
    const active = await list.getAttribute('aria-activedescendant');
    if (active !== null && active === (await row.getAttribute('id'))) break;
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
}

for (const scheme of ['light', 'dark'] as const) {
  test(`the main job, end to end, in ${scheme}`, async ({ launch }) => {
    test.setTimeout(180_000);
    const { page } = await launch();
    await test.step('first run', async () => {
      await expect(page.getByRole('heading', { name: 'Set up in three steps' })).toBeVisible();
      await expectClean(page);
      await startDemo(page);
    });

    await test.step('colours', async () => {
      await page.keyboard.press('Control+6');
      await page.getByRole('radio', { name: scheme === 'light' ? 'Light' : 'Dark' }).press('Space');
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme);
      await expectClean(page);
    });

    await test.step('search: typing spends nothing, Enter spends 1', async () => {
      await page.keyboard.press('Control+1');
      await page.keyboard.press('Control+l');
      await page.keyboard.type(showcase);
      await expect(page.getByText('well-formed postcode')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Search · 1 credit' })).toBeVisible();
      expect(await balance(page)).toBe(5000);
      await page.keyboard.press('Enter');
      await expect(page.getByText('34 premises')).toBeVisible();
      await expect.poll(() => balance(page)).toBe(4999);
      await expect(page.getByRole('button', { name: 'Show · held, free' })).toBeVisible();
    });

    await test.step('open an address', async () => {
      await openRow(page, /14 Tannery Row/);
      await expect(page.locator('address')).toHaveText(/14 Tannery Row\s*Bartonsham Mead\s*HEREFORD\s*HR10 2DT/);
      await expect.poll(() => balance(page)).toBe(4998);
      await expectClean(page);
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
      await page.keyboard.press('Control+2');
      await expect(page.getByRole('heading', { name: 'Credits', level: 1 })).toBeVisible();
      await expect(page.getByText('4,997').first()).toBeVisible();
      for (const operation of ['Search', 'GetPremise', 'GetPremiseGeoData', 'GetPremiseAddress'])
        await expect(page.getByText(operation, { exact: true }).first()).toBeVisible();
      await expect(page.getByText('matches').first()).toBeVisible();
      await expectClean(page);
    });

    await test.step('licences: register one to this machine, proved by reading back', async () => {
      await page.keyboard.press('Control+3');
      await press(page, /Read licences/);
      await expect(page.getByText(/16 licences/).first()).toBeVisible();
      await expectClean(page);
      const grid = page.getByRole('grid').first();
      await grid.focus();
      await page
        .getByLabel(/Filter/)
        .first()
        .fill('Single Machine');
      await page
        .getByRole('row', { name: /Single Machine.*1 free/ })
        .first()
        .click();
      await press(page, /Register to this machine/);
      await expect(page.getByRole('heading', { name: /Register/, level: 2 }).first()).toBeVisible();
      await expectClean(page);
      const machine = await page.evaluate(async () => {
        const info = await window.api.call['app.info']('t-info', {});
        return info.ok ? info.value.machineName : '';
      });
      await page.getByRole('textbox', { name: /machine’s name/ }).fill(machine);
      await press(page, /^Register · price not published/);
      await expect(page.getByText('confirmed').first()).toBeVisible();
      await expectClean(page);
    });

    await test.step('unregister it again', async () => {
      await press(page, /Undo|Unregister/);
      const machine = await page.evaluate(async () => {
        const info = await window.api.call['app.info']('t-info2', {});
        return info.ok ? info.value.machineName : '';
      });
      await page.getByRole('textbox', { name: /machine’s name/ }).fill(machine);
      await press(page, /^Unregister · price not published/);
      await expect(page.getByText('confirmed').first()).toBeVisible();
    });

    await test.step('activity and connections', async () => {
      await page.keyboard.press('Control+4');
      await expect(page.getByText('UnregisterLicense').first()).toBeVisible();
      await expectClean(page);
      await page.keyboard.press('Control+5');
      await expect(page.getByText('Where are my keys?')).toBeVisible();
      await expectClean(page);
    });
  });
}
