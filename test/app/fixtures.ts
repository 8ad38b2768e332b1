import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test as base, type ElementHandle, expect, type Locator, type Page } from 'playwright/test';
// Declares window.api for the functions that run in the page.
import type {} from '../../renderer/lib/calls/bridge.ts';
import type { Settings } from '../../shared/contract/app.ts';
import { type Place, placeIds } from '../../shared/places.ts';
import { type RunningConsole, type SharedBrowser, startSharedBrowser } from '../helpers/console.ts';
import { removeFolder } from '../helpers/folders.ts';
import { startTestKeychain, type TestKeychain } from '../helpers/secret-service.ts';
import { findViolations } from './axe-look.ts';
import {
  complaintsOf,
  createLauncher,
  createServices,
  forgetComplaints,
  type Launch,
  type Service,
  type StartService,
} from './launching.ts';

export type { Service } from './launching.ts';

/** What answers the system's dialogs in a person's place. */
interface Dialogs {
  /** Every file is saved in this folder. */
  saved: string;
  /** The file that is opened from now on, in place of the one before. */
  offer(name: string, content: string | Uint8Array): void;
}

interface Fixtures {
  /** A folder for this test, removed after every console that it started has ended. */
  folder: string;
  /** Starts the console. Each one is closed at the end of the test. */
  launch: Launch;
  /**
   * A window that the tests of a worker use one after the other, in a program with default options. Each test begins with its own
   * service and connection (`connectBoth`) and must end without an open dialog, because the next could not begin with one; settings,
   * size, scheme, the pointer’s place, the tab of each screen and the texts that lists are searched for are restored.
   */
  sharedPage: Page;
  /** The files of the shared program's dialogs, which are cancelled in a test without this fixture. No file is there at its beginning. */
  dialogs: Dialogs;
  /** Starts a service with the arguments of `npm run demo-service`. It runs in this process and answers over HTTP. */
  startService: StartService;
}

interface WorkerFixtures {
  /** As `launch` and `startService`, but for a group of tests (beforeAll): each finds the window as the previous test left it. */
  launchForAll: Launch;
  startServiceForAll: StartService;
  /** The program behind `sharedPage`. It meets a full disk while a file says so (full-disk.mjs). */
  sharedProgram: RunningConsole;
  /** The folders of `dialogs`. */
  dialogFolders: { saved: string; offered: string };
  /** A real keychain for the consoles of this worker; on Linux a Secret Service on a separate bus. */
  keychain: TestKeychain;
  /** One browser for all windows of this worker. A test of what the browser itself does or writes has its own. */
  sharedBrowser: SharedBrowser | undefined;
}

/**
 * Loads the window again, whose tests wanted it to complain or left things in its page, and forgets the complaints. What it has open is
 * there again.
 */
export async function reloadClean(page: Page): Promise<void> {
  await page.reload();
  // A screen's script is loaded after its frame is drawn.
  await page.waitForSelector('h1');
  forgetComplaints(page);
}

async function readSettings(page: Page): Promise<Settings> {
  const read = await page.evaluate(() => window.api.call['settings.read'](`settings-${Math.random()}`, {}));
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
}

