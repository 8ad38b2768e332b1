import { lookAll } from './accessibility-checks.ts';
import { expect, expectClean, goTo, openPalette, test } from './fixtures.ts';
import { call, connectBoth } from './own-service.ts';

// The help, the shortcuts and moving between the screens, by keyboard.

test('F1 and ? help from anywhere, the search and the palette find a page, and back returns to the former screen', async ({
  sharedPage: page,
  startService,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const title = (name: string) => expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
  await connectBoth(page, await startService());
  await expect(page).toHaveTitle(/^Lookup · .+ · Address Console$/);

  // A question mark in a field is text; elsewhere it lists the shortcuts.
  const box = page.getByRole('textbox', { name: /postcode|address|search/i }).first();
  await page.keyboard.press('ControlOrMeta+l');
  await page.keyboard.type('Why?');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(box).toHaveValue(/Why\?$/);
  await box.fill('');
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('Shift+?');
  const overlay = page.getByRole('dialog', { name: 'Shortcuts' });
  await expect(overlay.getByRole('textbox', { name: 'Find a shortcut' })).toBeFocused();
  await lookAll(page, 'shortcuts');
  await page.keyboard.type('envelope');
  await expect(overlay.getByRole('term')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(overlay).toHaveCount(0);

  // Searches: matches are marked and counted, and Enter on one opens its page.
  await page.keyboard.press('F1');
  await title('Help');
  await expect(page).toHaveTitle(/^Help · /);
  await page.getByRole('searchbox', { name: 'Search the help' }).focus();
  await page.keyboard.type('uprn');
  await expect(page.getByRole('status').filter({ hasText: 'places on' })).toBeVisible();
  await lookAll(page, 'help-search');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: /^UPRN Unique Property Reference Number/ }).press('Enter');
  await expect(page.getByRole('heading', { level: 2, name: 'Words' })).toBeVisible();
  await lookAll(page, 'help-words');
  await page
    .getByRole('row', { name: /^UDPRN/ })
    .getByRole('button', { name: 'Lookup' })
    .press('Enter');
  await title('Lookup');

  // The palette finds a page by a synonym.
  await openPalette(page);
  await page.keyboard.type('help firewall');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 2, name: 'Hosts and ports' })).toBeVisible();

  // Goes back through the screens that were shown, and forward again, also with the side buttons of a mouse.
  await goTo(page, 'credits');
  await title('Credits');
  await goTo(page, 'licences');
  await title('Licences');
  await page.keyboard.press('Alt+ArrowLeft');
  await title('Credits');
  await page.keyboard.press('Alt+ArrowLeft');
  await title('Help');
  await page.keyboard.press('Alt+ArrowRight');
  await title('Credits');
  await page.evaluate(() => document.dispatchEvent(new MouseEvent('mouseup', { button: 3 })));
  await title('Help');
  await page.evaluate(() => document.dispatchEvent(new MouseEvent('mouseup', { button: 4 })));
  await title('Credits');
  await expectClean(page);

  // A window that begins on the help, because it ended there, leaves it too.
  await page.keyboard.press('F1');
  await title('Help');
  await expect
    .poll(async () => (await call(page, 'app.read-session', {})).pieces.find(({ name }) => name === 'screen')?.text)
    .toBe('help');
  await page.reload();
  await title('Help');
  await page.getByRole('button', { name: 'Close the help' }).press('Enter');
  await title('Lookup');
});
