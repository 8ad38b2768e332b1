import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright/test';
import { callSoap } from '../integration/demo-service/demo-client.ts';
import {
  chooseItem,
  expect,
  expectClean,
  expectCleanInBoth,
  goTo,
  openPalette,
  press,
  type Service,
  saveAndLeave,
  screenOf,
  test,
  whileNothingIsSaved,
} from './fixtures.ts';
import { call, connectBoth, reportChange, selectedConnection } from './own-service.ts';

// Machines, bulk changes and an administrator's annotations, by keyboard. States that accessibility.spec.ts checks
// are not checked again.

const pictures = process.env.ADDRESS_CONSOLE_PICTURES;

/** Expects no finding in either scheme, and saves pictures if a folder for them is named. */
const expectCleanBoth = (page: Page, name: string): Promise<void> =>
  expectCleanInBoth(page, async (scheme) => {
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}-${scheme}.png`) });
  });

async function openLicences(page: Page, service: Service): Promise<void> {
  await connectBoth(page, service);
  await goTo(page, 'licences');
  await press(page, /^Read licences/);
  await expect(page.getByRole('grid', { name: 'Licences' })).toBeVisible();
}

/** Goes from the first tab to another with the arrow keys. */
async function goToTab(page: Page, name: string): Promise<void> {
  const tabs = screenOf(page, 'licences').getByRole('tab');
  await tabs.and(page.locator('[aria-selected="true"]')).focus();
  await page.keyboard.press('Home');
  for (let at = 0; at < 4; at += 1) {
    if ((await tabs.and(page.locator('[aria-selected="true"]')).textContent()) === name) return;
    await page.keyboard.press('ArrowRight');
  }
  throw new Error(`There is no tab ${name}.`);
}

/** Reference of the first licence of a type that has a free seat. */
const freeLicence = (page: Page, type: string): Promise<string> =>
  page.evaluate(async (wanted) => {
    const { call } = window.api;
    const listed = await call['connections.list'](`t-${Math.random()}`, {});
    const connectionId = listed.ok ? (listed.value.selectedId ?? '') : '';
    const seen = await call['licences.last-seen'](`t-${Math.random()}`, { connectionId });
    const licences = seen.ok ? seen.value.list.licences : [];
    return licences.find(({ typeName, seatsFree }) => typeName === wanted && (seatsFree ?? 0) > 0)?.referenceNo ?? '';
  }, type);

test('the inventory is imported and scanned, shows findings, is edited and exported', async ({
  sharedPage: page,
  startService,
  dialogs,
}) => {
  dialogs.offer(
    'machines.csv',
    'Machine,Nickname,Owner,Site,Note\r\nFRONT-DESK-01,Front desk,Ann,Hereford,\r\nfront-desk-01.example,,,,\r\nOLD-TILL-02,=1+1,,Kendal,\r\nEMPTY-01,,,,\r\n,no name,,,\r\nEMPTY-01,again,,,\r\n',
  );
  await openLicences(page, await startService());
  // No machine has been read, so a licence on none is not reported.
  await expect(page.getByText('Expires in 30 days')).toBeVisible();
  await expect(page.getByText('Not named for a machine asked')).toHaveCount(0);
  await goToTab(page, 'Machines');
  const panel = page.getByRole('tabpanel', { name: 'Machines' });
  await expect(panel.getByText('No machine has answered yet')).toBeVisible();

  await page.getByRole('button', { name: 'Import or export' }).press('Enter');
  await chooseItem(page, /Import machines/);
  await expect(panel.getByText(/4 added, 0 changed, 0 as they were, 2 left out/)).toBeVisible();

  await press(page, /^Ask all 5/);
  await expect(panel.getByText('5 machines answered')).toBeVisible();
  const grid = panel.getByRole('grid', { name: 'Machines' });
  await expect(grid.getByRole('row', { name: /OLD-TILL-02/ })).toContainText('which has expired');
  await expect(grid.getByRole('row', { name: /^FRONT-DESK-01/ })).toContainText(
    'almost the same name as front-desk-01.example',
  );
  await expect(panel.getByText('Two names may be one machine.')).toBeVisible();
  await expectCleanBoth(page, 'machines-asked');

  await panel.getByRole('button', { name: /^None named/ }).press('Enter');
  await expect(grid.getByRole('row', { name: /OLD-TILL-02/ })).toHaveCount(0);
  await grid.focus();
  await page.keyboard.press('Enter');
  const nickname = panel.getByRole('textbox', { name: 'Nickname' });
  await nickname.focus();
  await page.keyboard.type('Spare');
  // What is typed and not saved is there again.
  await page.keyboard.press('Escape');
  await expect(grid).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(nickname).toHaveValue('Spare');
  await nickname.focus();
  await page.keyboard.press('Enter');
  await expect(grid).toContainText('Spare');
  // The tooltip of a cell under a pointer that rests follows its text.
  const cell = grid.getByRole('gridcell').filter({ hasText: 'Spare' });
  await nickname.fill('Spare machine at the second desk from the door');
  await nickname.press('Enter');
  await expect(cell).toContainText('door');
  await cell.hover();
  await expect(cell).toHaveAttribute('title', /door$/);
  await nickname.fill('Spare machine at the third desk from the window');
  await nickname.press('Enter');
  await expect(cell).toContainText('window');
  await expect(cell).toHaveAttribute('title', /window$/);
  await expectCleanBoth(page, 'machines-detail');
  await page.keyboard.press('Escape');
  await expect(nickname).toHaveCount(0);

  await page.getByRole('button', { name: 'Import or export' }).press('Enter');
  await chooseItem(page, /Export the machines/);
  await expect(panel.getByText(/5 machines saved as machines-/)).toBeVisible();
  const saved = readFileSync(join(dialogs.saved, readdirSync(dialogs.saved)[0] ?? ''), 'utf8');
  expect(saved).toContain('OLD-TILL-02,"\'=1+1",');
});

test('a scan continues on another screen, shows its progress there, and can be stopped there', async ({
  sharedPage: page,
  startService,
}) => {
  const service = await startService();
  await connectBoth(page, service);
  await goTo(page, 'licences');
  await press(page, /^Read licences/);
  await expect(page.getByRole('grid', { name: 'Licences' })).toBeVisible();
  await goToTab(page, 'Machines');
  service.faults.set({ kind: 'delay', on: 'GetLicenseDetails', milliseconds: 60_000, times: 100 });
  await press(page, /^Ask all|^Ask /);
  await goTo(page, 'lookup');
  const status = page.getByRole('contentinfo');
  await expect(status).toContainText('Asking machines');
  await expectClean(page);
  await status.getByRole('button', { name: /^Stop asking/ }).press('Enter');
  await expect(status).not.toContainText('Asking machines');
  await goTo(page, 'licences');
  await expect(screenOf(page, 'licences')).toContainText('stopped before the rest');
});

test('a machine that has answered is shown as asked while others are still asked, and none is said to be unanswered', async ({
  sharedPage: page,
  startService,
  dialogs,
}) => {
  const service = await startService();
  dialogs.offer('machines.csv', 'Machine,Nickname\r\nPC-1,The one by the window of the reading room\r\nPC-2,\r\n');
  await openLicences(page, service);
  await goToTab(page, 'Machines');
  const panel = page.getByRole('tabpanel', { name: 'Machines' });
  await page.getByRole('button', { name: 'Import or export' }).press('Enter');
  await chooseItem(page, /Import machines/);
  await expect(panel.getByText('No machine has answered yet')).toBeVisible();
  // Of three machines two answer at once.
  service.faults.set({ kind: 'delay', on: 'GetLicenseDetails', milliseconds: 60_000, after: 2 });
  await press(page, /^Ask all 3/);
  await expect(panel.getByText('Asking, 2 of 3 done')).toBeVisible();
  await expect(panel.getByRole('row', { name: /today/ })).toHaveCount(2);
  await expect(panel.getByText('No machine has answered yet')).toHaveCount(0);
  await press(page, /^Stop asking/);
  await expect(panel.getByText('2 machines answered, 1 could not be read, stopped before the rest')).toBeVisible();
  // A text that its column cuts is read in full by pointing at it.
  const nickname = panel.getByRole('gridcell', { name: /The one by the window/ });
  await nickname.hover();
  await expect(nickname).toHaveAttribute('title', 'The one by the window of the reading room');
});

test('a bulk change: pasted, planned, confirmed by its number, each row proved, saved, loaded again', async ({
  sharedPage: page,
  startService,
  dialogs,
}) => {
  await openLicences(page, await startService());
  const licence = await freeLicence(page, 'Site');
  await goToTab(page, 'Bulk change');
  const panel = page.getByRole('tabpanel', { name: 'Bulk change' });
  await press(page, 'Paste a table');
  await expect(page.getByRole('textbox', { name: /Rows from a spreadsheet/ })).toBeFocused();
  await page.keyboard.insertText(
    [
      'Licence\tTo',
      `${licence}\tBULK-01`,
      `${licence}\t BULK-02 `,
      `${licence}\tBULK-02`,
      'NONE-SUCH\tBULK-03',
      ...Array.from({ length: 3 }, () => `${licence}\t${'BULK'.repeat(2500)}`),
    ].join('\n'),
  );
  await press(page, 'Look through it');
  await expect(panel.getByText('7 rows, 4 of them usable.', { exact: false })).toBeVisible();
  // Also those beyond the first rows that are shown.
  await expect(panel.getByText('names a machine longer than 255 characters')).toHaveCount(3);
  await press(page, /^Read 3 machines and plan/);
  const grid = panel.getByRole('grid', { name: 'Rows of the bulk change' });
  await expect(grid.getByText('the same as row 2')).toBeVisible();
  await expect(grid.getByText('the account lists no such licence')).toBeVisible();
  await expect(grid.getByText('“Unlimited”').first()).toBeVisible();

  // Space excludes a row and includes it again.
  await grid.focus();
  await page.keyboard.press('Space');
  await expect(panel.getByRole('textbox', { name: 'Type 1 to confirm' })).toBeVisible();
  await page.keyboard.press('Space');
  const confirm = panel.getByRole('textbox', { name: 'Type 2 to confirm' });
  await confirm.focus();
  await page.keyboard.type('3');
  await expect(panel.getByRole('button', { name: /^Run 2 rows/ })).toBeDisabled();
  await page.keyboard.press('Backspace');
  await page.keyboard.type('2');
  await page.keyboard.press('Enter');
  await expect(panel.getByText('2 seen as planned', { exact: true })).toBeVisible();
  await expectCleanBoth(page, 'bulk-done');

  // The next table is not pasted in front of the one that was taken; what was not taken stays while the form is closed.
  const rows = panel.getByRole('textbox', { name: /Rows from a spreadsheet/ });
  await press(page, 'Paste');
  await expect(rows).toHaveValue('');
  await page.keyboard.insertText('Licence\tTo');
  await press(page, 'Look through it');
  await expect(panel.getByText('This table has no rows.')).toBeVisible();
  await panel.locator('form').getByRole('button', { name: 'Close' }).press('Enter');
  await press(page, 'Paste');
  await expect(rows).toHaveValue('Licence\tTo');
  await panel.locator('form').getByRole('button', { name: 'Close' }).press('Enter');

  await press(page, 'Save states');
  await expect(panel.getByText(/States saved as bulk-change-/)).toBeVisible();
  dialogs.offer('again.csv', readFileSync(join(dialogs.saved, readdirSync(dialogs.saved)[0] ?? '')));
  await press(page, 'Open CSV');
  await press(page, /and plan/);
  await expect(grid.getByText('seen in an earlier run')).toHaveCount(2);
  await goToTab(page, 'Journal');
  const journal = page.getByRole('tabpanel', { name: 'Journal' });
  await journal.getByRole('textbox', { name: 'Search the journal' }).focus();
  await page.keyboard.type('no such machine');
  await expect(journal.getByText('No entries match')).toBeVisible();
  await press(page, 'Show all entries');
  await journal.getByRole('button', { name: 'Seen by then' }).press('Enter');
  await chooseItem(page, 'not read back yet', 'menuitemcheckbox');
  await page.keyboard.press('Escape');
  await expect(journal.getByText(/^\d+ entr(?:y|ies) shown, all that match/)).toBeVisible();
  // A change is opened from its entry, also one that is over, and leads back to the journal.
  await journal.getByText('RegisterLicense: the service returned').first().click();
  // The words of the filter and of the change's own page.
  const entry = journal.getByRole('region', { name: /^Entry / });
  await expect(entry).toContainText('Seen by thennot read back yet');
  await expect(entry).toContainText('State afterunder way');
  await press(page, 'Open the change');
  await expect(page.getByRole('region', { name: 'Steps' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'What was done' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(journal.getByRole('textbox', { name: 'Search the journal' })).toBeVisible();
  await press(page, 'Export the whole journal');
  await expect(page.getByText(/entries saved as licence-journal-/)).toBeVisible();
  await press(page, /^Check the chain/);
  await expect(page.getByText(/entries in one chain, checked/)).toBeVisible();
});

/** Reports to the window that another one planned or ran a bulk change. */
const reportBulks = (page: Page): Promise<void> => reportChange(page, ['licences', 'bulk']);

const bulkRow = (row: number, licence: string | number | undefined, change: string, machine: string) => ({
  row,
  licence: String(licence),
  change,
  machine,
  from: '',
  state: '',
});

test('what is chosen and ticked in a bulk plan is that plan’s alone, and a later run leaves out what the last one did', async ({
  sharedPage: page,
  startService,
}) => {
  const service = await startService();
  const { suspended, site, 'expired-bound': expired } = service.demo.licences;
  await openLicences(page, service);
  await goToTab(page, 'Bulk change');
  const panel = page.getByRole('tabpanel', { name: 'Bulk change' });
  await press(page, 'Paste a table');
  await page.getByRole('textbox', { name: /Rows from a spreadsheet/ }).focus();
  await page.keyboard.insertText(`Licence\tChange\tFrom\n${suspended}\tunregister\tRETURNS-01`);
  await press(page, 'Look through it');
  await press(page, /and plan/);
  const grid = panel.getByRole('grid', { name: 'Rows of the bulk change' });
  const first = grid.getByRole('checkbox', { name: /^Run row 1\./ });
  await expect(first).not.toBeChecked();
  await grid.focus();
  await page.keyboard.press('Space');
  await expect(first).toBeChecked();
  const ownTick = panel.getByRole('checkbox', { name: /^Take it off even though/ });
  await ownTick.press('Space');
  await expect(ownTick).toBeChecked();

  // Another window plans another table on the same connection.
  const connectionId = await selectedConnection(page);
  const { id: bulkId } = await call(page, 'bulk.plan', {
    connectionId,
    source: 'other.csv',
    kind: 'register',
    rows: [
      bulkRow(1, expired, 'unregister', 'OLD-TILL-02'),
      bulkRow(2, site, 'register', 'OTHER-01'),
      bulkRow(3, site, 'register', 'OTHER-02'),
    ],
  });
  await reportBulks(page);
  await expect(grid.getByText('OLD-TILL-02')).toBeVisible();
  await expect(first).not.toBeChecked();
  await expect(panel.getByRole('textbox', { name: 'Type 2 to confirm' })).toBeVisible();
  await grid.focus();
  await page.keyboard.press('Space');
  await expect(first).toBeChecked();
  await expect(ownTick).not.toBeChecked();
  await expect(panel.getByText('Row 1 needs its tick above.')).toBeVisible();
  await page.keyboard.press('Space');
  await expect(first).not.toBeChecked();

  // The other window runs one row and leaves the other out. What is under way is shown here too, until it has ended.
  service.faults.set({ kind: 'delay', on: 'RegisterLicense', milliseconds: 60_000 });
  const run = call(page, 'bulk.run', { bulkId, rows: [2], confirmed: '1' });
  const status = page.getByRole('contentinfo');
  await expect(status).toContainText(/Registering .*, step 2 of 3/);
  await expect(status).toContainText('1 unfinished change');
  service.faults.clear();
  await run;
  await expect(status).toContainText('No unfinished changes');
  await expect(panel.getByText('1 seen as planned', { exact: true })).toBeVisible();
  await expect(panel.getByText('No rows selected. Press Space to select one.')).toBeVisible();
});

test('a receipt of a bulk change that is too long for the clipboard is not said to be copied', async ({
  sharedPage: page,
  startService,
}) => {
  const service = await startService();
  await openLicences(page, service);
  const connectionId = await selectedConnection(page);
  const planned = await call(page, 'bulk.plan', {
    connectionId,
    source: 'long.csv',
    kind: 'register',
    rows: [
      bulkRow(1, service.demo.licences.site, 'register', 'SHORT-01'),
      ...Array.from({ length: 800 }, (_, index) => bulkRow(index + 2, 'NONE-SUCH', 'register', 'LONG'.repeat(60))),
    ],
  });
  await call(page, 'bulk.run', { bulkId: planned.id, rows: [1], confirmed: '1' });
  await goToTab(page, 'Bulk change');
  await press(page, 'Copy receipt');
  const panel = page.getByRole('tabpanel', { name: 'Bulk change' });
  await expect(panel.getByText('Not copied: too long for the clipboard')).toBeVisible();
  await expectCleanBoth(page, 'bulk-receipt-too-long');
});

test('labels, a view, a note with a reminder, the calendar and the whole filtered set as a file', async ({
  sharedPage: page,
  sharedProgram: { dataFolder },
  startService,
  dialogs: { saved: folder },
}) => {
  await openLicences(page, await startService());
  const panel = page.getByRole('tabpanel', { name: 'All licences' });
  await panel.getByRole('button', { name: /^Expires in 30 days/ }).press('Enter');
  await panel.getByRole('button', { name: 'View' }).press('Enter');
  await chooseItem(page, /Save this filter/);
  await expect(page.getByRole('textbox', { name: 'Name of the view' })).toBeFocused();
  await page.keyboard.type('Soon gone');
  await page.keyboard.press('Enter');
  const view = panel.getByRole('button', { name: 'View Soon gone' });
  await expect(view).toBeVisible();
  // That it could not be removed is not said of the view that is saved next, nor that one could not be saved of another.
  const other = new DatabaseSync(join(dataFolder, 'address-console.sqlite'), { timeout: 5000 });
  const saving = page.getByRole('dialog', { name: 'Save a view' });
  const openSaving = async () => {
    await view.press('Enter');
    await chooseItem(page, /Save this filter/);
    await expect(saving.getByRole('textbox', { name: 'Name of the view' })).toBeFocused();
    await expect(saving.locator('.failure')).toHaveCount(0);
  };
  const close = async () => {
    await page.keyboard.press('Escape');
    await expect(saving).toHaveCount(0);
  };
  try {
    other.exec('ALTER TABLE licence_view RENAME TO moved_view');
    await view.press('Enter');
    await chooseItem(page, /^Remove the view/);
    const notice = page.locator('main .notice').filter({ hasText: 'Removing the view Soon gone under ' });
    await notice.getByRole('button', { name: 'Close' }).press('Enter');
    await openSaving();
    await page.keyboard.type('Also gone');
    await page.keyboard.press('Enter');
    await expect(saving.locator('.failure')).toBeVisible();
    await close();
  } finally {
    other.exec('ALTER TABLE moved_view RENAME TO licence_view');
    other.close();
  }
  await openSaving();
  await close();

  const grid = panel.getByRole('grid', { name: 'Licences' });
  const rows = (await grid.getByRole('row').count()) - 1;
  await press(page, 'Export');
  await expect(panel.getByText(new RegExp(`^${rows} licences? saved as licences-`))).toBeVisible();
  const csv = readFileSync(
    join(folder, readdirSync(folder).find((name) => /^licences-.*csv$/.test(name)) ?? ''),
    'utf8',
  );
  expect(csv.trim().split('\r\n')).toHaveLength(rows + 1);
  expect(csv).toMatch(/,"'\d{4,}",/);

  await grid.focus();
  await page.keyboard.press('Enter');
  await panel.getByRole('textbox', { name: /^“Active”/ }).focus();
  await page.keyboard.type('In use');
  await page.keyboard.press('Enter');
  await expect(panel.getByText('labelled “In use” by you')).toBeVisible();
  await expect(panel.getByText('taken for free seats')).toBeVisible();
  await panel.getByRole('textbox', { name: 'Your note' }).focus();
  await page.keyboard.type('First seat of the front desk');
  await panel.getByRole('textbox', { name: /Remind me/ }).focus();
  await page.keyboard.type('30');
  await panel.getByRole('form', { name: 'Note and reminder' }).getByRole('button', { name: 'Save' }).press('Enter');
  const due = panel.getByRole('region', { name: 'Reminders' });
  await expect(due).toContainText('expires in');
  // That a note was not saved is said above the screen if its licence was closed before; what was typed is there again.
  const note = panel.getByRole('textbox', { name: 'Your note' });
  await note.fill('Second seat');
  const unsaved = page.locator('main .notice').filter({ hasText: 'Saving your note and reminder for ' });
  await whileNothingIsSaved(dataFolder, async () => {
    await saveAndLeave(
      panel.getByRole('form', { name: 'Note and reminder' }),
      panel.getByRole('button', { name: 'Close the licence' }),
    );
    await expect(unsaved).toContainText('Another program is writing to the database.');
  });
  await expect(note).toHaveCount(0);
  await unsaved.getByRole('button').press('Enter');
  await grid.focus();
  await page.keyboard.press('Enter');
  await expect(note).toHaveValue('Second seat');
  await note.fill('First seat of the front desk');
  await expectCleanBoth(page, 'licences-own');
  await due.getByRole('button', { name: 'Save as calendar' }).press('Enter');
  await expect(due).toContainText('1 expiry saved as');
  const calendar = readFileSync(join(folder, readdirSync(folder).find((name) => name.endsWith('.ics')) ?? ''), 'utf8');
  expect(calendar).toMatch(/^BEGIN:VCALENDAR\r\n/);
  expect(calendar).toContain('TRIGGER:-P30D');
  // Only how the last attempt ended is said.
  const file = join(folder, readdirSync(folder).find((name) => name.endsWith('.ics')) ?? '');
  rmSync(file);
  mkdirSync(file);
  await due.getByRole('button', { name: 'Save as calendar' }).press('Enter');
  await expect(due.locator('.failure')).toBeVisible();
  await expect(due).not.toContainText('1 expiry saved as');
  rmdirSync(file);
  await due.getByRole('button', { name: 'Save as calendar' }).press('Enter');
  await expect(due).toContainText('1 expiry saved as');
  await expect(due.locator('.failure')).toHaveCount(0);

  // The form that was left is there again, not that of an earlier request.
  const [{ referenceNo } = { referenceNo: '' }] = (
    await call(page, 'licences.last-seen', { connectionId: await selectedConnection(page) })
  ).list.licences;
  await openPalette(page);
  await page.keyboard.type(`move ${referenceNo}`);
  await expect(page.getByRole('option', { name: `Move ${referenceNo} to another machine…` })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await page.keyboard.press('Enter');
  const form = (change: string) => panel.getByRole('form', { name: `${change} ${referenceNo}` });
  await expect(form('Move')).toBeVisible();
  await page.keyboard.press('Escape');
  await panel.getByRole('button', { name: 'Unregister…' }).press('Enter');
  await expect(form('Unregister')).toBeVisible();
  await goTo(page, 'credits');
  await expect(screenOf(page, 'credits')).toBeVisible();
  await goTo(page, 'licences');
  await expect(form('Unregister')).toBeVisible();
  await expect(form('Move')).toHaveCount(0);
  await page.keyboard.press('Escape');

  await panel.getByRole('button', { name: 'By type' }).press('Enter');
  await expect(page.getByRole('table', { name: 'Seats by type' })).toContainText('Single Machine');
  await expectCleanBoth(page, 'licences-by-type');

  // One for all: the form stays while it is saved and while another window adds an exception, with what is typed and the focus.
  await press(page, 'Reminders');
  const rule = page.getByRole('form', { name: 'Reminder for all licences' });
  const days = rule.getByRole('textbox', { name: /^Remind me of all/ });
  await expect(days).toBeFocused();
  await days.fill('40');
  await rule.getByRole('button', { name: 'Set for all' }).press('Enter');
  await expect(rule.getByRole('button', { name: 'Change' })).toBeDisabled();
  await expect(days).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('45');
  const connectionId = await selectedConnection(page);
  const { licences } = (await call(page, 'licences.last-seen', { connectionId })).list;
  const except = [licences[0]?.licenceNumber ?? ''];
  await call(page, 'licences.save-rule', { connectionId, rule: { leadDays: 40, except } });
  await reportChange(page, ['licences', 'own', connectionId]);
  await rule.getByRole('button', { name: /^Remind again/ }).press('Enter');
  await expect(rule.getByRole('button', { name: /^Remind again/ })).toHaveCount(0);
  await expect(days).toHaveValue('45');
  await expect.poll(() => rule.evaluate((form) => form.contains(document.activeElement))).toBe(true);
  await rule.getByRole('button', { name: 'Remove' }).press('Enter');
  await expect(rule.getByRole('button', { name: 'Set for all' })).toBeVisible();
  await expect.poll(() => rule.evaluate((form) => form.contains(document.activeElement))).toBe(true);
  await page.keyboard.press('Escape');
  await expect(rule).toHaveCount(0);
});

test('a dead laptop is found by an approximate name, and everything it was seen with is planned and moved together', async ({
  launch,
  folder,
  startService,
}) => {
  const csv = join(folder, 'machines.csv');
  writeFileSync(csv, 'Machine,Nickname,Owner,Site,Note\r\nFRONT-DESK-01,Reception laptop,Ann,Hereford,\r\n');
  // A program of its own: the move that is under way at the end would stop the next test's changes for half a minute.
  const { page } = await launch({ env: { ADDRESS_CONSOLE_HOST_OPEN_FILE: csv } });
  const service = await startService();
  await openLicences(page, service);
  await goToTab(page, 'Machines');
  await page.getByRole('button', { name: 'Import or export' }).press('Enter');
  await chooseItem(page, /Import machines/);
  await expect(page.getByRole('tabpanel', { name: 'Machines' }).getByText(/1 added/)).toBeVisible();
  // The palette finds it by name from any screen.
  await goTo(page, 'lookup');
  await openPalette(page);
  await page.keyboard.type('reception lap');
  await expect(page.getByRole('option', { name: /^FRONT-DESK-01, Reception laptop/ })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'FRONT-DESK-01' })).toBeVisible();
  await press(page, 'Dead laptop');
  const screen = screenOf(page, 'licences');
  await expect(screen.getByRole('textbox', { name: 'Machine', exact: true })).toBeFocused();
  await expectCleanBoth(page, 'dead-laptop-nothing');
  await page.keyboard.type('zzz');
  await expect(screen.getByRole('button', { name: 'Go to Machines' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('recption 1');
  const found = screen.getByRole('checkbox', { name: /^FRONT-DESK-01/ });
  await expect(found).toBeChecked();
  await press(page, /^Ask now/);
  const seen = screen.getByRole('table', { name: 'Licences seen' });
  // Two licences below the head.
  await expect(seen.getByRole('row')).toHaveCount(3);
  // A tick stays as it was set: a licence taken off elsewhere is ticked nevertheless, and is ticked when it is back.
  const { accountName, guid, licences } = service.demo;
  const changeElsewhere = (operation: string) =>
    callSoap(service, operation, {
      sAccountName: accountName,
      sGUID: guid,
      iLicenseID: String(licences.office),
      sMachineName: 'FRONT-DESK-01',
    });
  await changeElsewhere('UnregisterLicense');
  await press(page, /^Ask again/);
  const moved = seen.getByRole('row', { name: /not in the last answer/ });
  await expect(moved.getByRole('checkbox')).not.toBeChecked();
  await moved.getByRole('checkbox').press('Space');
  await expect(moved.getByRole('checkbox')).toBeChecked();
  await changeElsewhere('RegisterLicense');
  await press(page, /^Ask again/);
  await expect(moved).toHaveCount(0);
  for (const box of await seen.getByRole('checkbox').all()) await expect(box).toBeChecked();
  const target = screen.getByRole('textbox', { name: /^Machine that takes them/ });
  await target.focus();
  await page.keyboard.type('NEW-DESK-02');
  await expectCleanBoth(page, 'dead-laptop-found');
  await press(page, /^Plan \d+ moves?/);
  await expect(screen.getByText('Nothing has been changed yet.')).toBeVisible();
  const confirm = screen.getByRole('textbox', { name: 'Type the new machine’s name' });
  await expect(confirm).toBeFocused();
  // Before anything is confirmed a licence is left out by its tick alone.
  await expect(screen.getByRole('checkbox', { name: /^Move / }).first()).toBeVisible();
  await expect(screen.getByRole('button', { name: /^Leave out/ })).toHaveCount(0);
  await expectCleanBoth(page, 'dead-laptop-planned');
  await page.keyboard.type('NEW-DESK-02');
  await page.keyboard.press('Enter');
  await expect(screen.getByRole('heading', { name: /^0 of \d+ seen on NEW-DESK-02/ })).toBeVisible();
  // A waiting row can be excluded and included again while the one before it is under way.
  const headline = screen.getByRole('heading', { name: /^0 of \d+ seen on NEW-DESK-02/ });
  const all = await headline.textContent();
  // For a moment the first waits as well.
  await expect(screen.getByRole('row', { name: /under way/ })).toBeVisible();
  await press(page, /^Leave out/);
  await expect(screen.getByRole('button', { name: /^Include again/ })).toBeVisible();
  await expect(headline).not.toHaveText(all ?? '');
  await expect(screen.getByText('Before').first()).toBeVisible();
  await press(page, 'Stop after this one');
  await expectCleanBoth(page, 'dead-laptop-moving');
});

test('a plan that a cap refused is not shown as refused once the cap is off, and what a change on its way opens takes the focus', async ({
  launch,
  startService,
}) => {
  // A program of its own: a change on its way would stop the next test's changes.
  const { page } = await launch();
  const service = await startService();
  await openLicences(page, service);
  const screen = screenOf(page, 'licences');
  const licence = await freeLicence(page, 'Site');
  await screen.getByRole('textbox', { name: 'Filter' }).fill(licence);
  await screen.getByRole('grid', { name: 'Licences' }).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await screen.getByRole('button', { name: /^Register to another/ }).press('Enter');
  await page.keyboard.type('LATE-01');
  const connectionId = await selectedConnection(page);
  await call(page, 'credits.save-caps', { connectionId, caps: { perDay: 100 } });
  await press(page, /^Read and plan/);
  const refusal = screen.getByRole('region', { name: /^The price of GetLicenseList is not published/ });
  await expect(refusal).toBeVisible();
  await goTo(page, 'credits');
  const credits = screenOf(page, 'credits');
  await credits.getByRole('tab', { name: 'Caps and alerts' }).press('Enter');
  // Read by the window, since it was set elsewhere: the refusal goes when it is seen to be off.
  await expect(credits.getByText('of 100 credits')).toBeVisible();
  await credits.getByRole('button', { name: 'Change the cap for today' }).press('Enter');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await page.keyboard.press('Enter');
  await goTo(page, 'licences');
  await expect(screen.getByRole('button', { name: /^Read and plan/ })).toBeEnabled();
  await expect(refusal).toHaveCount(0);

  service.faults.set({ kind: 'reset', on: 'RegisterLicense' });
  await press(page, /^Read and plan/);
  await expect(screen.getByRole('textbox', { name: 'Type the machine’s name' })).toBeFocused();
  await page.keyboard.type('LATE-01');
  await page.keyboard.press('Enter');
  await expect(screen.getByRole('heading', { name: /^On its way: register/ })).toBeVisible();
  // The machine was read, only without the licence.
  const steps = screen.getByRole('list', { name: 'Steps of the change' });
  await expect(steps.getByText('needs a look')).toHaveCount(2);
  await expect(steps.getByText('failed', { exact: true })).toHaveCount(0);
  const keep = screen.getByRole('button', { name: /^Keep it as it is/ });
  await keep.press('Enter');
  const reason = screen.getByRole('textbox', { name: 'Reason, for the journal' });
  await expect(reason).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(keep).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(reason).toBeFocused();
  await page.keyboard.type('The desk is not in use');
  await page.keyboard.press('Enter');
  await expect(screen.getByRole('heading', { name: 'Receipt' })).toBeVisible();
});

test('a change none of whose reads was answered is to be read before it is finished', async ({
  launch,
  startService,
}) => {
  const { page } = await launch();
  const service = await startService();
  await openLicences(page, service);
  const connectionId = await selectedConnection(page);
  const { licences } = await call(page, 'licences.last-seen', { connectionId }).then(({ list }) => list);
  const licenceNumber = licences.find(({ typeName }) => typeName === 'Site')?.licenceNumber ?? '';
  const plan = await call(page, 'licences.plan', { connectionId, kind: 'register', licenceNumber, machine: 'MUTE-01' });
  service.faults.set(
    { kind: 'reset', on: 'RegisterLicense' },
    { kind: 'reset', on: 'GetLicenseDetails', after: 1, times: 'always' },
  );
  await call(page, 'licences.run', { changeId: plan.id, confirmedName: 'MUTE-01' });
  const screen = screenOf(page, 'licences');
  await screen.getByRole('button', { name: /Read, finish or undo/ }).press('Enter');
  await expect(screen.getByText(/Read it first\./)).toBeVisible();
  service.faults.clear();
  await press(page, /^Read now · /);
  await expect(screen.getByText(/Read it first\./)).toHaveCount(0);
  await expect(screen.getByText(/Reads once more, then does what is left of it\./)).toBeVisible();

  // How many entries are in one chain is said with the time at which they were counted.
  await goTo(page, 'licences');
  await goToTab(page, 'Journal');
  await press(page, /^Check the chain/);
  const checked = page.getByText(/entries in one chain, checked/);
  const before = await checked.textContent();
  // Not Playwright’s clock: it would stop for every window of the shared browser, and stay so for the tests after this one.
  await page.evaluate(() => {
    const now = Date.now;
    Date.now = () => now() + 10 * 60_000;
  });
  await call(page, 'licences.resume', { changeId: plan.id, action: 'check' });
  await expect
    .poll(async () => Number.parseInt((await checked.textContent()) ?? '', 10))
    .toBeGreaterThan(Number.parseInt(before ?? '', 10));
  expect((await checked.textContent())?.split('checked')[1]).not.toBe(before?.split('checked')[1]);
});