async function saveSettings(page: Page, settings: Settings): Promise<void> {
  await page.evaluate(async (given) => {
    await window.api.call['settings.save'](`settings-${Math.random()}`, given);
    const line = new BroadcastChannel('changed');
    line.postMessage(['settings']);
    line.close();
  }, settings);
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  keychain: [
    async ({}, use) => {
      const keychain = await startTestKeychain();
      await use(keychain);
      await keychain.stop();
    },
    { scope: 'worker' },
  ],
  folder: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'address-console-test-'));
    await use(folder);
    removeFolder(folder);
  },
  sharedBrowser: [
    async ({}, use) => {
      const browser = await startSharedBrowser();
      await use(browser);
      await browser?.stop();
    },
    { scope: 'worker' },
  ],
  // Depends on `folder`, so that the consoles are closed before it is removed.
  launch: async ({ keychain, sharedBrowser, folder: _ }, use) => {
    const launcher = createLauncher(keychain, sharedBrowser);
    await use(launcher.launch);
    await launcher.closeAll();
  },
  launchForAll: [
    async ({ keychain, sharedBrowser }, use) => {
      const launcher = createLauncher(keychain, sharedBrowser);
      await use(launcher.launch);
      await launcher.closeAll();
    },
    { scope: 'worker' },
  ],
  dialogFolders: [
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'address-console-dialogs-'));
      await use({ saved: join(folder, 'saved'), offered: join(folder, 'offered') });
      removeFolder(folder);
    },
    { scope: 'worker' },
  ],
  dialogs: async ({ dialogFolders: { saved, offered } }, use) => {
    const empty = (folder: string) => {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
    };
    for (const folder of [saved, offered]) empty(folder);
    await use({
      saved,
      offer: (name, content) => {
        empty(offered);
        writeFileSync(join(offered, name), content);
      },
    });
    // The dialogs of a test without this fixture are cancelled.
    for (const folder of [saved, offered]) rmSync(folder, { recursive: true, force: true });
  },
  sharedProgram: [
    async ({ keychain, sharedBrowser, dialogFolders: { saved, offered } }, use) => {
      const launcher = createLauncher(keychain, sharedBrowser);
      const env = { ADDRESS_CONSOLE_HOST_SAVE_FOLDER: saved, ADDRESS_CONSOLE_HOST_OPEN_FILE: offered };
      await use(
        await launcher.launch({ env, preload: resolve(import.meta.dirname, '..', 'helpers', 'full-disk.mjs') }),
      );
      await launcher.closeAll();
    },
    { scope: 'worker' },
  ],
  sharedPage: async ({ sharedProgram }, use) => {
    // Until a test has set one there is no size of Playwright's, but the window's own.
    const size =
      sharedProgram.page.viewportSize() ??
      (await sharedProgram.page.evaluate(() => ({ width: window.innerWidth, height: window.innerHeight })));
    const settings = await readSettings(sharedProgram.page);
    await use(sharedProgram.page);
    // A test may have ended the window's process.
    const { page } = sharedProgram;
    const left = page.viewportSize();
    if (left !== null && JSON.stringify(left) !== JSON.stringify(size)) await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.mouse.move(0, 0);
    if (JSON.stringify(settings) !== JSON.stringify(await readSettings(page))) await saveSettings(page, settings);
    await page.evaluate(() => {
      for (const tabs of document.querySelectorAll('[data-screen] [role="tablist"]'))
        tabs.querySelector<HTMLElement>('[role="tab"]')?.click();
      // What a list was searched for belongs to no connection.
      const setText = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
      for (const field of document.querySelectorAll<HTMLInputElement>('[data-screen] input[aria-label]')) {
        if (field.value === '' || !/^(?:Filter|Find|Search) /.test(field.ariaLabel ?? '')) continue;
        setText?.call(field, '');
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }
    });
  },
  startService: async ({}, use) => {
    const services = createServices();
    await use(services.start);
    await services.stopAll();
  },
  startServiceForAll: [
    async ({}, use) => {
      const services = createServices();
      await use(services.start);
      await services.stopAll();
    },
    { scope: 'worker' },
  ],
});

/** Waits until a changed size or scheme is laid out and drawn and no colour transition runs. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const nextFrame = () => new Promise((drawn) => requestAnimationFrame(drawn));
    const dark = matchMedia('(prefers-color-scheme: dark)');
    while (document.documentElement.dataset.mantineColorScheme !== (dark.matches ? 'dark' : 'light')) await nextFrame();
    await nextFrame();
    await nextFrame();
    const ending = () =>
      document
        .getAnimations()
        .filter(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity);
    for (let moving = ending(); moving.length > 0; moving = ending())
      await Promise.allSettled(moving.map(({ finished }) => finished));
  });
}

/** Expects no accessibility finding and no violated policy in what the window shows now. `rules` limits axe to these rules. */
export async function expectClean(page: Page, rules?: string[]): Promise<void> {
  await settle(page);
  expect(await findViolations(page, rules)).toEqual([]);
  expect(complaintsOf(page)).toEqual([]);
}

/** Expects no finding in light, and in dark none about colours; `look` runs in each. Leaves the window in light, or as `left` says. */
export async function expectCleanInBoth(
  page: Page,
  look: (scheme: 'light' | 'dark') => Promise<void> = async () => {},
  left: 'light' | 'dark' = 'light',
): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await expectClean(page);
  await look('light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectClean(page, ['color-contrast', 'link-in-text-block']);
  await look('dark');
  if (left === 'light') await page.emulateMedia({ colorScheme: 'light' });
}

/** Goes to a place by its shortcut. */
export const goTo = (page: Page, place: Place) => page.keyboard.press(`ControlOrMeta+${placeIds.indexOf(place) + 1}`);

/** A screen by its name. Earlier screens stay in the page, hidden. */
export const screenOf = (page: Page, id: string) => page.locator(`[data-screen="${id}"]`);

