import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setupFixture } from '../fixtures/setup.ts';
import { lookAll } from './accessibility-checks.ts';
import { expect, expectClean, searchFor, startDemo, test } from './fixtures.ts';

// What is handed over: a set-up as a file, and a call for whoever looks into it.

test.describe.configure({ timeout: 180_000 });

test('a colleague’s set-up is looked at, imported before anything else is set up, given its key, undone, and saved again', async ({
  launch,
  folder,
}) => {
  const file = join(folder, 'wyebank-desk.json');
  const saved = join(folder, 'saved');
  mkdirSync(saved);
  writeFileSync(file, JSON.stringify(setupFixture));
  const { page } = await launch({
    width: 1280,
    height: 800,
    env: { ADDRESS_CONSOLE_HOST_OPEN_FILE: file, ADDRESS_CONSOLE_HOST_SAVE_FOLDER: saved },
  });
  const title = (name: string) => expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Import a set-up file…' }).press('Enter');
  await title('wyebank-desk.json');
  const lines = page.getByRole('table', { name: 'What the file would change' });
  await expect(lines.getByRole('row', { name: /Daily cap/ })).toContainText('400 credits');
  await lookAll(page, 'setup-import');

  // Nothing of a connection comes without it.
  await lines.getByRole('checkbox', { name: 'Wyebank', exact: true }).press('Space');
  await expect(lines.getByRole('checkbox', { name: 'Daily cap, Wyebank' })).toBeDisabled();
  await lines.getByRole('checkbox', { name: 'Wyebank', exact: true }).press('Space');
  await page.getByRole('button', { name: /^Import \d+ changes · free$/ }).press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'changes imported. It can be undone' })).toBeVisible();
  await expect(lines.getByRole('row', { name: /Daily cap/ })).toContainText('same');

  const key = page.getByRole('textbox', { name: 'Key Contact centre of Wyebank' });
  await key.fill('LK-51b2c7d90e1f4a2f4f2a');
  await key.press('Enter');
  await expect(page.getByText('ends 4f2a, saved here already')).toBeVisible();

  // With a key in it the connection stays, whatever else is undone.
  await page.getByRole('button', { name: 'Undo the import' }).press('Enter');
  await expect(page.getByText(/undone; \d+ left as they are/).first()).toBeVisible();
  await expect(lines.getByRole('row', { name: /Daily cap/ })).toContainText('same');

  await page.keyboard.press('Control+k');
  await page.keyboard.type('save the set-up');
  await page.keyboard.press('Enter');
  await title('Save the set-up');
  await expect(page.getByText('Searched for 1 key: none is in it.')).toBeVisible();
  await lookAll(page, 'setup-save');
  await page.getByRole('button', { name: 'Save the file…' }).press('Enter');
  await expect(page.getByRole('status').filter({ hasText: /^Saved in address-console-set-up-.*B\.$/ })).toBeVisible();
  const [name = ''] = readdirSync(saved);
  expect(JSON.parse(readFileSync(join(saved, name), 'utf8')).connections).toMatchObject([
    { name: 'Wyebank', caps: { perDay: 400 }, keys: [{ lastFour: '4f2a' }] },
  ]);
  await expectClean(page);
});

test('a support file of a call is looked at part by part, a mask is taken off, and it is saved as it was shown', async ({
  launch,
  folder,
}) => {
  const { page } = await launch({
    width: 1280,
    height: 800,
    env: { ADDRESS_CONSOLE_HOST_SAVE_FOLDER: folder },
  });
  await startDemo(page);
  await searchFor(page, 'HR10 2DW');
  await page.keyboard.press('Control+4');
  const calls = page.getByRole('grid', { name: 'Calls' });
  await calls
    .getByRole('row', { name: /HR10 2DW/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Support file…' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Support file' })).toBeVisible();
  const parts = page.getByRole('navigation', { name: 'Parts of the file' });
  await parts.getByRole('button', { name: 'request.txt' }).press('Enter');
  const request = page.getByRole('region', { name: 'request.txt' });
  await expect(request.getByText('masked: host name').first()).toBeVisible();
  await expect(request).not.toContainText('HR10');
  await lookAll(page, 'support-file');
  await page.getByRole('checkbox', { name: 'Host names' }).press('Space');
  await expect(request).toContainText('127.0.0.1');
  await parts.getByRole('checkbox', { name: 'drift.json in the file' }).press('Space');
  await page.getByRole('button', { name: 'Save the file…' }).press('Enter');
  await expect(page.getByRole('status').filter({ hasText: /^Saved in support-file-.*B\.$/ })).toBeVisible();
  const name = readdirSync(folder).find((one) => one.startsWith('support-file-')) ?? '';
  const text = readFileSync(join(folder, name), 'utf8');
  expect(text).toContain('Left out: drift.json');
  expect(text).toContain('===== request.txt =====');
  expect(text).not.toContain('HR10');
  await expectClean(page);
});
