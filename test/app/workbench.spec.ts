import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { openRow } from '../helpers/rows.ts';
import {
  chooseItem,
  expect,
  expectClean,
  expectCleanInBoth,
  focusTaken,
  goTo,
  press,
  screenOf,
  searchFor,
  startDemo,
  test,
} from './fixtures.ts';
import { call, connectBoth, selectedConnection } from './own-service.ts';

// Activity log and ledger by keyboard on the demo service: found by address, filtered, summed, opened again, exported.

const pictures = process.env.ADDRESS_CONSOLE_PICTURES;

test('calls and their costs are found by address, filtered, summed and exported', async ({ launch, folder }) => {
  const { page } = await launch({ env: { ADDRESS_CONSOLE_HOST_SAVE_FOLDER: folder } });
  const shoot = async (name: string) => {
    if (pictures === undefined) return;
    for (const width of [1280, 1024]) {
      await page.setViewportSize({ width, height: width === 1280 ? 800 : 700 });
      await page.screenshot({ path: join(pictures, `${name}-${width}.png`) });
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  };
  await startDemo(page);
  await searchFor(page, 'HR10 2DT');
  await openRow(page, screenOf(page, 'lookup').getByRole('listbox').first(), /^2 Tannery Row/);
  await expect(page.locator('address')).toBeVisible();
  // The province of answer shape A is a part of the country, not a county.
  await expect(page.getByText('Province', { exact: true })).toBeVisible();
  await expect(page.getByText('County', { exact: true })).toHaveCount(0);

  await goTo(page, 'activity');
  const activity = screenOf(page, 'activity');
  const calls = activity.getByRole('grid', { name: 'Calls' });

  await test.step('Ctrl and F finds in the table from anywhere on the screen', async () => {
    await expect(calls).toBeVisible();
    await activity.getByRole('heading', { name: 'Activity' }).focus();
    await page.keyboard.press('ControlOrMeta+f');
    const field = activity.getByRole('textbox', { name: 'Find in the table' });
    await expect(field).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(field).toHaveCount(0);
  });

  await test.step('balance reads are grouped in one line, which opens', async () => {
    // The balance read after a spend is the first line; later ones are grouped with it.
    await expect(calls.getByRole('row').nth(1)).toContainText(/balance reads?/);
    const fold = calls.getByRole('row', { name: /balance reads?/ }).first();
    await expect(fold.getByText(/^(?:all )?answered$/)).toBeVisible();
    const before = await calls.getByRole('row').count();
    await openRow(page, calls, /balance read/);
    await expect.poll(() => calls.getByRole('row').count()).toBeGreaterThan(before);
    const opened = await calls.getByRole('row').count();
    await openRow(page, calls, /balance read/);
    // Compared with the number at opening, because the balance may have been read since.
    await expect.poll(() => calls.getByRole('row').count()).toBeLessThan(opened);
  });

  await test.step('a call is found by the address, which the log does not contain', async () => {
    const field = activity.getByRole('textbox', { name: 'Search the calls' });
    await field.focus();
    await page.keyboard.type('tannery');
    await expect(calls.getByRole('row')).toHaveCount(2);
    await expect(calls).toContainText('2 Tannery Row, HR10 2DT');
    await expect(activity.getByText('1 of ')).toBeVisible();
    await shoot('activity-search');
    await openRow(page, calls, /Tannery/);
    await expect(activity.getByRole('button', { name: 'Open the saved answer · free' })).toBeVisible();
    await expect(activity.getByRole('button', { name: 'Ask again · 1 credit' })).toBeVisible();
    await expectCleanInBoth(page);
    await shoot('activity-call');
    await activity.getByRole('button', { name: 'Open the saved answer · free' }).press('Enter');
    await expect(screenOf(page, 'lookup').locator('address')).toContainText('2 Tannery Row');
  });

  await test.step('a filter chip narrows the list, shows its value, and its cross clears it', async () => {
    await goTo(page, 'activity');
    await press(page, 'Clear the filters');
    const chips = activity.getByRole('search');
    await chips.getByRole('button', { name: /^Operation/ }).press('Enter');
    await chooseItem(page, 'Search', 'menuitemcheckbox');
    await page.keyboard.press('Escape');
    await expect(calls.getByRole('row')).toHaveCount(2);
    await expect(chips.getByRole('button', { name: 'Operation Search' })).toBeVisible();
    await press(page, /^Export these 1…/);
    const said = activity.getByText(/1 call saved in activity-/);
    await expect(said).toBeAttached();
    const name = readdirSync(folder).find((one) => one.startsWith('activity-')) ?? '';
    const rows = parse(readFileSync(join(folder, name)), { bom: true, columns: true }) as Record<string, string>[];
    expect(rows).toMatchObject([{ operation: 'Search', subject: 'HR10 2DT', source: 'window' }]);
    expect(rows[0]?.person).not.toBe('');
    await chips.getByRole('button', { name: 'Do not filter by operation' }).press('Enter');
    await expect(calls).toContainText('2 Tannery Row, HR10 2DT');
  });

  await goTo(page, 'credits');
  const credits = screenOf(page, 'credits');
  await credits.getByRole('tab', { name: 'Overview' }).press('ArrowRight');
  const ledger = credits.getByRole('grid', { name: 'Ledger' });

  await test.step('the ledger: rows grouped by day, a sum of each kind, and a fall that no call explains stays in sight', async () => {
    await expect(credits.getByRole('status').filter({ hasText: 'published prices' })).toBeVisible();
    await expect(ledger.locator('tr.group').first()).toBeVisible();
    await shoot('ledger');
    await credits.getByRole('textbox', { name: 'Search the ledger' }).focus();
    await page.keyboard.type('tannery');
    await expect(ledger.getByText('2 Tannery Row, HR10 2DT')).toBeVisible();
    await expect(ledger.getByText('No priced call').first()).toBeVisible();
    await expect(ledger.getByText('made-up search')).toHaveCount(0);
    await expectClean(page);
    await shoot('ledger-search');
    await openRow(page, ledger, /Tannery/);
    const copy = credits.getByRole('button', { name: 'Copy the entry' });
    await copy.press('Enter');
    await expect(credits.getByText('Copied the entry')).toBeVisible();
    await expect(copy).toBeFocused();
    await expectClean(page);
    await press(page, 'Close the entry');
  });

  await test.step('the filtered rows are exported, with their count', async () => {
    const count = Number(
      /Export these (\d+)/.exec(
        (await credits.getByRole('button', { name: /^Export these \d/ }).textContent()) ?? '',
      )?.[1],
    );
    expect(count).toBeGreaterThan(0);
    await press(page, /^Export these \d/);
    await focusTaken(page.getByRole('dialog'));
    await page.getByRole('button', { name: 'Choose a file' }).press('Enter');
    await expect(page.getByText(/rows? written to credits-ledger-.*\.csv/).last()).toBeVisible();
    const name = readdirSync(folder).find((one) => one.startsWith('credits-ledger-')) ?? '';
    const rows = parse(readFileSync(join(folder, name)), { bom: true, columns: true }) as Record<string, string>[];
    expect(rows).toHaveLength(count);
    expect(rows.filter(({ operation }) => operation !== 'No priced call')).toHaveLength(1);
  });

  await test.step('a month as a statement, with cost centre and pounds, saved and read back', async () => {
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await press(page, 'Statement…');
    const dialog = page.getByRole('dialog', { name: 'Statement' });
    await expect(dialog.getByRole('cell', { name: 'All calls' })).toBeVisible();
    await focusTaken(dialog);
    await dialog.getByText('Pounds a credit and cost centres').press('Enter');
    await dialog.getByRole('textbox', { name: 'Pounds a credit' }).focus();
    await page.keyboard.type('0.10');
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('columnheader', { name: 'Pounds, at 0.1 a credit' })).toBeVisible();
    const saved = dialog.getByText('Saved', { exact: true });
    await expect(saved).toBeVisible();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('0.05');
    await expect(saved).toHaveCount(0);
    await dialog.getByRole('textbox', { name: 'Cost centre of Demo account' }).focus();
    await page.keyboard.type('CC-7');
    await page.keyboard.press('Enter');
    await expect(saved).toBeVisible();
    await expectClean(page);
    await shoot('statement');
    await dialog.getByRole('button', { name: 'Save as CSV…' }).press('Enter');
    await expect(dialog.getByText(/rows saved in statement-of-/)).toBeAttached();
    const name = readdirSync(folder).find((one) => one.startsWith('statement-of-')) ?? '';
    const rows = parse(readFileSync(join(folder, name)), { bom: true, columns: true }) as Record<string, string>[];
    expect(rows[0]).toMatchObject({
      Part: 'Published prices',
      Item: 'Demo account',
      'Cost centre': 'CC-7',
      Calls: '2',
      Credits: '2',
      'Pounds, at 0.05 a credit': '0.10',
    });
    expect(rows.map(({ Part }) => Part)).toContain('Not known');
  });

  await test.step('a day is typed and shown in British notation', async () => {
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await credits.getByRole('tab', { name: 'Overview' }).press('Enter');
    await credits.getByRole('button', { name: / – \d/ }).press('Enter');
    const from = credits.getByRole('textbox', { name: 'From day' });
    await focusTaken(page.getByRole('dialog'));
    await expect(from).toHaveValue(/^\d{1,2} [A-Z][a-z]{2,3} \d{4}$/);
    await from.fill('1/3/2026');
    await page.keyboard.press('Enter');
    await expect(credits.getByRole('button', { name: /^1 Mar(?: 2026)? – / })).toBeVisible();
  });
});

