import { expect, expectClean, screenOf, startDemo, test } from './fixtures.ts';

test('Settings says that no newer version is looked for, and why; an address is checked before it is kept', async ({
  launch,
}) => {
  const { page } = await launch();
  await startDemo(page);
  await page.keyboard.press('ControlOrMeta+6');
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
  await page.keyboard.press('ControlOrMeta+1');
  await page.keyboard.press('ControlOrMeta+6');
  await expect(address).toHaveValue('https://updates.example/console');
  await expectClean(page);
});
