import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright/test';
import type { Fault } from '../../electron/demo-service/faults.ts';
import { wholeJournal } from '../../shared/domain/licences/journal-filter.ts';
import { openRow } from '../helpers/rows.ts';
import { expect, expectClean, goTo, press, screenOf, searchFor, test } from './fixtures.ts';
import { call, connectBoth, hitsOf, selectedConnection } from './own-service.ts';

// What the window shows when its process ends, the keychain is lost, another program locks the database, and, on each screen, when the
// network fails. test/integration/faults/program.test.ts tests every fault with every call, without a window.

const showcase = 'HR10 2DT';
const box = (page: Page) => page.getByRole('textbox', { name: 'Postcode, street, business or building' });

test('the window’s process ends: the window returns to its screen with what was typed, and sends nothing again', async ({
  sharedPage: page,
  sharedProgram,
  startService,
}) => {
  const service = await startService();
  await connectBoth(page, service);
  await searchFor(page, showcase);
  await expect(page.getByText('34 premises')).toBeVisible();
  await page.getByRole('listbox').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => hitsOf(service, 'GetPremise')).toBe(1);
  const title = screenOf(page, 'lookup').getByRole('heading', { level: 2 }).first();
  await expect(title).toBeVisible();
  const opened = await title.textContent();
  await box(page).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('HR10 2D and not sent');
  await goTo(page, 'connections');
  await press(page, 'Add connection');
  await page.getByRole('textbox', { name: 'Name', exact: true }).focus();
  await page.keyboard.type('A second service');
  await page.getByRole('textbox', { name: 'REST base address' }).focus();
  await page.keyboard.type('https://second.example/v1');
  // Waits until the main process has the last typed key, which it returns here.
  await expect
    .poll(async () => JSON.stringify(await call(page, 'app.read-session', {})))
    .toContain('https://second.example/v1');

  const next = await sharedProgram.crashWindow();
  await expect(next.getByText(/The window ended unexpectedly and was started again/)).toBeVisible();
  await expect(next.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('A second service');
  await expect(next.getByRole('textbox', { name: 'REST base address' })).toHaveValue('https://second.example/v1');
  await expectClean(next);
  await press(next, 'Discard changes');
  await goTo(next, 'lookup');
  await expect(box(next)).toHaveValue('HR10 2D and not sent');
  await expect(next.getByText('34 premises')).toBeVisible();
  await expect(screenOf(next, 'lookup').getByRole('heading', { level: 2 }).first()).toHaveText(opened ?? '');
  await next.emulateMedia({ colorScheme: 'dark' });
  await expectClean(next);
  expect([hitsOf(service, 'Search'), hitsOf(service, 'GetPremise')]).toEqual([1, 1]);
  // A dismissed form does not come back.
  await goTo(next, 'connections');
  await expect(next.getByRole('textbox', { name: 'REST base address' })).toHaveCount(0);
});

/** Waits until main has what Lookup shows of a connection: earlier tests in this window left searches of theirs. */
const untilKept = (page: Page, connectionId: string, part: string): Promise<void> =>
  expect
    .poll(async () => {
      const { pieces } = await call(page, 'app.read-session', {});
      return pieces.some(({ name, text }) => name === `lookup/state/${connectionId}` && text.includes(part));
    })
    .toBe(true);

test('a premise that was asked for when the window’s process ended: nothing is said of what was sent, and its answer opens', async ({
  sharedPage: page,
  sharedProgram,
  startService,
}) => {
  const service = await startService();
  await connectBoth(page, service);
  const connectionId = await selectedConnection(page);
  await searchFor(page, showcase);
  await expect(page.getByText('34 premises')).toBeVisible();
  // The call does not end before the test lets it.
  await call(page, 'settings.save', { timeoutSeconds: 300 });
  service.faults.set({ kind: 'delay', milliseconds: 290_000, on: 'GetPremise', times: 1 });
  await page.getByRole('listbox').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => hitsOf(service, 'GetPremise')).toBe(1);
  await untilKept(page, connectionId, '"premise":{');

  const next = await sharedProgram.crashWindow();
  const lookup = screenOf(next, 'lookup');
  await expect(lookup.getByRole('heading', { name: 'No answer is saved' })).toBeVisible();
  await expect(lookup.getByText(/If one was asked for, Activity shows what came of it\./)).toBeVisible();
  await expect(lookup.getByText('Nothing was sent.')).toHaveCount(0);
  await expectClean(next);
  service.faults.clear();
  await expect(lookup.getByRole('heading', { name: 'Saved meanwhile' })).toBeVisible();
  await expect(lookup.getByText('Nothing was sent.')).toHaveCount(0);
  await press(next, 'Open · saved, free');
  await expect(next.getByRole('region', { name: /^Details of/ })).toBeVisible();
  expect(hitsOf(service, 'GetPremise')).toBe(1);
});

