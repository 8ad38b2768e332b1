import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parse } from 'csv-parse/sync';
import type { Locator, Page } from 'playwright/test';
import { emptyConnectionDraft } from '../../shared/domain/connection.ts';
import { electronProgram, startToEnd } from '../helpers/console.ts';
import { runProgram, secretVariables } from '../helpers/demo-process.ts';
import { lookAll } from './accessibility-checks.ts';
import {
  chooseItem,
  doubleClick,
  expect,
  expectClean,
  focusTaken,
  goTo,
  press,
  type Service,
  screenOf,
  settle,
  test,
} from './fixtures.ts';
import { call, connectBoth, selectedConnection } from './own-service.ts';

const table = [
  'Ref;Address;Town;Postcode;Note',
  'C-1;2 Tannery Row;Hereford;HR10 2DT;=1+1',
  'C-2;14 Tannery Row;Hereford;hr102dt;',
  'C-3;2 Tannery Row;Hereford;HR10 2DT;"two; lines"',
  'C-4;14 Tannery Row;Hereford;HR10 2D;',
  'C-5;999 Tannery Row;Hereford;HR10 2DT;',
  'C-6;20 Tannery Row;Hereford;HR10 2DT;',
  ';;;;',
].join('\r\n');

/** Drops a file on the window, as a person does with the mouse. Everything else is done by keyboard. */
const drop = (page: Page, name: string, text: string) =>
  page.evaluate(
    (file) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([file.text], file.name));
      const fire = (kind: string) =>
        document.body.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
      fire('dragover');
      fire('drop');
    },
    { name, text },
  );

