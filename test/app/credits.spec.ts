import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { removeFolder } from '../helpers/folders.ts';
import { openRow } from '../helpers/rows.ts';
import {
  chooseItem,
  expect,
  expectClean,
  expectCleanInBoth,
  focusTaken,
  goTo,
  openPalette,
  press,
  saveAndLeave,
  screenOf,
  startDemo,
  test,
  whileNothingIsSaved,
} from './fixtures.ts';
import { call, connectBoth, hitsOf, selectedConnection } from './own-service.ts';

const demo = { ADDRESS_CONSOLE_DEMO_DAYS: '365' };

async function openCredits(page: Page): Promise<void> {
  await startDemo(page);
  await goTo(page, 'credits');
  await expect(page.getByRole('heading', { name: 'Credits', level: 1 })).toBeVisible();
}

/** Opens a tab with the arrow keys. */
async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name: 'Overview', exact: true }).focus();
  for (let step = 0; step < 4; step += 1) {
    if ((await page.getByRole('tab', { selected: true }).first().textContent()) === name) return;
    await page.keyboard.press('ArrowRight');
  }
  await expect(page.getByRole('tab', { name, selected: true })).toBeVisible();
}

test.describe('a year of demo data in one window', () => {
  test.describe.configure({ mode: 'default' });
  let page: Page;
  let folder: string;
  let dataFolder: string;
  test.beforeAll(async ({ launchForAll }) => {
    folder = mkdtempSync(join(tmpdir(), 'address-console-credits-'));
    const env = {
      ...demo,
      ADDRESS_CONSOLE_HOST_NOTICES: join(folder, 'notices.jsonl'),
      ADDRESS_CONSOLE_HOST_SAVE_FOLDER: folder,
    };
    ({ page, dataFolder } = await launchForAll({ env, width: 1280, height: 900 }));
    await openCredits(page);
  });
  test.afterAll(() => removeFolder(folder));

  test('a year of demo data, marked as such', async () => {
    const screen = page.locator('[data-screen="credits"]');
    await expect(screen.getByText('is made up, so that there is some history to look at')).toBeVisible();
    await expect(screen.getByRole('img', { name: /^Balance over time: .* credits .* gap/ })).toBeVisible();
    await expect(screen.getByRole('img', { name: /^Spend a day by key/ })).toBeVisible();
    await expect(screen.getByText('Lasts to, console’s rate')).toBeVisible();
    await expect(screen.getByText(/credits a day, last 28 days/).first()).toBeVisible();
    await expect(screen.getByRole('grid', { name: 'Ledger' }).getByText('No priced call').first()).toBeVisible();
    await expectCleanInBoth(page);
    // As in a window of 1280 with a failure above, in which the overview and its ledger each have a scrollbar of 10.
    await page.setViewportSize({ width: 1260, height: 900 });
    const over = () => screen.locator('.table-scroll').evaluate((box) => box.scrollWidth - box.clientWidth);
    await expect.poll(over).toBe(0);
    await page.setViewportSize({ width: 1280, height: 900 });

    // Chooses a year by keyboard: it shows weeks instead of days.
    const range = screen.getByRole('radiogroup', { name: 'Range shown' });
    await range.getByRole('radio', { name: '30 days' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect(range.getByRole('radio', { name: 'Year' })).toBeChecked();
    await expect(screen.getByRole('heading', { name: 'Spend a week' })).toBeVisible();

    // Shows the same as a table.
    await screen.getByRole('radiogroup', { name: 'Balance as' }).getByRole('radio', { name: 'Chart' }).focus();
    await page.keyboard.press('ArrowRight');
    const table = screen.getByRole('region', { name: 'Balance, table' });
    await expect(table.getByRole('columnheader', { name: 'No reading before it' })).toBeVisible();
    // The month’s rows are shown until the year’s have been read.
    await expect.poll(() => table.getByRole('row').count()).toBeGreaterThan(300);
    await screen.getByRole('button', { name: 'Copy table' }).press('Enter');
    await expect(screen.getByText('Copied the table')).toBeVisible();
    await expectCleanInBoth(page);

    // A range drawn by keys is still theirs after the table.
    const as = screen.getByRole('radiogroup', { name: 'Balance as' });
    const first = screen.getByRole('slider', { name: 'First day' });
    const drawn = screen.locator('.credits-chosen');
    await as.getByRole('radio', { name: 'Table' }).press('ArrowLeft');
    await first.press('PageUp');
    await expect(drawn).toBeVisible();
    const day = (await first.getAttribute('aria-valuetext')) ?? '';
    await as.getByRole('radio', { name: 'Chart' }).press('ArrowRight');
    await expect(first).toHaveCount(0);
    await as.getByRole('radio', { name: 'Table' }).press('ArrowLeft');
    await expect(drawn).toBeVisible();
    await expect(first).toHaveAttribute('aria-valuetext', day);
    await first.press('Escape');
    await expect(drawn).toHaveCount(0);

    await openTab(page, 'Reconciliation');
    await expect(screen.getByRole('rowheader', { name: 'Without a call' })).toBeVisible();
    await expect(screen.getByText(/quiet windows? over REST \(/)).toBeVisible();
    // Its lines name calls of this console, which nobody made.
    await expect(screen.getByText('is made up, so that there is some history to look at')).toBeVisible();
    await expect(screen.getByRole('button', { name: 'Measure · price not published' })).toBeDisabled();
    await expectCleanInBoth(page);
  });

  test('a note on what no call explains stays', async () => {
    await openTab(page, 'Ledger');
    const screen = page.locator('[data-screen="credits"]');
    await openRow(page, screen.getByRole('grid', { name: 'Ledger' }), /No priced call/);
    await screen.getByRole('button', { name: 'Say what it was' }).press('Enter');
    await expect(page.getByRole('textbox', { name: 'What it was' })).toBeFocused();
    await expectClean(page);
    await page.keyboard.type('The web shop');
    await page.keyboard.press('Enter');
    await expect(screen.getByText('The web shop').first()).toBeVisible();
  });

  test('the ledger of a range is written to a file', async () => {
    await page.getByRole('tab', { name: 'Overview', exact: true }).press('Enter');
    await page.locator('[data-screen="credits"]').getByRole('button', { name: 'Export' }).press('Enter');
    await expect(page.getByRole('dialog', { name: 'Export' })).toBeVisible();
    await expectClean(page);
    await page.getByRole('button', { name: 'Choose a file' }).press('Enter');
    const said = page.getByText(/rows written to credits-ledger-.*\.csv/).last();
    await expect(said).toBeVisible();
    const name = /credits-ledger-[\d-]+to-[\d-]+\.csv/.exec((await said.textContent()) ?? '')?.[0] ?? '';
    expect(readFileSync(join(folder, name), 'utf8')).toMatch(/^\ufeffat,since,operation,subject/);
  });

  test('at 200 % one pane is shown at a time, and nothing is lost', async () => {
    await page.getByRole('tab', { name: 'Overview', exact: true }).press('Enter');
    await page.setViewportSize({ width: 640, height: 400 });
    const screen = page.locator('[data-screen="credits"]');
    await expect(screen.getByText('Key balance')).toBeVisible();
    await expectClean(page);
    await screen.getByRole('button', { name: '3 more' }).press('Enter');
    await chooseItem(page, 'Caps and alerts');
    await expect(screen.getByRole('button', { name: 'Change the minimum balance' })).toBeVisible();
    await expectClean(page);
    await screen.getByRole('button', { name: 'Change the minimum balance' }).focus();
    await page.keyboard.press('Escape');
    await expect(screen.getByText('Key balance')).toBeVisible();
    await screen.getByRole('button', { name: '3 more' }).press('Enter');
    await chooseItem(page, 'Ledger');
    for (const name of [/^Export these/, /^Statement/, /^Columns/])
      await expect(screen.getByRole('button', { name })).toBeVisible();
    await expectClean(page);
    // Escape is of the open menu, and only the next one of the ledger.
    await screen.getByRole('button', { name: 'Filters', exact: true }).press('Enter');
    await screen.getByRole('button', { name: 'Key', exact: true }).press('Enter');
    await focusTaken(page.getByRole('menu'));
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toHaveCount(0);
    await expect(screen.getByRole('tab', { name: 'Ledger' })).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Escape');
    await expect(screen.getByText('Key balance')).toBeVisible();
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test('Find in a ledger that is read in part says that it looks in the rows read so far', async () => {
    await openTab(page, 'Ledger');
    const screen = page.locator('[data-screen="credits"]');
    await expect(screen.getByRole('button', { name: 'Load older entries' })).toBeVisible();
    await screen.getByRole('grid', { name: 'Ledger' }).focus();
    await page.keyboard.press('ControlOrMeta+f');
    await page.keyboard.type('priced');
    await expect(screen.getByRole('search', { name: 'Find in the table' })).toContainText('in the rows read so far');
    await page.keyboard.press('Escape');
  });

  test('alerts are added, tried and notified once, in the window and by the system', async () => {
    await openTab(page, 'Caps and alerts');
    const screen = page.locator('[data-screen="credits"]');
    const threshold = screen.getByRole('textbox', { name: 'Credits', exact: true });
    // Refused, it puts the focus where one types; a comma is no decimal point.
    await screen.getByRole('button', { name: 'Add', exact: true }).press('Enter');
    await expect(threshold).toBeFocused();
    await page.keyboard.type('9,000');
    // What is not saved yet is not cleared.
    await whileNothingIsSaved(dataFolder, async () => {
      await page.keyboard.press('Enter');
      await expect(screen.getByRole('button', { name: 'Add', exact: true })).toBeDisabled();
      await expect(threshold).not.toHaveValue('');
    });
    await expect(screen.getByText('Below 9,000')).toBeVisible();
    await expect(threshold).toHaveValue('');
    await expect(
      screen.getByText(/Figures and days left are those of .+, the lookup key used first, or/),
    ).toBeVisible();
    await expect(
      screen.getByText('reached by the last figure read; a notice comes if the next reaches it too'),
    ).toBeVisible();
    const alert = screen.getByRole('switch', { name: 'Balance falls below 9,000' });
    await alert.press('Space');
    await expect(screen.getByText('off: sends no notice')).toBeVisible();
    await alert.press('Space');
    await expect(alert).toBeChecked();
    await screen.getByLabel('Tell me when').first().press('Enter');
    await page.getByRole('option', { name: 'Unexplained spending of at least' }).click();
    await threshold.fill('1');
    await threshold.press('Enter');
    // Not “not reached”: a fall beside a call without a published price may have been larger.
    const fall = screen.getByRole('listitem').filter({ hasText: 'Any fall that is not explained' });
    await expect(fall).toContainText('no notice since it was added or switched on');
    await expectClean(page);
    await fall.getByRole('button', { name: 'Remove Any fall that is not explained' }).press('Enter');
    await expect(fall).toHaveCount(0);

    await screen.getByRole('button', { name: 'Try one alert' }).press('Enter');
    await expect(page.getByText('This is how an alert looks').first()).toBeVisible();
    await page.getByRole('button', { name: 'Close: This is how an alert looks' }).press('Enter');
    await screen.getByRole('button', { name: 'Read balance · free' }).press('Enter');
    await expect(page.getByText(/Fewer than 9,000 credits left/).first()).toBeVisible();
    await openTab(page, 'Caps and alerts');
    await expect(screen.getByText(/^sent today/)).toBeVisible();
    await screen.getByRole('button', { name: 'Read balance · free' }).press('Enter');
    await expect(page.getByRole('button', { name: /^Close: Fewer than/ })).toHaveCount(1);
    await expectClean(page);
    expect(readFileSync(join(folder, 'notices.jsonl'), 'utf8').trim().split('\n')).toHaveLength(2);

    // The palette’s command says that it was sent, and turns on one that is off.
    const choose = async (text: string, name: RegExp) => {
      await openPalette(page);
      const field = page.getByRole('combobox', { name: 'Find a command, screen or address' });
      await field.fill(text);
      await expect(page.getByRole('option', { name })).toHaveAttribute('aria-selected', 'true');
      await field.press('Enter');
      await expect(field).toHaveCount(0);
    };
    const alertBelow = () => choose('alert 9000', /^Alert me below 9,000 credits/);
    const lookAsSystem = () => choose('appearance: as the system', /^Appearance: as the system/);
    // A number by itself may be that of an address or a licence.
    await openPalette(page);
    const field = page.getByRole('combobox', { name: 'Find a command, screen or address' });
    const found = page.getByRole('option', { name: /^Alert me below|^Add an alert/ });
    await field.fill('alert 9000');
    await expect(found).toHaveCount(1);
    await field.fill('9000');
    await expect(found).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(field).toHaveCount(0);
    await alertBelow();
    await expect(page.getByText(/^This alert was sent today [\d:]+\. It is sent again when /)).toBeAttached();
    await alert.press('Space');
    await expect(alert).not.toBeChecked();
    // What it could not do is said until it has been done.
    const failed = page
      .locator('main .notice')
      .filter({ hasText: /^(Adding the alert “.+ 9,000” under|Changing the app)/ });
    await whileNothingIsSaved(dataFolder, async () => {
      await lookAsSystem();
      await alertBelow();
      await expect(failed).toHaveCount(2);
    });
    await lookAsSystem();
    await alertBelow();
    await expect(alert).toBeChecked();
    await expect(failed).toHaveCount(0);
    await expect(
      page.getByText('You will be told when the balance that this alert watches is read below 9,000 credits.'),
    ).toBeAttached();
  });
});

test('under a cap an operation without a published price is sent only with a figure that a person set; a person says that keys are separate', async ({
  sharedPage: page,
  sharedProgram: { dataFolder },
  startService,
}) => {
  // With keys of its own: a cap counts what a key spent, over whichever connection.
  const service = await startService('--seed', '1024');
  await page.setViewportSize({ width: 1024, height: 720 });
  await connectBoth(page, service);
  const operation = 'GeoData_ForPostcode';
  /** Makes the call. Returns the code of the error; '' if it was answered. */
  const ask = () =>
    page.evaluate(
      async ({ operation, postcode }) => {
        const list = await window.api.call['connections.list']('list', {});
        const answer = await window.api.call['operations.run'](`run-${Math.random()}`, {
          connectionId: list.ok ? (list.value.selectedId ?? '') : '',
          operation,
          dataset: false,
          fields: [{ name: 'sPostcodes', values: [postcode] }],
          cache: 'reload',
        });
        return answer.ok ? '' : answer.error.code;
      },
      { operation, postcode: service.demo.sample.postcode },
    );
  await page.evaluate(async (value) => {
    const list = await window.api.call['connections.list']('list-2', {});
    const connectionId = list.ok ? (list.value.selectedId ?? '') : '';
    await window.api.call['secrets.put']('put', { connectionId, role: 'lookup-key', label: 'Web forms', value });
  }, service.demo.spentKey);
  await page.reload();
  await page.waitForSelector('main');
  await goTo(page, 'credits');
  await openTab(page, 'Caps and alerts');
  const screen = screenOf(page, 'credits');

  await press(page, 'Change the cap for today');
  const cap = page.getByRole('textbox', { name: 'Today' });
  await expect(cap).toBeFocused();
  // Neither 15 nor 2.
  await page.keyboard.type('1.5');
  await page.keyboard.press('Enter');
  await expect(screen.getByText('A whole number of credits, or empty for no cap.')).toBeVisible();
  await cap.fill('-100');
  await page.keyboard.press('Enter');
  await expect(cap).toHaveValue('-100');
  await cap.fill('100');
  const today = screen.getByRole('form', { name: 'Today' });
  const sinceStart = page.getByRole('textbox', { name: 'Since the program started' });
  const saveAndOpenNext = () =>
    saveAndLeave(today, screen.getByRole('button', { name: 'Change the cap since the program started' }));
  // It fails while another screen is shown: that is said above that one, and later by the form alone.
  const failed = page.locator('main .notice').filter({ hasText: 'Changing the cap for today under ' });
  await whileNothingIsSaved(dataFolder, async () => {
    await saveAndLeave(today, page.getByRole('navigation').getByRole('button', { name: 'Activity' }));
    await expect(failed).toContainText('Another program is writing to the database.');
  });
  await goTo(page, 'credits');
  await expect(today).toContainText('Another program is writing to the database.');
  await expect(failed).toHaveCount(0);
  // It fails once its form is gone: that is said above the screen, and what was typed is still there.
  await whileNothingIsSaved(dataFolder, async () => {
    await saveAndOpenNext();
    await expect(failed).toContainText('Another program is writing to the database.');
  });
  await expect(sinceStart).toBeVisible();
  await press(page, 'Change the cap for today');
  await expect(cap).toHaveValue('100');
  await saveAndOpenNext();
  await sinceStart.fill('70');
  await expect(failed).toHaveCount(0);
  await expect(
    screen.getByText(/until midnight, unless a reading of its balance shows no fall\. It counts what was sent/),
  ).toBeVisible();
  await expect(screen.getByText(/^Set by .+, /)).toBeVisible();
  await expect(sinceStart).toHaveValue('70');
  await sinceStart.press('Escape');
  expect(await ask()).toBe('cap-reached');
  expect(hitsOf(service, operation)).toBe(0);

  await press(page, /^Show all \d+ without a price/);
  const row = screen.getByRole('row', { name: new RegExp(`^${operation} `) });
  await expect(row).toContainText('not sent');
  await expectClean(page);
  const figure = screen.getByRole('textbox', { name: `Credits that ${operation} counts as`, exact: true });
  await figure.focus();
  await page.keyboard.type('2');
  await page.keyboard.press('Enter');
  await expect(row).toContainText(/set by .+, /);
  await expect(figure).toBeFocused();
  await expect(figure).toHaveValue('2');
  expect(await ask()).toBe('');
  expect(hitsOf(service, operation)).toBe(1);
  await expect(screen.getByText(/^2 of 100/)).toBeVisible();

  await whileNothingIsSaved(dataFolder, async () => {
    await figure.fill('5');
    await figure.press('Enter');
    await figure.fill('50');
    await figure.press('Tab');
  });
  const connectionId = await selectedConnection(page);
  const countsAs = async () =>
    (await call(page, 'credits.set-prices', { connectionId })).prices.map(({ credits }) => credits);
  await expect.poll(countsAs).toEqual([50]);
  await expect(figure).toHaveValue('50');

  // Without the figure, the operation is stopped again.
  await figure.focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await page.keyboard.press('Tab');
  await expect(row).toContainText('not sent');
  expect(await ask()).toBe('cap-reached');
  expect(hitsOf(service, operation)).toBe(1);

  const separate = screen.getByRole('checkbox', { name: /These keys have separate balances/ });
  await expect(separate).not.toBeChecked();
  await separate.press('Space');
  await expect(separate).toBeChecked();
  await page.evaluate(async () => {
    const list = await window.api.call['connections.list']('list-3', {});
    const connectionId = list.ok ? (list.value.selectedId ?? '') : '';
    await window.api.call['credits.save-caps']('caps', { connectionId, caps: { perDay: 40 } });
  });
  await page.reload();
  await page.waitForSelector('main');
  await goTo(page, 'credits');
  await openTab(page, 'Caps and alerts');
  await expect(separate).toBeChecked();
  // Not the cap that was saved here before: saving it again would loosen the one that was set meanwhile.
  await press(page, 'Change the cap for today');
  await expect(page.getByRole('textbox', { name: 'Today' })).toHaveValue('40');
  await page.keyboard.press('Escape');
  await expectClean(page);
});