test('a call and a licence change under way when the window’s process ends continue once and are found', async ({
  sharedPage: page,
  sharedProgram,
  startService,
}) => {
  const service = await startService();
  await connectBoth(page, service);
  const connectionId = await selectedConnection(page);
  const { licences } = await call(page, 'licences.read', {
    connectionId,
  });
  const { licenceNumber = '', referenceNo = '' } = licences.find(({ typeName }) => typeName === 'Site') ?? {};
  // Neither call ends before the test lets it.
  await call(page, 'settings.save', { timeoutSeconds: 300 });
  const request = { connectionId, kind: 'register', licenceNumber, machine: 'NEW-DESK' } as const;
  const plan = await call(page, 'licences.plan', request);
  service.faults.set({ kind: 'delay', milliseconds: 290_000, on: 'RegisterLicense', times: 1 });
  await page.evaluate(
    ([changeId]) =>
      void window.api.call['licences.run']('under-way', { changeId, confirmedName: 'NEW-DESK' }).catch(() => {}),
    [plan.id] as const,
  );
  await expect.poll(() => hitsOf(service, 'RegisterLicense')).toBe(1);
  service.faults.set({ kind: 'delay', milliseconds: 290_000, on: 'Search', times: 1 });
  await searchFor(page, showcase);
  await expect.poll(() => hitsOf(service, 'Search')).toBe(1);
  // The window reports a running call to the main process a moment after it was sent.
  await untilKept(page, connectionId, '"question":{');

  const next = await sharedProgram.crashWindow();
  // Both are shown as running, and the answer appears in its place.
  const status = next.getByRole('contentinfo');
  await expect(status).toContainText('1 unfinished change');
  await expect(next.getByText('not finished')).toHaveCount(0);
  await expect(status).toContainText('and 2 more');
  await goTo(next, 'licences');
  await next.getByRole('tab', { name: 'Machines' }).press('Enter');
  const machine = next.getByRole('grid', { name: 'Machines' }).getByRole('row', { name: /NEW-DESK/ });
  await expect(machine).toContainText('none named');
  service.faults.clear();
  // The list shows what the change's own read saw of the machine, though this window did not ask for it.
  await expect(machine).toContainText(referenceNo);
  await goTo(next, 'lookup');
  await expect(next.getByText('34 premises')).toBeVisible();
  await expect
    .poll(
      async () =>
        (
          await call(next, 'journal.list', {
            filter: wholeJournal,
            before: null,
            limit: 5,
          })
        ).entries[0]?.verdict,
    )
    .toBe('seen');
  expect([hitsOf(service, 'Search'), hitsOf(service, 'RegisterLicense')]).toEqual([1, 1]);
  await goTo(next, 'activity');
  await expect(screenOf(next, 'activity').getByText('RegisterLicense').first()).toBeVisible();
  await expectClean(next);
});

