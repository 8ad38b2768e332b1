import { expect, expectClean, goTo, press, screenOf, searchFor, test } from './fixtures.ts';
import { call, connectBoth } from './own-service.ts';

test('Settings shows the saved answers and removes them on request', async ({ sharedPage: page, startService }) => {
  await connectBoth(page, await startService());
  // What earlier tests saved, of any connection.
  await call(page, 'lookup.purge', { what: 'all' });
  await searchFor(page, 'HR10 2DT');
  await expect(page.getByText('34 premises')).toBeVisible();
  await goTo(page, 'settings');
  await expect(page.getByText(/ used by 1 answer\.$/)).toBeVisible();
  await expectClean(page);
  await press(page, 'Remove all saved answers…');
  await expect(page.getByRole('button', { name: 'Keep them' })).toBeFocused();
  await press(page, 'Remove all 1 answer');
  await expect(page.getByText(/^0 bytes used by 0 answers\.$/)).toBeVisible();
  const stored = page.getByRole('region', { name: 'Stored data' });
  await expect(stored.getByText(/^Saved answers/)).toBeVisible();
  await press(page, 'Tidy now');
  await expect(stored.getByText(/^Nothing was due to be removed\./)).toBeVisible();

  // Typing 45 passes through 4 days, for which nothing may be removed.
  const keptDays = () =>
    page.evaluate(async () => {
      const read = await window.api.call['settings.read']('days-1', {});
      return read.ok ? read.value.batchDays : null;
    });
  const days = page.getByRole('textbox', { name: 'Days to keep rows' });
  await days.focus();
  // One turn after the focus the field puts the caret before its unit, which would end the selection.
  await page.evaluate(() => new Promise((next) => setTimeout(next)));
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('45');
  await expect(days).toHaveValue('45 days');
  expect(await keptDays()).toBe(30);
  await page.keyboard.press('Enter');
  await expect.poll(keptDays).toBe(45);
  await days.fill('0');
  await page.keyboard.press('Tab');
  await expect(days).toHaveValue('45 days');
  expect(await keptDays()).toBe(45);

  // The chosen section is marked even if the page cannot scroll its heading to the top.
  for (const name of ['Set-up file', 'This program']) {
    const part = page.getByRole('navigation', { name: 'Settings' }).getByRole('button', { name });
    await part.press('Enter');
    await expect(part).toHaveAttribute('aria-current', 'true');
    await expect(page.locator('.settings-list [aria-current]')).toHaveCount(1);
  }
  await goTo(page, 'lookup');
  await expect(page.getByRole('button', { name: 'Search · free over SOAP' })).toBeVisible();
});

test('Settings says that updates are off, and why; an update address is checked before it is saved', async ({
  sharedPage: page,
  startService,
}) => {
  await connectBoth(page, await startService());
  await goTo(page, 'settings');
  const updates = screenOf(page, 'settings').getByRole('region', { name: 'Updates' });
  const address = updates.getByRole('textbox', { name: 'Update address' });
  await expect(updates.getByText(/run for development: only an installed program/)).toBeVisible();
  await expect(updates.getByRole('button', { name: 'Look now' })).toBeDisabled();
  await expect(updates.getByRole('radio', { name: 'Do nothing' })).toBeChecked();
  await expect(updates.getByRole('radio', { name: 'Install it' })).toBeDisabled();
  await expectClean(page);

  await address.focus();
  await page.keyboard.type('http://updates.example');
  await page.keyboard.press('Enter');
  await expect(updates.getByText(/must be a complete https address/)).toBeVisible();
  // What is not saved is there again after another screen.
  const proxy = screenOf(page, 'settings').getByRole('radiogroup', { name: 'Proxy' });
  const proxyAddress = screenOf(page, 'settings').getByRole('textbox', { name: 'Address of the proxy' });
  await proxy.getByRole('radio', { name: 'Own address' }).press('Space');
  await proxyAddress.fill('http://proxy.example:80');
  await goTo(page, 'credits');
  await expect(screenOf(page, 'credits')).toBeVisible();
  await goTo(page, 'settings');
  await expect(address).toHaveValue('http://updates.example');
  await expect(proxyAddress).toHaveValue('http://proxy.example:80');
  await proxy.getByRole('radio', { name: 'As the system' }).press('Space');
  await expect(proxyAddress).toHaveCount(0);
  await address.focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('https://updates.example/console');
  await page.keyboard.press('Enter');
  await expect(updates.getByText(/must be a complete https address/)).toBeHidden();
  await expect(updates.getByRole('radio', { name: 'Notify me' })).toBeChecked();
  await updates.getByRole('radio', { name: 'Install it' }).press('Space');
  await expect(updates.getByRole('radio', { name: 'Install it' })).toBeChecked();
  await expect(updates.getByText(/run for development: only an installed program/)).toBeVisible();
  await expect(
    screenOf(page, 'settings').getByText('Only the addresses of your connections', { exact: true }),
  ).toBeVisible();

  await page.getByRole('radio', { name: 'Dark' }).press('Space');
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await goTo(page, 'lookup');
  await goTo(page, 'settings');
  await expect(address).toHaveValue('https://updates.example/console');
  await expectClean(page);
  await address.fill('');
  await page.keyboard.press('Enter');
  await expect(updates.getByRole('radio', { name: 'Do nothing' })).toBeChecked();
});