test('a table dropped on any screen is planned, run under its limit, waits, resumes, and is saved, by keyboard', async ({
  sharedPage: page,
  startService,
  dialogs,
}) => {
  const service = await startService();
  const spent = async () => Object.values(service.meter.read().calls).reduce((sum, { credits }) => sum + credits, 0);
  await page.setViewportSize({ width: 1280, height: 800 });
  await connectBoth(page, service);
  const before = await spent();
  const screen = screenOf(page, 'lookup');

  // One that takes seconds is stopped, while it arrives or is read.
  await drop(page, 'many.csv', `Postcode\n${'HR10 2DT\n'.repeat(600_000)}`);
  await page.getByRole('button', { name: 'Stop reading' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Stopped before every row was read.' })).toBeVisible();

  await goTo(page, 'activity');
  await expect(screenOf(page, 'activity')).toBeVisible();
  await drop(page, 'customers.csv', table);

  // The plan shows what was recognised, and why a row cannot be looked up.
  await expect(page.getByRole('heading', { name: 'customers.csv', level: 1 })).toBeVisible();
  await expect(screen.getByText('7 rows', { exact: true }).first()).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Separator' })).toHaveValue('Semicolon');
  await expect(page.getByLabel('Column Postcode is')).toHaveValue('postcode');
  await expect(page.getByLabel('Column Note is')).toHaveValue('unused');
  await expect(screen.getByRole('row').filter({ hasText: 'C-4' })).toContainText(/postcode/);
  await expect(screen.getByText(/2 rows cannot be asked/)).toBeVisible();
  await page.getByRole('checkbox', { name: /^Coordinates/ }).press('Space');
  await lookAll(page, 'batch-plan');
  await press(page, 'Plan · free');

  // The heading has the price. A limit below that price says what it will do, and so does the button.
  const heading = screen.getByRole('heading', { level: 2 });
  await expect(heading).toHaveText(/^Coordinates of 7 addresses: .* credits?$/);
  await expect(screen.getByRole('region', { name: 'Rows of the table' })).toContainText('1 same as an earlier row');
  await expect(screen.getByRole('button', { name: /^Run · / })).toHaveText(
    (await heading.innerText()).replace(/^.*: /, 'Run · '),
  );
  await page.getByRole('textbox', { name: 'Limit for this batch' }).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('0');
  await expect(screen.getByRole('button', { name: 'Run · up to 0 credits' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('1');
  // Neither 15 nor 2: what is no whole number is refused, and the one before it counts.
  await page.keyboard.type('.5');
  await expect(screen.getByText('A whole number up to 10,000,000. 1 counts.')).toBeVisible();
  await expect(screen.getByText(/It stops before the call that could pass 1 and waits for you/)).toBeVisible();
  expect(await spent()).toBe(before);
  await expectClean(page);
  await press(page, 'Run · up to 1 credit');

  // The batch waits for a person and says so on every screen; nothing over the limit was sent.
  const banner = screen.getByRole('region', { name: /^Stopped/ });
  await expect(banner).toBeVisible();
  expect(await spent()).toBeLessThanOrEqual(before + 1);
  await lookAll(page, 'batch-waiting');
  // Also while another connection is in use, in a window that was loaded since.
  const own = await selectedConnection(page);
  const draft = { ...emptyConnectionDraft, name: 'Another' };
  const { connection: another } = await call(page, 'connections.save', { id: null, draft });
  await call(page, 'connections.select', { connectionId: another.id });
  await page.reload();
  await expect(page.getByRole('button', { name: 'Look at it: Batch customers.csv waits for you' })).toBeVisible();
  await call(page, 'connections.select', { connectionId: own });
  await call(page, 'connections.remove', { connectionId: another.id });
  await goTo(page, 'credits');
  // A screen that is loaded for the first time takes the focus when it comes, and a key pressed at once would be lost.
  await expect(page.getByRole('heading', { name: 'Credits', level: 1 })).toBeFocused();
  await press(page, 'Look at it: Batch customers.csv waits for you');
  await expect(banner).toBeVisible();
  // Filled, not typed: the screen that comes takes the focus when it has come.
  await banner.getByRole('textbox', { name: 'Limit' }).fill('50');
  service.faults.set({ kind: 'status', status: 401, on: 'GetPremise', times: 1 });
  await press(page, /^Resume · /);

  // A refused key can be replaced in the batch's screen, and the batch then continues.
  const refused = screen.getByRole('region', { name: /the key cannot be used$/ });
  await expect(refused.getByText(/replace the key or choose another, then resume/)).toBeVisible();
  await refused.getByRole('button', { name: 'Replace the key…' }).press('Enter');
  await expect(page.getByRole('dialog').getByLabel('New key for test')).toBeFocused();
  await page.keyboard.type(service.demo.lookupKey);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await press(page, /^Resume · /);

  // There are as many result rows as table rows. A person chooses among several matches by number.
  const result = screen.getByRole('region', { name: 'Result', exact: true });
  await expect(result.getByText(/7 rows in, 7 rows out/)).toBeVisible();
  await press(page, /^Several 1$/);
  await expect(screen.getByRole('heading', { name: /^Row 6: \d+ premises fit$/ })).toBeVisible();
  await lookAll(page, 'batch-result');
  // A key kept pressed chooses nothing: each row is looked at.
  await page.evaluate(() =>
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '1', bubbles: true, repeat: true })),
  );
  const { batches } = await call(page, 'batch.list', { connectionId: own });
  const batchId = batches.find(({ name }) => name === 'customers.csv')?.id ?? '';
  expect((await call(page, 'batch.several', { batchId, row: 6 })).chosen).toBeNull();
  await page.keyboard.press('1');
  await expect(screen.getByText('No row of this kind is left')).toBeVisible();
  await expect(screen.getByRole('button', { name: 'Several 0', pressed: true })).toBeVisible();
  await press(page, 'Show all rows');
  await expect(screen.getByRole('row').filter({ hasText: 'C-6' })).toContainText('chosen');
  await press(page, /^No result 2$/);
  await expect(screen.getByRole('checkbox', { name: 'Row 4: to be corrected in the table' })).toBeDisabled();
  await expectClean(page);

  await press(page, 'Save result…');
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(page.getByRole('dialog').getByRole('combobox', { name: 'Rows' })).toBeFocused();
  await expect(page.getByRole('checkbox', { name: /^ac_latitude/ })).toBeChecked();
  await lookAll(page, 'batch-save');
  await press(page, 'Save…');
  await expect(page.getByRole('dialog').getByText('7 rows saved as customers.result.csv.')).toBeVisible();
  const file = readFileSync(join(dialogs.saved, 'customers.result.csv'), 'utf8');
  const [heads = [], ...rows] = parse(file, { delimiter: ';', bom: true }) as string[][];
  expect(heads.slice(0, 5)).toEqual(['Ref', 'Address', 'Town', 'Postcode', 'Note']);
  expect(rows.map(([ref]) => ref)).toEqual(['C-1', 'C-2', 'C-3', 'C-4', 'C-5', 'C-6', '']);
  const column = (name: string) => rows.map((row) => row[heads.indexOf(name)]);
  expect(column('ac_progress')).toEqual(['done', 'done', 'done', 'malformed', 'done', 'done', 'malformed']);
  expect(column('ac_result').slice(0, 5)).toEqual(['exact', 'exact', 'exact', 'not-asked', 'premise-not-found']);
  expect(rows[0]?.[4]).toBe("'=1+1");
  expect(rows[2]?.[4]).toBe('two; lines');

  // The counted credits are at least those that the service took.
  await page.keyboard.press('Escape');
  const counted = Number(/(\d+) of 50 credits counted/.exec(await result.innerText())?.[1]);
  expect(counted).toBeGreaterThanOrEqual((await spent()) - before);

  // Back to the start: the batch is in the list.
  await press(page, 'Batch');
  await expect(screen.getByRole('heading', { name: 'Lookup', level: 1 })).toBeVisible();
  await expect(screen.getByRole('complementary', { name: 'Earlier batches' })).toContainText(/customers\.csv.*done/);

  // Without its connection nothing opens it, which is said before that is removed.
  await goTo(page, 'connections');
  await screenOf(page, 'connections')
    .getByRole('button', { name: /^More for/ })
    .press('Enter');
  await chooseItem(page, 'Remove the connection…');
  const removal = page.getByRole('dialog');
  await expect(removal.getByText(/can no longer be opened: save the results/)).toBeVisible();
  await expect(removal.getByText(/machines, labels and views go too.* A set-up file saved first/)).toBeVisible();
  await press(page, 'Keep it');
  await goTo(page, 'lookup');

  // The sample is an ordinary table. With another service than the demo, it says whose addresses it has.
  await press(page, 'Try it with a sample');
  await expect(page.getByRole('heading', { name: 'sample-addresses.csv', exact: true, level: 1 })).toBeVisible();
  await expect(screen.getByText('12 rows', { exact: true }).first()).toBeVisible();
  await expect(screen.getByText(/^Its addresses are invented/)).toBeVisible();
  await press(page, 'Batch');

  // The next table is not pasted in front of the one that was taken.
  const pasted = screen.getByRole('textbox', { name: /^Rows from a spreadsheet/ });
  await press(page, /^Paste/);
  await expect(pasted).toBeFocused();
  await page.keyboard.insertText('HR10 2DT\nLE22 5WX');
  await press(page, /^Read the table/);
  await expect(screen.getByText('2 rows', { exact: true }).first()).toBeVisible();
  await press(page, 'Batch');
  await press(page, /^Paste/);
  await expect(pasted).toHaveValue('');
  await press(page, 'Close');

  // The result file can be opened again: rows that are done are not looked up again and cost nothing.
  const spentBefore = await spent();
  dialogs.offer('customers.result.csv', file.replace(/(C-6;.*?;)(?:exact|differs);/, '$1several;'));
  await press(page, 'Open a table…');
  await expect(page.getByRole('heading', { name: /result\.csv$/, level: 1 })).toBeVisible();
  await expect(
    screen.getByText(/: 5 rows with an answer are not asked again, whatever you want to know now, 2 not done\.$/),
  ).toBeVisible();
  await press(page, 'Plan · free');
  await press(page, /^Run · /);
  await expect(result.getByText(/7 rows in, 7 rows out/)).toBeVisible();
  await expect(screen.getByRole('row').filter({ hasText: 'C-1' })).toContainText('in the file already');
  expect(await spent()).toBe(spentBefore);
  // The file does not have the premises among which one was to be chosen.
  await press(page, /^Several 1$/);
  await expect(screen.getByText(/^Row 6 is as an earlier result file has it/)).toBeVisible();
  await expect(screen.getByRole('region', { name: /which premise is meant/ })).toHaveCount(0);
  await expectClean(page);
});

test('after a choice the next undecided row is shown, also where an earlier row that says the same leaves the list with it', async ({
  sharedPage: page,
  startService,
}) => {
  await connectBoth(page, await startService());
  const rows = [
    '20 Tannery Row;Hereford',
    '20 Tannery Row;',
    '20 Tannery;Hereford',
    '20 Tannery Row;Hereford',
    '20 Tannery;',
    'Tannery Row;Hereford',
  ];
  await drop(page, 'flats.csv', ['Address;Town;Postcode', ...rows.map((row) => `${row};HR10 2DT`)].join('\n'));
  await press(page, 'Plan · free');
  await press(page, /^Run · /);
  await press(page, /^Several 6$/);
  const screen = screenOf(page, 'lookup');
  const isShown = (row: number) =>
    expect(screen.getByRole('heading', { name: new RegExp(`^Row ${row}: .* fit`) })).toBeVisible();
  await isShown(1);
  await page.keyboard.press('0');
  for (const row of [2, 3, 4]) {
    await isShown(row);
    await page.keyboard.press('1');
  }
  await isShown(5);

  // Gone to the last of more rows than are read at once: until it is read, no key chooses for the row shown before.
  await press(page, 'Batch');
  await drop(page, 'many-flats.csv', `Address;Town;Postcode\n${'20 Tannery Row;Hereford;HR10 2DT\n'.repeat(501)}`);
  await press(page, 'Plan · free');
  await press(page, /^Run · /);
  await press(page, /^Several 501$/);
  await isShown(1);
  await screen.getByRole('grid', { name: 'Rows' }).evaluate(async (grid) => {
    for (const key of ['End', '1']) {
      grid.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      await null;
    }
  });
  await isShown(501);
  await expect(screen.getByText('501 of 501')).toBeVisible();
  // Where the rows were scrolled to since, they are after another screen.
  const rows501 = screen.locator('.table-scroll').filter({ has: page.getByRole('grid', { name: 'Rows' }) });
  const top = () => rows501.evaluate((box) => box.scrollTop);
  // Until it stays: bringing the row into view goes on for some frames.
  await expect(async () => {
    await rows501.evaluate((box) => {
      box.scrollTop = 2000;
    });
    await settle(page);
    expect(await top()).toBe(2000);
  }).toPass();
  await goTo(page, 'credits');
  await expect(screenOf(page, 'credits')).toBeVisible();
  await goTo(page, 'lookup');
  await isShown(501);
  await settle(page);
  expect(await top()).toBe(2000);
});

test('a double click on Pause does not resume; a batch that is published as free needs no room in its limit', async ({
  sharedPage: page,
  sharedProgram: { dataFolder },
  startService,
}) => {
  const service = await startService();
  await connectBoth(page, service);
  const postcodes = [
    'HR10 1AA',
    'HR10 2DU',
    'HR10 2DW',
    'HR10 2DX',
    'HR10 2DY',
    'HR10 3AA',
    'HR10 3AB',
    'HR10 3AD',
    'HR10 3AE',
  ];
  await drop(page, 'postcodes.csv', `Postcode\n${postcodes.join('\n')}\n`);
  await press(page, 'Plan · free');
  const screen = screenOf(page, 'lookup');
  // In one column the button that runs it is below what it runs with.
  await page.setViewportSize({ width: 640, height: 400 });
  const rate = screen.getByRole('textbox', { name: 'Calls a second' });
  const [field, run] = [
    await rate.boundingBox(),
    await screen.getByRole('button', { name: 'Run · free' }).boundingBox(),
  ];
  if (!field || !run) throw new Error('The field or the button is not drawn.');
  expect(run.y).toBeGreaterThan(field.y + field.height);
  await page.setViewportSize({ width: 1280, height: 800 });
  await rate.fill('0.1');
  await press(page, 'Run · free');
  await expect(screen.getByRole('button', { name: 'Done 1' })).toBeVisible();
  const resume = screen.getByRole('button', { name: 'Resume · free' });
  // From the status bar of another screen, where no place of the batch says that it failed.
  await goTo(page, 'credits');
  await expect(screenOf(page, 'credits')).toBeVisible();
  const other = new DatabaseSync(join(dataFolder, 'address-console.sqlite'), { timeout: 5000 });
  try {
    other.exec('ALTER TABLE batches RENAME TO moved_batches');
    await press(page, /^Pause: Batch postcodes\.csv/);
    const notice = page.locator('main .notice').filter({ hasText: 'Pausing the batch: ' });
    await expect(notice).toBeVisible();
    await notice.getByRole('button', { name: 'Close' }).press('Enter');
    await expect(notice).toHaveCount(0);
  } finally {
    other.exec('ALTER TABLE moved_batches RENAME TO batches');
    other.close();
  }
  await goTo(page, 'lookup');
  await resume.press('Enter');
  await doubleClick(page, screen.getByRole('button', { name: 'Pause' }), resume);
  await expect(resume).toBeEnabled();
  // The dialog of the terms begins at them, not at what runs the batch with them.
  await press(page, 'Limit, rate, key…');
  const dialog = page.getByRole('dialog');
  await focusTaken(dialog);
  await expect(dialog.getByRole('textbox', { name: 'Limit for this batch' })).toBeFocused();
  await dialog.getByRole('textbox', { name: 'Calls a second' }).fill('5');
  service.faults.set({ kind: 'status', status: 504, on: 'SearchPremise_ByPostcode', times: 5 });
  await dialog.getByRole('button', { name: 'Resume · free' }).press('Enter');
  await expect(screen.getByRole('heading', { name: /^Stopped at row \d: 5 failures alike/ })).toBeVisible();
  await press(page, 'Resume · free');
  await expect(screen.getByText(/9 rows in, 9 rows out/)).toBeVisible();
  // Only a published price, but none that would be paid twice.
  await expect(screen.getByText(/^5 unknown rows are .* that is free by the published price\.$/)).toBeVisible();
  // At 200 % the rows scroll in a page that scrolls too: the one that the keys are on is in sight.
  await page.setViewportSize({ width: 640, height: 400 });
  const rows = screen.getByRole('grid', { name: 'Rows' });
  await rows.focus();
  for (const key of ['End', 'Home']) {
    await rows.evaluate((grid) => {
      for (let box = grid.parentElement; box; box = box.parentElement) box.scrollTop = 0;
    });
    await page.keyboard.press(key);
    // A row is wider than the window.
    await expect(rows.locator('[data-active="true"]')).toBeInViewport({ ratio: 0.7 });
  }
});

/** Runs a batch of one postcode, whose key the service refuses, and returns the screen on which it waits. */
async function runToRefusedKey(page: Page, { faults }: Service, file: string): Promise<Locator> {
  await drop(page, file, 'Postcode\nHR10 1AA\n');
  await press(page, 'Plan · free');
  faults.set({ kind: 'status', status: 403, on: 'Search', times: 1 });
  await press(page, 'Run · 1 credit');
  const screen = screenOf(page, 'lookup');
  await expect(screen.getByRole('heading', { name: 'Stopped at row 1: the key cannot be used' })).toBeVisible();
  return screen;
}

test('a batch that waits for another reason at its limit is resumed with a higher one', async ({
  sharedPage: page,
  startService,
}) => {
  const service = await startService();
  await connectBoth(page, service, { soapUrl: '' });
  const screen = await runToRefusedKey(page, service, 'postcode.csv');
  // The refused call counts, since whether a refusal costs is not published.
  await expect(screen.getByRole('button', { name: 'Resume · up to 0 credits' })).toBeDisabled();
  const connectionId = await selectedConnection(page);
  const limit = screen.getByRole('textbox', { name: 'Limit' });
  await limit.fill('5');
  // Nothing that is reported of the batch meanwhile takes away what is typed.
  await call(page, 'credits.read-balances', { connectionId, sources: ['rest-key'] });
  await expect(screen.getByRole('button', { name: 'Resume · 1 credit' })).toBeEnabled();
  // Another window resumes it under another limit: that is the one by which it goes on.
  const { batches } = await call(page, 'batch.list', { connectionId });
  const { id: batchId = '', rate = 1 } = batches.find(({ state }) => state === 'waiting') ?? {};
  service.faults.set({ kind: 'status', status: 403, on: 'Search', times: 1 });
  await call(page, 'batch.run', { batchId, limit: 2, minimumBalance: null, rate, keyLabel: null, goOnUntil: null });
  await expect(limit).toHaveValue('2');
  await expect(screen.getByRole('button', { name: 'Resume · up to 0 credits' })).toBeDisabled();
  await limit.fill('3');
  await press(page, 'Resume · 1 credit');
  await expect(screen.getByText(/1 row in, 1 row out/)).toBeVisible();
});

test('a batch that a command resumes and ends between two looks of the window is shown as it ended', async ({
  sharedPage: page,
  sharedProgram,
  startService,
  folder,
}) => {
  const service = await startService();
  await connectBoth(page, service, { soapUrl: '' });
  const connectionId = await selectedConnection(page);
  const screen = await runToRefusedKey(page, service, 'between.csv');
  const { batches } = await call(page, 'batch.list', { connectionId });
  const { id = '', connectionName = '' } = batches.find(({ name }) => name === 'between.csv') ?? {};
  const file = join(folder, 'terminal.json');
  writeFileSync(file, JSON.stringify({ name: connectionName, restBaseUrl: service.restBaseUrl }));
  const ended = await runProgram(['batch', 'resume', id, '--limit', '2', '--connection', file], {
    env: { ...secretVariables(service.demo), ADDRESS_CONSOLE_DATA_FOLDER: sharedProgram.dataFolder },
  });
  expect(ended.status, ended.stderr).toBe(0);
  await expect(screen.getByText(/1 row in, 1 row out/)).toBeVisible();
  await expect(screen.getByRole('row').filter({ hasText: 'HR10 1AA' })).toContainText(/asked/);
});

test('a program that is told to quit again while it ends still takes the answer that is on its way', async ({
  launch,
  folder,
  startService,
}) => {
  const service = await startService();
  const dataFolder = join(folder, 'data');
  const first = await launch({ dataFolder });
  await connectBoth(first.page, service, { soapUrl: '' });
  const connectionId = await selectedConnection(first.page);
  await drop(first.page, 'postcode.csv', 'Postcode\nHR10 2DT\n');
  await press(first.page, 'Plan · free');
  service.faults.set({ kind: 'delay', milliseconds: 1500, on: 'Search', times: 1 });
  await press(first.page, 'Run · 1 credit');
  await expect.poll(() => service.meter.read().calls.Search?.hits, { intervals: [20] }).toBe(1);
  if (first.host === 'development host') expect(first.output()).toMatch(/the computer stays awake\n(?!.*may sleep)/s);
  const again = new Promise((later) => setTimeout(later, 200)).then(() => first.close());
  await Promise.all([first.close(), again]);
  if (first.host === 'development host') expect(first.output()).toContain('the computer may sleep\n');
  const { page } = await launch({ dataFolder });
  const { batches } = await call(page, 'batch.list', { connectionId });
  expect(batches).toMatchObject([{ progress: { done: 1, unknown: 0 } }]);
});

test('who starts an AppImage while its program ends gets it by the image’s own file, with what it was started for', async ({
  launch,
  folder,
  startService,
}) => {
  test.skip(process.platform !== 'linux', 'an AppImage is of Linux alone');
  const service = await startService();
  const dataFolder = join(folder, 'data');
  const [image, started] = [join(folder, 'Address Console.AppImage'), join(folder, 'started')];
  writeFileSync(image, `#!/bin/sh\nprintf '%s\\n' "$@" > '${started}.part' && mv '${started}.part' '${started}'\n`, {
    mode: 0o755,
  });
  // Its program lies where it is mounted.
  const env = { APPIMAGE: image, APPDIR: dirname(electronProgram() ?? process.execPath) };
  const first = await launch({ dataFolder, env });
  await connectBoth(first.page, service, { soapUrl: '' });
  await drop(first.page, 'postcode.csv', 'Postcode\nHR10 2DT\n');
  await press(first.page, 'Plan · free');
  service.faults.set({ kind: 'delay', milliseconds: 60_000, on: 'Search', times: 1 });
  await press(first.page, 'Run · 1 credit');
  await expect.poll(() => service.meter.read().calls.Search?.hits, { intervals: [20] }).toBe(1);
  const closed = first.close();
  await startToEnd(dataFolder, { args: ['--open=credits'] });
  service.faults.clear();
  await closed;
  await expect.poll(() => (existsSync(started) ? readFileSync(started, 'utf8') : '')).toContain('--open=credits\n');
});
