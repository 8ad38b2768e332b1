import { resolve } from 'node:path';
import type { Locator, Page } from 'playwright/test';
import {
  chooseItem,
  connectOwn,
  expect,
  expectClean,
  focusTaken,
  goTo,
  press,
  type Service,
  saveAndLeave,
  screenOf,
  searchFor,
  test,
  whileNothingIsSaved,
} from './fixtures.ts';
import { call, connectBoth, reportConnections } from './own-service.ts';

// The first week with the user's own service, by keyboard: a mistyped key, a narrow window, long names, a change that failed.

const preload = resolve(import.meta.dirname, '..', 'helpers', 'slow-connections.mjs');

/** The accessible name of the focused element. */
const focusName = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const at = document.activeElement;
    return (
      at?.getAttribute('aria-label') ??
      (at as HTMLInputElement | null)?.labels?.[0]?.textContent ??
      at?.textContent ??
      ''
    );
  });

/** Role, label and end of each key of the connection in use. */
async function keysOf(page: Page): Promise<string[]> {
  const { connections, selectedId } = await call(page, 'connections.list', {});
  const used = connections.find(({ connection }) => connection.id === selectedId);
  return (used?.secrets ?? []).map(({ role, label, lastFour }) => `${role}, ${label}, ends ${lastFour}`);
}

async function chooseRole(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Role' }).press('ArrowDown');
  await page.getByRole('option', { name }).click();
}

/** Presses keys and counts them; each typed character counts as one. */
function keys(page: Page) {
  let count = 0;
  return {
    press: async (...names: string[]) => {
      for (const name of names) {
        await page.keyboard.press(name);
        count++;
      }
    },
    type: async (text: string) => {
      await page.keyboard.type(text);
      count += text.length;
    },
    count: () => count,
  };
}