/**
 * Waits until a dialog, menu or popover that was just opened has taken the focus for the last time. Mantine focuses its first field twice,
 * each time a moment after it is drawn, even if something else in it has the focus by then. Playwright's `press` and `fill` are two messages,
 * first the focus and then the key or the text, which would go to that field if it takes the focus in between.
 */
export async function focusTaken(opened: Locator): Promise<void> {
  await expect.poll(() => opened.evaluate((box) => box.contains(document.activeElement))).toBe(true);
  await opened.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}

/** Chooses an item of the menu that was just opened. */
export async function chooseItem(
  page: Page,
  name: RegExp | string,
  role: 'menuitem' | 'menuitemcheckbox' = 'menuitem',
) {
  await focusTaken(page.getByRole('menu'));
  await page.getByRole(role, { name }).press('Enter');
}

/** Presses a button by keyboard once it is enabled. */
export async function press(page: Page, name: RegExp | string): Promise<void> {
  const button = page.getByRole('button', { name }).first();
  await expect(button).toBeEnabled();
  await button.press('Enter');
}

/** Does something while another program writes to the database, so that what is to be saved waits. */
export async function whileNothingIsSaved(dataFolder: string, act: () => Promise<void>): Promise<void> {
  const other = new DatabaseSync(join(dataFolder, 'address-console.sqlite'));
  try {
    other.exec('BEGIN IMMEDIATE');
    await act();
  } finally {
    other.close();
  }
}

/** Saves a form and in the same task, before the save can have ended, presses a button that takes the form off the screen. */
export const saveAndLeave = async (form: Locator, way: Locator): Promise<void> =>
  form.evaluate(
    (element: HTMLFormElement, button: HTMLElement | null) => {
      element.requestSubmit();
      button?.click();
    },
    (await way.elementHandle()) as ElementHandle<HTMLElement> | null,
  );

/** A double click, of which the second click comes when what the first one draws is there. The pointer is then taken away. */
export async function doubleClick(page: Page, button: Locator, drawn: Locator): Promise<void> {
  // Near its beginning, where what is drawn in its place is too. Once it stands still: what is above it may still be drawn.
  await button.click({ position: { x: 20, y: 12 } });
  await expect(drawn).toBeVisible();
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await page.mouse.move(0, 0);
}

/**
 * Goes through the first run to the user's own service: its addresses, then a key into the only field for it. Each text is entered in one
 * piece, as by an input method: typing a hundred letters one by one takes longer than the program's start.
 */
export async function connectOwn(
  page: Page,
  service: Pick<Service, 'restBaseUrl' | 'soapUrl'>,
  key: string,
): Promise<void> {
  await page.getByRole('radio', { name: /Use your own service/ }).press('Space');
  for (const [label, text] of [
    ['Name', 'Wyebank'],
    ['REST base address', service.restBaseUrl],
    ['SOAP address', service.soapUrl],
  ] as const) {
    await page.getByRole('textbox', { name: label }).focus();
    await page.keyboard.insertText(text);
  }
  await press(page, 'Continue');
  await page.getByLabel('Key', { exact: true }).focus();
  await page.keyboard.insertText(key);
  await press(page, /Save it and test/);
}

/** Opens the palette and waits until it has the focus: letters typed before would go to the screen. */
export async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('combobox', { name: 'Find a command, screen or address' })).toBeFocused();
}

/** Types a search and makes it over REST, which costs credits that the service's meter shows. If there is only one way, presses Enter. */
export async function searchFor(page: Page, text: string): Promise<void> {
  await goTo(page, 'lookup');
  await expect(screenOf(page, 'lookup')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+l');
  await expect(page.getByRole('textbox', { name: 'Postcode, street, business or building' })).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
  // Waits for the prices of this text, which on a loaded machine are known some time after the last key.
  const bar = page.locator('.searchbar');
  await expect(bar.getByRole('button', { name: /^(?:Search|Show) · / })).toBeEnabled();
  await expect(bar.getByRole('button', { disabled: true })).toHaveCount(0);
  const overRest = bar.getByRole('button', { name: /^Over REST · / });
  const saved = await bar.getByRole('button', { name: /^Show · / }).isVisible();
  if (!saved && (await overRest.isVisible())) await overRest.press('Enter');
  else await page.keyboard.press('Enter');
}

/** Goes through the first run to the demo service, by keyboard. */
export async function startDemo(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start the demo service' }).press('Enter');
  const open = page.getByRole('button', { name: 'Open Lookup' });
  await expect(open).toBeEnabled();
  await open.press('Enter');
  await expect(page.getByRole('heading', { name: 'Lookup', level: 1 })).toBeVisible();
}

export { expect };
