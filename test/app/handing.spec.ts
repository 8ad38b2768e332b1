import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setupFixture } from '../fixtures/setup.ts';
import { lookAll } from './accessibility-checks.ts';
import { expect, expectClean, goTo, openPalette, screenOf, searchFor, test } from './fixtures.ts';
import { connectBoth } from './own-service.ts';

// Files for other people: a set-up, and a call for the person who investigates it.

test('a colleague’s set-up file is previewed, imported on an empty program, given its key, undone, and saved again', async ({
  launch,
  folder,
  startService,
}) => {
  const file = join(folder, 'wyebank-desk.json');
  const saved = join(folder, 'saved');
  mkdirSync(saved);
  const service = await startService();
  const { lookupKey } = service.demo;
  writeFileSync(
    file,
    JSON.stringify(setupFixture)
      .replaceAll('https://lookup.example/v1', service.restBaseUrl)
      .replaceAll('https://lookup.example/service.asmx', service.soapUrl),
  );
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
  // A key is typed before its connection exists: nothing is saved and no call is made.
  const key = page.getByRole('textbox', { name: 'Key Contact centre of Wyebank' });
  await key.fill(lookupKey);
  await expect(page.getByText('Saved as soon as its connection is imported.')).toBeVisible();
  await lookAll(page, 'setup-import');
  // At 200 % what an import leaves alone is said whole.
  const size = { width: 1280, height: 800 };
  await page.setViewportSize({ width: 640, height: 400 });
  const note = page.getByText(/^Nothing is removed\. Of two caps/);
  expect(await note.evaluate((text) => text.scrollWidth <= text.clientWidth)).toBe(true);
  // In a low window, as with many keys, the fields scroll and do not lie over the text below them.
  await page.setViewportSize({ width: 1280, height: 360 });
  const fields = page.getByRole('complementary', { name: 'Keys' }).getByRole('list');
  expect(await fields.evaluate((list) => list.scrollHeight <= list.clientHeight)).toBe(true);
  await page.setViewportSize(size);

  // Leaving out a connection leaves out everything that belongs to it.
  await lines.getByRole('checkbox', { name: 'Wyebank', exact: true }).press('Space');
  await expect(lines.getByRole('checkbox', { name: 'Daily cap, Wyebank' })).toBeDisabled();
  await expect(key).toHaveCount(0);
  await expect(page.getByText('No key in this file is needed here.')).toBeVisible();
  await lines.getByRole('checkbox', { name: 'Wyebank', exact: true }).press('Space');
  await expect(key).toHaveValue(lookupKey);
  // With a minimum balance no call is made with a key whose balance was never read.
  await lines.getByRole('checkbox', { name: /^Minimum balance, Wyebank/ }).press('Space');
  await page.getByRole('button', { name: /^Import \d+ changes · free$/ }).press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'changes imported. It can be undone' })).toBeVisible();
  await expect(lines.getByRole('row', { name: /Daily cap/ })).toContainText('same');

  // The key is imported with the connection and tried at once with the free call. A wrong one is reported and can be replaced there.
  const answered = page.getByText(/^GetCredits answered it at \d\d:\d\d:\d\d: [\d,]+ credits\.$/);
  await expect(answered).toBeVisible();
  await expect(key).toHaveValue('');
  await key.fill('LK-51b2c7d90e1f4a2f4f2a');
  await key.press('Enter');
  await expect(page.getByRole('region', { name: 'The service does not accept the key or credentials.' })).toBeVisible();
  await expect(answered).toHaveCount(0);

  // If another screen's call is refused, the key can be replaced there. The form stays filled in, and replacing makes no call.
  await searchFor(page, service.demo.sample.postcode);
  const lookup = screenOf(page, 'lookup');
  await lookup.getByRole('button', { name: 'Replace the key…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Replace a key of Wyebank' });
  await expect(dialog.getByLabel('New key for Contact centre')).toBeFocused();
  await lookAll(page, 'replace-key');
  await page.keyboard.type(lookupKey);
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(lookup.getByText(/\d+ premises/)).toHaveCount(0);
  await searchFor(page, service.demo.sample.postcode);
  await expect(lookup.getByText(/\d+ premises/).first()).toBeVisible();
  await page.keyboard.press('Alt+ArrowLeft');
  await title('wyebank-desk.json');

  // Undo does not remove a connection that has a key.
  await page.getByRole('button', { name: 'Undo the import' }).press('Enter');
  await expect(page.getByText(/undone; \d+ left as they are/).first()).toBeVisible();
  await expect(lines.getByRole('row', { name: /Daily cap/ })).toContainText('same');

  // A further import has an undo of its own, and what the first one's did is no longer shown.
  const undone = page.locator('.notice').filter({ hasText: /changes? undone/ });
  await expect(undone).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Undo the import' })).toHaveCount(0);
  await page.getByRole('button', { name: /^Import \d+ changes? · free$/ }).press('Enter');
  await expect(page.getByRole('button', { name: 'Undo the import' })).toBeVisible();
  await expect(undone).toHaveCount(0);

  await openPalette(page);
  await page.keyboard.type('save the set-up');
  await page.keyboard.press('Enter');
  await title('Save the set-up');
  // The number is that of Connections; the replaced key was searched for too.
  await expect(page.getByText('Searched for 1 key: none is in it.')).toBeVisible();
  await lookAll(page, 'setup-save');
  await page.getByRole('button', { name: 'Save the file…' }).press('Enter');
  await expect(page.getByRole('status').filter({ hasText: /^Saved in address-console-set-up-.*B\.$/ })).toBeVisible();
  const [name = ''] = readdirSync(saved);
  expect(JSON.parse(readFileSync(join(saved, name), 'utf8')).connections).toMatchObject([
    { name: 'Wyebank', caps: { perDay: 400 }, keys: [{ lastFour: lookupKey.slice(-4) }] },
  ]);
  await expectClean(page);

  // A file that cannot be read is said over whatever is shown, until something else is begun.
  writeFileSync(file, 'no set-up');
  await openPalette(page);
  await page.keyboard.type('import a set-up');
  await page.keyboard.press('Enter');
  const unread = page.getByRole('heading', { name: /^This is not a set-up file/ });
  await expect(unread).toBeVisible();
  await title('Save the set-up');
  await expectClean(page);
  await openPalette(page);
  await page.keyboard.type('save the set-up');
  await page.keyboard.press('Enter');
  await expect(unread).toHaveCount(0);
});