test('a call says what a balance shows of it as soon as that is read', async ({ sharedPage: page, startService }) => {
  const service = await startService();
  await connectBoth(page, service);
  service.faults.set({ kind: 'status', status: 500, on: 'GetCredits', times: 'always' });
  // Asked nowhere else: the window has the calls of other tests too.
  const postcode = 'HR10 9ZZ';
  await searchFor(page, postcode);
  await goTo(page, 'activity');
  const activity = screenOf(page, 'activity');
  // Its row comes a moment after it; the list of an earlier test may be drawn before.
  await expect(activity.getByRole('row').filter({ hasText: postcode })).toBeVisible();
  await openRow(page, activity.getByRole('grid', { name: 'Calls' }), new RegExp(postcode));
  const unread = activity.getByText(/No balance that could show what it cost has been read since/);
  await expect(unread).toBeVisible();
  service.faults.clear();
  const connectionId = await selectedConnection(page);
  await call(page, 'credits.read-balances', { connectionId, sources: ['rest-key'] });
  await expect(unread).toHaveCount(0);
  await expect(activity.getByRole('button', { name: 'Support file…' })).toBeVisible();
});

test('from a support file the activity is found as it was left', async ({ sharedPage: page, startService }) => {
  const service = await startService();
  await connectBoth(page, service);
  // Asked nowhere else: the window has the calls of other tests too.
  const postcode = 'HR10 9ZX';
  await searchFor(page, postcode);
  await goTo(page, 'activity');
  const activity = screenOf(page, 'activity');
  // Its row comes a moment after it: until then a search for it finds no calls, and the list is taken off the page.
  await expect(activity.getByRole('row').filter({ hasText: postcode })).toBeVisible();
  const field = activity.getByRole('textbox', { name: 'Search the calls' });
  await field.fill(postcode);
  await openRow(page, activity.getByRole('grid', { name: 'Calls' }), new RegExp(postcode));
  await press(page, 'Support file…');
  const support = screenOf(page, 'support');
  await expect(support.getByRole('navigation', { name: 'Parts of the file' })).toBeVisible();
  await press(page, 'Back to the activity');
  await expect(activity.getByRole('button', { name: 'Support file…' })).toBeVisible();
  await expect(field).toHaveValue(postcode);
  await press(page, 'Clear the filters');
});
