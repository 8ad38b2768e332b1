import { connectOwn, expect, expectClean, goTo, press, screenOf, searchFor, test } from './fixtures.ts';

// Promise 22: history, ledger and saved answers open without a network, after a restart.

test('what is saved, spent and logged is there after a restart with the service gone', async ({
  launch,
  startService,
  folder: dataFolder,
}) => {
  const service = await startService();
  const first = await launch({ dataFolder });
  await connectOwn(first.page, service, service.demo.lookupKey);
  await press(first.page, 'Open Lookup');
  await searchFor(first.page, 'HR10 2DT');
  await expect(first.page.getByText('34 premises')).toBeVisible();
  await first.page.getByRole('listbox').first().focus();
  await first.page.keyboard.press('Enter');
  await expect(first.page.locator('address')).toBeVisible();
  const opened = await first.page.locator('address').textContent();
  await expect.poll(async () => (await first.page.getByRole('banner').textContent()) ?? '').toContain('4,998');
  await first.close();
  await service.stop();

  const { page } = await launch({ dataFolder });
  await expect(page.getByRole('heading', { name: 'Lookup', level: 1 })).toBeVisible();
  await searchFor(page, 'hr10  2dt');
  // The box names the saved answer before it is shown, and an answer that comes closes what was opened meanwhile.
  await expect(page.getByRole('region', { name: 'Results' }).getByText('34 premises, 1 saved')).toBeVisible();
  await page
    .getByRole('navigation', { name: 'Screens' })
    .getByRole('list', { name: /Recent, free to open again/ })
    .getByRole('button')
    .first()
    .press('Enter');
  await expect(page.locator('address')).toHaveText(opened ?? '');
  await goTo(page, 'credits');
  await expect(screenOf(page, 'credits').getByText('4,998').first()).toBeVisible();
  await goTo(page, 'activity');
  await expect(screenOf(page, 'activity').getByText('GetPremise').first()).toBeVisible();
  await expectClean(page);
});