test('a support file of a call is previewed part by part, a mask is removed, and it is saved as it was shown', async ({
  sharedPage: page,
  startService,
  dialogs: { saved: folder },
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await connectBoth(page, await startService());
  await searchFor(page, 'HR10 2DW');
  // A call under way has no request in its support file yet.
  await expect(screenOf(page, 'lookup').getByText(/^\d+ premises?$/)).toBeVisible();
  await goTo(page, 'activity');
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
  // While the parts are made anew they have other masks than those ticked, and are neither copied nor saved.
  const waited = await page.evaluate(async () => {
    const side = document.querySelector('.support-side');
    const buttons = [...(side?.querySelectorAll('button') ?? [])];
    const seen = new Set<string>();
    const watch = new MutationObserver(() => {
      for (const button of buttons) if (button.disabled) seen.add(button.textContent ?? '');
    });
    for (const button of buttons) watch.observe(button, { attributes: true });
    const names = [...(side?.querySelectorAll('label') ?? [])].find(({ textContent }) =>
      /^Machine/.test(textContent ?? ''),
    );
    const box = names && document.getElementById(names.htmlFor);
    if (!(box instanceof HTMLInputElement)) return [];
    box.click();
    await new Promise((done) => setTimeout(done));
    while (box.disabled || seen.size === 0) await new Promise((done) => setTimeout(done, 10));
    return [...seen].sort();
  });
  expect(waited).toEqual(['Copy the summary', 'Save the file…']);
  await parts.getByRole('checkbox', { name: 'drift.json in the file' }).press('Space');
  await page.getByRole('button', { name: 'Save the file…' }).press('Enter');
  const saved = page.getByRole('status').filter({ hasText: /^Saved in support-file-.*B\.$/ });
  await expect(saved).toBeVisible();
  // What was saved is not said of a file that is not as it was saved.
  await page.getByRole('checkbox', { name: 'Balances' }).press('Space');
  await expect(saved).toHaveCount(0);
  const name = readdirSync(folder).find((one) => one.startsWith('support-file-')) ?? '';
  const text = readFileSync(join(folder, name), 'utf8');
  expect(text).toContain('Left out: drift.json');
  expect(text).toContain('===== request.txt =====');
  expect(text).not.toContain('HR10');
  await expectClean(page);
});