test('the keychain fails and returns, another program locks the database: the window says so, nothing is sent', async ({
  sharedPage: page,
  sharedProgram: { dataFolder },
  startService,
  keychain,
}) => {
  test.skip(process.platform !== 'linux', 'the keychain is the system’s own');
  const service = await startService();
  await connectBoth(page, service);
  await keychain.kill();
  try {
    await searchFor(page, showcase);
    await expect(page.getByRole('heading', { name: /keychain did not hand/i })).toBeVisible();
    await expect(page.getByText(/No request left this computer/).first()).toBeVisible();
    await expect(box(page)).toHaveValue(showcase);
    await expectClean(page);
  } finally {
    await keychain.start();
  }
  const other = new DatabaseSync(join(dataFolder, 'address-console.sqlite'), { timeout: 5000 });
  try {
    other.exec('BEGIN EXCLUSIVE');
    await searchFor(page, showcase);
    await expect(page.getByRole('heading', { name: /Another program is writing/ })).toBeVisible();
    await expect(page.getByText(/No request left this computer/).first()).toBeVisible();
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectClean(page);
    other.exec('ROLLBACK');
    // What cannot be read is not said to be empty.
    other.exec('ALTER TABLE held_answers RENAME TO moved_answers');
    const lookup = screenOf(page, 'lookup');
    await lookup.getByRole('tab', { name: 'Side by side' }).press('Enter');
    await expect(lookup.getByRole('button', { name: 'Try again' })).toBeVisible();
    await expect(lookup.getByText('Nothing to set side by side yet')).toHaveCount(0);
    await expectClean(page);
    // Main sees that another program has written, so it is read again without the button.
    other.exec('ALTER TABLE moved_answers RENAME TO held_answers');
    await expect(lookup.getByText('Nothing to set side by side yet')).toBeVisible();
    await lookup.getByRole('tab', { name: 'Search', exact: true }).press('Enter');

    other.exec('ALTER TABLE ledger RENAME TO moved_ledger');
    const credits = screenOf(page, 'credits');
    await goTo(page, 'credits');
    await credits.getByRole('tab', { name: 'Ledger' }).press('Enter');
    await expect(credits.getByRole('heading', { name: /^Ledger not read: / })).toBeVisible();
    await expect(credits.getByText('Not counted')).toBeVisible();
    // It was no call, so Activity has nothing of it.
    await expect(credits.getByText('This is read on this computer and sends nothing.')).toBeVisible();
    await expectClean(page);
    other.exec('ALTER TABLE moved_ledger RENAME TO ledger');
    await expect(credits.getByText('Nothing spent in these days')).toBeVisible();
    await expect(credits.getByText('Not counted')).toHaveCount(0);

    // What was read before stays, with what is typed in it.
    const licences = screenOf(page, 'licences');
    await goTo(page, 'licences');
    await press(page, /^Read licences/);
    await openRow(page, licences.getByRole('grid', { name: 'Licences' }), /Single Machine.*1 free/);
    await press(page, /Register to another machine/);
    const machine = licences.getByRole('textbox', { name: 'Machine that is to hold it' });
    await machine.fill('TYPED-DESK');
    other.exec('ALTER TABLE licence_reading RENAME TO moved_reading');
    const stale = licences.getByText(/^Licences could not be read again and may be out of date\./);
    await expect(stale).toBeVisible();
    await expect(machine).toHaveValue('TYPED-DESK');
    await expectClean(page);
    other.exec('ALTER TABLE moved_reading RENAME TO licence_reading');
    await expect(stale).toHaveCount(0);
    await expect(machine).toHaveValue('TYPED-DESK');
  } finally {
    other.close();
  }
  expect(hitsOf(service, 'Search')).toBe(0);
  await searchFor(page, showcase);
  await expect(page.getByText('34 premises')).toBeVisible();
  expect(hitsOf(service, 'Search')).toBe(1);
});

test('the disk is full: the window says so, sends nothing, and works again when there is space', async ({
  sharedPage: page,
  sharedProgram: { dataFolder },
  startService,
}) => {
  const service = await startService();
  await connectBoth(page, service);
  const sign = join(dataFolder, 'disk-is-full');
  writeFileSync(sign, '');
  await searchFor(page, showcase);
  await expect(page.getByRole('heading', { name: /disk is full/ })).toBeVisible();
  await expect(page.getByText(/No request left this computer/).first()).toBeVisible();
  await expectClean(page);
  expect(hitsOf(service, 'Search')).toBe(0);
  rmSync(sign);
  await searchFor(page, showcase);
  await expect(page.getByText('34 premises')).toBeVisible();
});

interface Walk {
  screen: string;
  /** The operation that fails. */
  on: string;
  /** Goes to the screen of the operation. */
  arrive(page: Page): Promise<void>;
  /** Makes the call again. */
  ask(page: Page): Promise<void>;
}

/** A sign-in page, a truncated answer, a text that is not an answer, a refusal by the service, and no answer. */
const bad: [fault: Fault, said: RegExp][] = [
  [{ kind: 'html' }, /A web page came back/],
  [{ kind: 'cut' }, /no complete answer came/i],
  [{ kind: 'garbage' }, /could not be read/],
  [{ kind: 'status', status: 429 }, /Too many requests/],
];

const tab = async (page: Page, screen: string, name: string) => {
  await screenOf(page, screen).getByRole('tab', { name, exact: true }).click();
};