test('first run: a mistyped key is corrected in its place, and each step puts the focus where one types', async ({
  launch,
  startService,
}) => {
  const service = await startService();
  const { page } = await launch();
  await expect.poll(() => focusName(page)).toBe('Start the demo service');
  // The help opens before anything is set up, and leads back to the set-up.
  await page.keyboard.press('F1');
  await expect(page.getByRole('heading', { level: 1, name: 'Help', exact: true })).toBeVisible();
  await page.keyboard.press('F1');
  await expect(page.getByRole('heading', { level: 1, name: 'Set up in three steps' })).toBeVisible();
  await page.getByRole('radio', { name: /Use your own service/ }).press('Space');
  for (const [label, text] of [
    ['Name', 'Wyebank'],
    ['REST base address', service.restBaseUrl],
    ['SOAP address', service.soapUrl],
  ] as const) {
    const field = page.getByRole('textbox', { name: label });
    // The fields are as high as all others, which search boxes are not.
    expect((await field.boundingBox())?.height).toBe(28);
    await field.focus();
    await page.keyboard.type(text);
  }
  await expect(page.getByRole('textbox', { name: 'SOAP account name' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Start the demo instead' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect.poll(() => focusName(page)).toBe('Key');
  await expect(page.getByLabel(/^Account GUID/)).toBeVisible();
  await expectClean(page);
  await page.keyboard.type('wrong-key-0aab');
  // The key is stored before the GUID is refused: what is given the next time replaces it, whatever its label and role.
  const accountGuid = page.getByLabel(/^Account GUID/);
  const refusal = page.getByText(/contains a line break or another control character/);
  await accountGuid.fill('0b5f3c1e\t4a2b');
  await accountGuid.press('Enter');
  await expect(refusal).toBeVisible();
  await expect.poll(() => keysOf(page)).toEqual(['lookup-key, Contact centre, ends 0aab']);
  await page.getByRole('textbox', { name: 'Key', exact: true }).fill('wrong-key-0aac');
  await page.getByRole('textbox', { name: 'Label' }).fill('contact Centre');
  await accountGuid.press('Enter');
  await expect.poll(() => keysOf(page)).toEqual(['lookup-key, Contact centre, ends 0aac']);
  await expect(refusal).toBeVisible();
  await press(page, 'Back');
  await press(page, 'Continue');
  await page.getByRole('textbox', { name: 'Key', exact: true }).fill('wrong-key-0aad');
  await chooseRole(page, 'Master key');
  await accountGuid.fill(service.demo.guid);
  await page.getByLabel(/^Licence ID/).fill('0b5f\t4a2b');
  await accountGuid.press('Enter');
  await expect(refusal).toBeVisible();
  await page.getByLabel(/^Licence ID/).fill('');
  await accountGuid.fill('');
  await accountGuid.press('Enter');

  await expect(page.getByRole('heading', { name: 'Correct the key of Contact centre' })).toBeVisible();
  await expect.poll(() => focusName(page)).toBe('Key');
  await expect(page.getByText(/does not accept the key/).first()).toBeVisible();
  await expect(page.getByText(/The service refused the key ending 0aad/)).toBeVisible();
  expect(await keysOf(page)).toEqual(['master-key, Contact centre, ends 0aad']);
  await expect(page.getByRole('button', { name: 'Correct the key and test · free' })).toBeVisible();
  await expectClean(page);
  await page.keyboard.type(service.demo.lookupKey);
  await chooseRole(page, 'Lookup key');
  await page.getByRole('textbox', { name: 'Key', exact: true }).press('Enter');
  await expect.poll(() => focusName(page)).toBe('Open Lookup');
  await expect(page.getByText(`ending ${service.demo.lookupKey.slice(-4)}`)).toBeVisible();

  // There is one key, and the next call sends the new one.
  await page.keyboard.press('Enter');
  await searchFor(page, service.demo.sample.postcode);
  await expect(screenOf(page, 'lookup').getByRole('listbox').first()).toBeVisible();
  await goTo(page, 'connections');
  const connections = screenOf(page, 'connections');
  await expect(connections.getByText('Contact centre')).toHaveCount(1);

  // Credits and the licences screen ask for the credentials that are missing: the account name, then the GUID.
  await goTo(page, 'credits');
  await expect(screenOf(page, 'credits')).toContainText('Cannot be asked without an account name and an account GUID.');
  await goTo(page, 'licences');
  await expect(page.getByRole('heading', { name: /Licences need an account name and the account GUID/ })).toBeVisible();
  const licences = screenOf(page, 'licences');
  await licences.getByRole('button', { name: 'Complete the connection…' }).last().press('Enter');
  await focusTaken(page.getByRole('dialog'));
  await page.getByRole('dialog').getByRole('textbox', { name: 'Account name' }).fill(service.demo.accountName);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Licences need the account GUID' })).toBeVisible();
  await licences.getByRole('button', { name: 'Add the account GUID…' }).last().press('Enter');
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Value' })).toBeFocused();
  await page.keyboard.type(service.demo.guid);
  await page.keyboard.press('Enter');
  await press(page, 'Read licences · price not published');
  await expect(licences.getByText(/\d+ licences/).first()).toBeVisible();
});

test('first run: a test that is refused as a whole says why, and not that it passed', async ({
  launch,
  startService,
}) => {
  const { page } = await launch();
  const service = await startService();
  await connectOwn(page, service, service.demo.lookupKey);
  await expect(page.getByRole('button', { name: 'Open Lookup' })).toBeEnabled();
  const passed = page.getByText('The test passed.', { exact: true });
  await expect(passed).toBeAttached();
  const [made] = (await call(page, 'connections.list', {})).connections;
  await call(page, 'connections.remove', { connectionId: made?.connection.id ?? '' });
  await page.evaluate(() => document.querySelector('.spoken[role="status"]')?.replaceChildren());
  await press(page, 'Test again · free');
  await expect(page.getByRole('alert').filter({ hasText: 'No such connection is set up.' })).toBeVisible();
  await expect(passed).toHaveCount(0);
  await expectClean(page);
});

const longName = 'Wyebank Housing Association, Western region';

async function addKeys(page: Page, labels: readonly string[]): Promise<void> {
  await page.evaluate(async (wanted) => {
    const list = await window.api.call['connections.list']('keys', {});
    const connectionId = list.ok ? (list.value.selectedId ?? '') : '';
    for (const label of wanted)
      await window.api.call['secrets.put'](`key ${label}`, {
        connectionId,
        role: 'lookup-key',
        label,
        value: `refused ${label}`,
      });
  }, labels);
}

/** Gives the connection in use another REST address, as another window would. */
async function saveRest(page: Page, restBaseUrl: string): Promise<void> {
  const { connections, selectedId } = await call(page, 'connections.list', {});
  const used = connections.find(({ connection }) => connection.id === selectedId)?.connection;
  if (!used) throw new Error('no connection');
  const { id, ...draft } = used;
  await call(page, 'connections.save', { id, draft: { ...draft, restBaseUrl } });
  await reportConnections(page);
}

test('connections: keys are distinguishable at 1024, a refused one is replaced under its row, and typed text survives Esc', async ({
  launch,
  startService,
}) => {
  const service = await startService();
  // With scrollbars, as on a real screen: a browser that is started without them never draws any.
  const env = { ADDRESS_CONSOLE_HOST_SCROLLBARS: '1' };
  const { page, dataFolder } = await launch({ ownBrowser: true, env, width: 1024, height: 700 });
  const barred = await page.evaluate(() => {
    const box = document.createElement('div');
    box.style.overflowY = 'scroll';
    document.body.append(box);
    const width = box.offsetWidth - box.clientWidth;
    box.remove();
    return width;
  });
  expect(barred).toBeGreaterThan(0);
  await connectBoth(page, service, { name: longName });
  await addKeys(page, ['Nightly batch, Hereford and Truro', 'Web forms']);
  await goTo(page, 'connections');
  const screen = screenOf(page, 'connections');
  const table = screen.getByRole('table').first();
  const inPane = await table.evaluate((element) => {
    const pane = element.closest('.pane-r') as HTMLElement;
    const label = element.querySelector('tbody td') as HTMLElement;
    return { label: label.clientWidth, over: element.scrollWidth - pane.clientWidth };
  });
  expect(inPane.label).toBeGreaterThanOrEqual(120);
  expect(inPane.over).toBeLessThanOrEqual(0);
  for (const name of ['Edit', `More for ${longName}`, 'Actions for Web forms'])
    await expect(screen.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 });

  // Another lookup key than the one that the test uses is tried by itself; for the credentials of SOAP there is no free call.
  const replaceKey = async (label: string): Promise<void> => {
    await screen.getByRole('button', { name: `Actions for ${label}` }).press('Enter');
    await chooseItem(page, 'Replace the key…');
    await expect.poll(() => focusName(page)).toBe(`New key for ${label.split(',')[0]}`);
  };
  await replaceKey('Web forms');
  await page.keyboard.type('refused Web shop');
  await press(page, 'Replace and try · free');
  await expect(screen.getByText(/does not accept the key/)).toBeVisible();
  await page.keyboard.type('refused Web forms');
  await press(page, 'Cancel');
  // A trial that ends late leaves the form of another key as it is, and says above the screen that it failed.
  const otherKey = screen.getByRole('textbox', { name: 'New key for test' });
  const trial = page.getByText(/^Web forms has a new key; GetCredits answered it/);
  const failed = page.locator('main .notice').filter({ hasText: 'Trying the lookup key Web forms under ' });
  for (const [value, ended] of [
    [service.demo.lookupKey2, trial],
    ['refused Web shop', failed],
  ] as const) {
    service.faults.set({ kind: 'delay', milliseconds: 60_000, on: 'GetCredits', times: 'always' });
    await replaceKey('Web forms');
    await page.keyboard.type(value);
    await press(page, 'Replace and try · free');
    await expect(screen.getByText(/Trying it with GetCredits/)).toBeVisible();
    await replaceKey('test, SOAP account');
    await page.keyboard.type(service.demo.guid);
    service.faults.clear();
    await expect(ended).toBeAttached();
    await expect(otherKey).toHaveValue(service.demo.guid);
  }
  await failed.getByRole('button').press('Enter');
  await expect(failed).toHaveCount(0);
  await otherKey.focus();
  await press(page, 'Replace the key');
  await expect(screen.getByRole('textbox', { name: /^New key/ })).toHaveCount(0);
  await expect(screen.getByText(/It only makes free calls/)).toBeVisible();
  // So does one that begins once its form is gone.
  await replaceKey('Web forms');
  await page.keyboard.type('refused Web shop');
  await saveAndLeave(screen.locator('.replace-row').locator('..'), screen.getByRole('button', { name: 'Cancel' }));
  await expect(failed).toBeVisible();
  await failed.getByRole('button').press('Enter');
  // Of one that is under way while the window is reloaded, no window sees how it ends.
  service.faults.set({ kind: 'delay', milliseconds: 60_000, on: 'GetCredits', times: 'always' });
  await replaceKey('Web forms');
  await page.keyboard.type('refused Web shop');
  await press(page, 'Replace and try · free');
  await expect(screen.getByText(/Trying it with GetCredits/)).toBeVisible();
  await page.reload();
  await page.waitForSelector('main');
  service.faults.clear();
  await expect(failed).toContainText('How it ended, if it has, was not seen.');
  await failed.getByRole('button').press('Enter');
  await expect(failed).toHaveCount(0);
  await goTo(page, 'connections');

  await screen.getByRole('button', { name: 'Actions for Web forms' }).press('Enter');
  await chooseItem(page, 'Use this one first');
  await expect(screen.getByRole('row', { name: /Web forms/ }).getByText('used first')).toBeVisible();
  // The first test waits for the description while the key is replaced; what it found is not said of the second one.
  service.faults.set({ kind: 'delay', milliseconds: 60_000, on: service.soapUrl.split('/').at(-1) ?? '' });
  await screen.getByRole('button', { name: 'Test · free' }).press('Enter');
  await screen.getByRole('button', { name: 'Replace the key' }).press('Enter');
  await expect.poll(() => focusName(page)).toBe('New key for Web forms');
  await expectClean(page);
  await page.keyboard.type(service.demo.lookupKey);
  await page.keyboard.press('Enter');
  await expect(screen.getByText(/by the free call GetCredits/)).toBeVisible();
  await expect(screen.getByRole('button', { name: 'Test · free' })).toBeVisible();
  service.faults.clear();
  // A description that is asked for later comes later.
  const { selectedId: id } = await call(page, 'connections.list', {});
  await call(page, 'connections.read-description', { connectionId: id ?? '' });
  await expect(screen.getByText(/by the free call GetCredits/)).toBeVisible();
  await expect(screen.getByRole('button', { name: 'Replace the key' })).toHaveCount(0);
  await expect(screen.getByText('Web forms', { exact: true })).toHaveCount(1);

  // An address that is refused is where one types; what was found at the former address is not shown beside another.
  await screen.getByRole('button', { name: 'Edit', exact: true }).press('Enter');
  const rest = page.getByRole('textbox', { name: 'REST base address' });
  await focusTaken(page.getByRole('dialog'));
  await rest.fill('foo');
  await press(page, 'Save');
  await expect(rest).toBeFocused();
  await rest.fill(`${service.restBaseUrl}/v2`);
  await press(page, 'Save');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(screen.getByText(/by the free call GetCredits/)).toHaveCount(0);
  await screen.getByRole('button', { name: 'Test · free' }).press('Enter');
  await expect(
    screen.getByText('The server has no such page: the REST address may not be the service’s.').first(),
  ).toBeVisible();
  await screen.getByRole('button', { name: 'Edit', exact: true }).press('Enter');
  await focusTaken(page.getByRole('dialog'));
  await rest.fill(service.restBaseUrl);
  await press(page, 'Save');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  // A call of another window or of a batch is seen here too.
  const licence = table.getByRole('row', { name: /SOAP licence/ });
  await expect(licence).toContainText('never');
  const { selectedId } = await call(page, 'connections.list', {});
  const { postcode: text } = service.demo.sample;
  await call(page, 'lookup.search', { connectionId: selectedId ?? '', text, interface: 'soap' });
  await expect(licence).not.toContainText('never');

  await screen.getByRole('button', { name: 'Edit', exact: true }).press('Enter');
  await focusTaken(page.getByRole('dialog'));
  await page.getByRole('textbox', { name: 'Account name' }).fill('WYEBANKUT01');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // What was not typed is shown as it has become since.
  const newer = `${service.restBaseUrl}/v3`;
  await saveRest(page, newer);
  await screen.getByRole('button', { name: 'Edit', exact: true }).press('Enter');
  await expect(page.getByRole('textbox', { name: 'Account name' })).toHaveValue('WYEBANKUT01');
  const notSaved = page.getByText('These changes were not saved when the form was closed.');
  await expect(notSaved).toBeVisible();
  await expect(rest).toHaveValue(newer);
  await focusTaken(page.getByRole('dialog'));
  await press(page, 'Discard changes');
  await screen.getByRole('button', { name: 'Edit', exact: true }).press('Enter');
  await expect(page.getByRole('textbox', { name: 'Account name' })).toHaveValue(service.demo.accountName);
  // What was taken back is no change.
  await focusTaken(page.getByRole('dialog'));
  await rest.fill(service.restBaseUrl);
  await rest.fill(newer);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await saveRest(page, service.restBaseUrl);
  await screen.getByRole('button', { name: 'Edit', exact: true }).press('Enter');
  await expect(rest).toHaveValue(service.restBaseUrl);
  await expect(notSaved).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  // That a key was not saved is said above the screen if its form was closed before.
  const adding = page.getByRole('dialog', { name: 'Add a key' });
  const typeKey = async () => {
    await press(page, 'Add a key');
    await focusTaken(adding);
    await adding.getByRole('textbox', { name: 'Label' }).fill('Night shift');
    await adding.getByLabel('Value', { exact: true }).fill('a key that is not saved');
  };
  await typeKey();
  const unsaved = page.locator('main .notice').filter({ hasText: 'Adding the lookup key Night shift under ' });
  const busy = 'Another program is writing to the database.';
  await whileNothingIsSaved(dataFolder, async () => {
    // In the same task as it is saved, another label is typed.
    await adding.locator('form').evaluate(async (form: HTMLFormElement) => {
      form.requestSubmit();
      const label = [...form.querySelectorAll('input')].find(({ value }) => value === 'Night shift');
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(label, 'Day shift');
      label?.dispatchEvent(new Event('input', { bubbles: true }));
      await new Promise((drawn) => setTimeout(drawn));
      [...form.querySelectorAll('button')].find(({ textContent }) => textContent === 'Cancel')?.click();
    });
    await expect(unsaved).toContainText(busy);
    // It fails again in its form, which alone says so.
    await typeKey();
    await page.keyboard.press('Enter');
    await expect(adding).toContainText(busy);
  });
  await expect(unsaved).toHaveCount(0);
  await adding.getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(screen.getByRole('row', { name: /Night shift/ })).toHaveCount(0);

  // Over SOAP alone no free call takes a lookup key: its new value is saved and not tried.
  await saveRest(page, '');
  await expect(screen.getByText(service.restBaseUrl, { exact: true })).toHaveCount(0);
  await replaceKey('Web forms');
  await page.keyboard.type(service.demo.lookupKey2);
  await press(page, 'Replace the key');
  await expect(screen.getByRole('textbox', { name: /^New key/ })).toHaveCount(0);
  await expect(screen.getByRole('row', { name: /Web forms/ })).toContainText(service.demo.lookupKey2.slice(-4));
});

/** Pastes a table of a licence with seats left and these machines, as far as its columns. */
async function pasteBulk(page: Page, machines: readonly string[]): Promise<Locator> {
  await goTo(page, 'licences');
  const screen = screenOf(page, 'licences');
  await screen.getByRole('tab', { name: 'Bulk change' }).press('Enter');
  const number = await page.evaluate(async () => {
    const { call } = window.api;
    const list = await call['connections.list']('bulk-1', {});
    const connectionId = list.ok ? (list.value.selectedId ?? '') : '';
    const read = await call['licences.read']('bulk-2', { connectionId });
    return read.ok ? (read.value.licences.find(({ seatsFree }) => (seatsFree ?? 0) > 2)?.licenceNumber ?? '') : '';
  });
  await press(page, 'Paste a table');
  const lines = machines.map((machine) => `${number},${machine}\n`);
  await page.getByRole('textbox', { name: /Rows from a spreadsheet/ }).fill(`licence,machine\n${lines.join('')}`);
  await press(page, 'Look through it');
  return screen;
}

test('bulk: the row that the keys are on stays in sight when its text under the table is longer', async ({
  sharedPage: page,
  startService,
}) => {
  await connectBoth(page, await startService());
  const long = 'a-long-name-of-a-machine '.repeat(6);
  const screen = await pasteBulk(
    page,
    Array.from({ length: 30 }, (_, row) => `${row % 3 === 0 ? long : ''}BULK-${row}`),
  );
  await press(page, /and plan/);
  const grid = screen.getByRole('grid', { name: 'Rows of the bulk change' });
  await expect(grid).toBeFocused();
  for (let row = 0; row < 29; row++) {
    await page.keyboard.press('ArrowDown');
    await expect(grid.locator(`tr[data-row="${row + 1}"]`)).toBeInViewport({ ratio: 0.95 });
  }
});

test('bulk: the focus goes to the plan, and a failed row can be planned again alone', async ({
  sharedPage: page,
  startService,
}) => {
  const service: Service = await startService();
  await connectBoth(page, service);
  const screen = await pasteBulk(page, ['BULK-1', 'BULK-\u200b2']);
  service.faults.set({ kind: 'status', status: 503, on: 'GetLicenseDetails', times: 1 });
  await press(page, /and plan/);
  const grid = screen.getByRole('grid', { name: 'Rows of the bulk change' });
  await expect(grid).toBeFocused();
  await expect(screen.getByText('1 failed, not sent')).toBeVisible();
  // Under the table stands what the columns cut of the row that the keys are on.
  for (const [row, machine] of ['BULK-1', 'BULK-⟨U\\+200B⟩2'].entries()) {
    const whole = screen.getByText(new RegExp(`^Row ${row + 1}, register DR\\d+ to ${machine}: .+`));
    await expect(whole).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('ArrowDown');
  }
  await expectClean(page);
  // A name with a hidden character is not run unless it is chosen.
  await expect(screen.getByRole('checkbox', { name: 'Run row 2' })).not.toBeChecked();
  await page.keyboard.press('Space');
  await screen.getByRole('textbox', { name: 'Type 1 to confirm' }).fill('1');
  service.faults.set({ kind: 'delay', milliseconds: 1500, on: 'RegisterLicense', times: 1 });
  await page.keyboard.press('Enter');
  // While the last row runs no other is chosen, and the calls under way are not free.
  await expect(screen.getByRole('button', { name: 'Running' })).toHaveText('Running');
  await expect(screen.getByText('1 seen as planned', { exact: true })).toBeVisible();
  await press(page, /Plan the 1 not done again/);
  await expect(screen.getByRole('textbox', { name: 'Type 1 to confirm' })).toBeVisible();
  await expect(grid).toBeFocused();
  await screen.getByRole('textbox', { name: 'Type 1 to confirm' }).fill('1');
  await page.keyboard.press('Enter');
  await expect(screen.getByText('1 seen as planned', { exact: true })).toBeVisible();
  await expect(screen.getByRole('button', { name: /not done again/ })).toHaveCount(0);
});

/** Sentences and words that a British support person would not say. They must not come back. */
const banned = [
  'asks nobody',
  'for nothing',
  'Put it away',
  'Say so',
  'passes the filter',
  'sorting is among',
  'is no spend',
  'are no spend',
  'Held lately',
  'takes one in',
  'takes your words',
  'the undoing',
  'it begins here again',
  'speaks against',
  'again and again',
  'slow down',
  'an address itself',
  'what is in it',
  'nothing back',
  'floor',
  'you hold',
];

test('the demo by keys: two keys to begin, then an alert, an export and a proved registration by the palette, in everyday words', async ({
  launch,
  folder,
}) => {
  const { page } = await launch({ env: { ADDRESS_CONSOLE_HOST_SAVE_FOLDER: folder }, preload });
  const found: string[] = [];
  /** Collects banned words in what the window shows now. */
  const listen = async (where: string) => {
    const text = (await page.locator('body').innerText()).toLowerCase();
    for (const words of banned) if (text.includes(words.toLowerCase())) found.push(`${where}: ${words}`);
  };
  const begin = keys(page);
  await expect.poll(() => focusName(page)).toBe('Start the demo service');
  await listen('first run');
  await begin.press('Enter');
  await expect.poll(() => focusName(page)).toBe('Open Lookup');
  await begin.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Postcode, street, business or building' })).toBeFocused();
  expect(begin.count()).toBe(2);
  await listen('lookup');

  const alert = keys(page);
  await alert.press('ControlOrMeta+k');
  await expect(page.getByRole('combobox', { name: 'Find a command, screen or address' })).toBeFocused();
  await alert.type('al 500');
  await expect(page.getByRole('option', { name: /Alert me below 500 credits/ })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await alert.press('Enter');
  const credits = screenOf(page, 'credits');
  await expect(credits.getByText('Below 500')).toBeVisible();
  expect(alert.count()).toBeLessThanOrEqual(10);
  for (const tab of ['Caps and alerts', 'Reconciliation', 'Ledger', 'Overview']) {
    await credits.getByRole('tab', { name: tab }).press('Enter');
    await listen(tab);
  }
  // Five rows of the ledger are visible without scrolling, at the size that most windows have.
  await expect(credits.getByRole('grid', { name: 'Ledger' }).getByRole('row').nth(5)).toBeInViewport({ ratio: 1 });

  const saved = keys(page);
  await saved.press('ControlOrMeta+k');
  await expect(page.getByRole('combobox', { name: 'Find a command, screen or address' })).toBeFocused();
  await saved.type('ex de');
  await expect(page.getByRole('option', { name: /Export this month of Demo account/ })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await saved.press('Enter');
  await expect.poll(() => focusName(page)).toBe('Choose a file');
  await saved.press('Enter');
  await expect(page.getByText(/rows? written to credits-ledger-/).last()).toBeVisible();
  expect(saved.count()).toBeLessThanOrEqual(8);
  await page.keyboard.press('Escape');

  await goTo(page, 'licences');
  await listen('licences, empty');
  // The button of the empty screen disappears with it, and the focus moves to the list.
  await screenOf(page, 'licences')
    .getByRole('button', { name: /^Read licences/ })
    .last()
    .press('Enter');
  const grid = screenOf(page, 'licences').getByRole('grid', { name: 'Licences' });
  await expect(grid).toBeFocused();
  await listen('licences');
  const free = await page.evaluate(async () => {
    const { call } = window.api;
    const list = await call['connections.list']('keys-1', {});
    const connectionId = list.ok ? (list.value.selectedId ?? '') : '';
    const seen = await call['licences.last-seen']('keys-2', { connectionId });
    const licences = seen.ok ? seen.value.list.licences : [];
    return (
      licences.find(({ seatsFree, typeName }) => seatsFree === 1 && typeName === 'Single Machine')?.referenceNo ?? ''
    );
  });
  const machine = await page.evaluate(async () => {
    const info = await window.api.call['app.info']('keys-3', {});
    return info.ok ? info.value.machineName : '';
  });
  const register = keys(page);
  await register.press('ControlOrMeta+k');
  await expect(page.getByRole('combobox', { name: 'Find a command, screen or address' })).toBeFocused();
  await register.type(`reg ${free.slice(-3)}`);
  await expect(page.getByRole('option', { name: new RegExp(`^Register ${free} to this machine`) })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await register.press('Enter');
  await expect.poll(() => focusName(page)).toBe('Machine that is to hold it');
  await register.press('Enter');
  await expect(page.getByRole('textbox', { name: /machine’s name/ })).toBeFocused();
  await expect(page.getByRole('region', { name: 'The licence' })).toContainText('by LicenseInUse and Available');
  await listen('plan');
  // The name of this computer is typed in full, but not counted, because its length differs between computers.
  await page.keyboard.type(machine);
  await register.press('Enter');
  await expect(page.getByText('seen as planned').first()).toBeVisible();
  expect(register.count()).toBeLessThanOrEqual(13);
  await listen('receipt');
  // The licence in the way back is opened beside the list.
  await press(page, `To ${free}`);
  await expect(screenOf(page, 'licences').getByRole('heading', { name: free })).toBeVisible();
  // A form that is opened after the change is there again after another screen.
  await screenOf(page, 'licences').getByRole('button', { name: 'Unregister…' }).press('Enter');
  const form = screenOf(page, 'licences').getByRole('form', { name: `Unregister ${free}` });
  await expect(form).toBeVisible();
  await goTo(page, 'credits');
  await expect(credits).toBeVisible();
  await goTo(page, 'licences');
  await expect(form).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(form).toHaveCount(0);

  for (const tab of ['Machines', 'Bulk change', 'Journal']) {
    await screenOf(page, 'licences').getByRole('tab', { name: tab }).press('Enter');
    await listen(tab);
  }
  for (const [key, name] of [
    ['4', 'activity'],
    ['5', 'connections'],
    ['6', 'settings'],
  ] as const) {
    await page.keyboard.press(`ControlOrMeta+${key}`);
    await expect(screenOf(page, name)).toBeVisible();
    await listen(name);
  }
  await expectClean(page);
  expect(found).toEqual([]);
});