const walks: Walk[] = [
  {
    screen: 'credits',
    on: 'GetCredits',
    arrive: async (page) => goTo(page, 'credits'),
    ask: (page) => press(page, /^Read (the )?balances?/),
  },
  {
    screen: 'connections',
    on: 'GetCredits',
    arrive: async (page) => {
      await goTo(page, 'connections');
      // Another one may still be chosen there.
      await page
        .getByRole('navigation', { name: 'Connections' })
        .getByRole('button', { name: /, in use$/ })
        .press('Enter');
    },
    ask: (page) => press(page, /^Test/),
  },
  {
    screen: 'licences',
    on: 'GetLicenseList',
    arrive: async (page) => goTo(page, 'licences'),
    ask: (page) => press(page, /^(Read licences|Read again)/),
  },
  {
    screen: 'lookup',
    on: 'Search',
    arrive: async (page) => goTo(page, 'lookup'),
    ask: (page) => searchFor(page, showcase),
  },
  {
    screen: 'operations',
    on: 'GetPremise',
    arrive: async (page) => {
      await tab(page, 'lookup', 'Operations');
      await page.getByRole('textbox', { name: 'Find an operation' }).fill('GetPremise');
      await page.keyboard.press('Enter');
    },
    ask: async (page) => {
      await page.getByRole('textbox', { name: 'Premise identifier', exact: true }).focus();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('00284147');
      await page.keyboard.press('Enter');
    },
  },
];

for (const { screen, on, arrive, ask } of walks)
  test(`faults on the screen: ${screen}`, async ({ sharedPage: page, startService }) => {
    const service = await startService();
    await connectBoth(page, service);
    await arrive(page);
    for (const [index, [fault, said]] of bad.entries()) {
      service.faults.set({ ...fault, on, times: 1 });
      const before = hitsOf(service, on);
      await ask(page);
      const shown = page.locator('main').getByText(said).filter({ visible: true }).first();
      await expect(shown).toBeVisible();
      expect(hitsOf(service, on) - before).toBe(1);
      if (index > 1) continue;
      await page.emulateMedia({ colorScheme: index === 0 ? 'dark' : 'light' });
      await expectClean(page);
    }
    // The next call is answered, and no message about the faults is left on the screen.
    await ask(page);
    await expect(
      page
        .locator('main')
        .getByText(bad.at(-1)?.[1] ?? /./)
        .filter({ visible: true }),
    ).toHaveCount(0);
  });

test('a failure is read aloud once: by its place, or by the window while another screen is shown', async ({
  sharedPage: page,
  startService,
}) => {
  const service = await startService();
  await connectBoth(page, service);
  const spoken = page.locator('.spoken[role="alert"]');
  const before = (await spoken.textContent()) ?? '';
  const credits = screenOf(page, 'credits');
  await goTo(page, 'credits');
  service.faults.set({ kind: 'html', on: 'GetCredits', times: 1 });
  await press(page, /^Read (the )?balances?/);
  await expect(credits.getByRole('alert').filter({ hasText: 'Key balance not read: A web page came' })).toBeVisible();
  await expect(spoken).toHaveText(before);
  service.faults.set({ kind: 'hang', on: 'GetCredits' });
  const hits = hitsOf(service, 'GetCredits');
  await press(page, /^Read (the )?balances?/);
  await expect.poll(() => hitsOf(service, 'GetCredits')).toBe(hits + 1);
  await goTo(page, 'connections');
  await expect(screenOf(page, 'connections')).toBeVisible();
  await service.stop();
  await expect(spoken).toContainText('Key balance not read: The request was sent and no complete answer came.');
});

test('a screen whose script is missing says so in its place, and opens once the script is back', async ({ launch }) => {
  // A window of its own: one that has shown the help gets its script from the page's memory, not by a request.
  const { page } = await launch();
  await page.route('**/assets/help-screen-*.js', (route) => route.abort());
  await page.reload();
  await expect(page.getByRole('button', { name: 'Find a command' })).toBeVisible();
  await page.keyboard.press('F1');
  const gone = page.getByRole('alert').filter({ hasText: 'A part of the program could not be read from the disk.' });
  await expect(gone).toBeVisible();
  await page.unroute('**/assets/help-screen-*.js');
  // A plain button is shown until the part's script is loaded; a key pressed while it is replaced is lost.
  await expect(page.getByRole('button', { name: 'Show it again' })).not.toHaveClass('link');
  await press(page, 'Show it again');
  await expect(screenOf(page, 'help').getByRole('heading', { level: 1 })).toBeVisible();
  await expect(gone).toHaveCount(0);
});
