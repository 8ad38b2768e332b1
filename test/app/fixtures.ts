import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe, { type RunOptions } from 'axe-core';
import { test as base, expect, type Page } from 'playwright/test';
import { readCommandLine } from '../../electron/demo-service/command-line.ts';
import { startDemoService } from '../../electron/demo-service/service.ts';
// Declares window.api, as the window's own code has it.
import type {} from '../../renderer/lib/calls/bridge.ts';
import type { Settings } from '../../shared/contract/app.ts';
import {
  type ConsoleOptions,
  launchConsole,
  type RunningConsole,
  type SharedBrowser,
  startSharedBrowser,
} from '../helpers/console.ts';
import { removeFolder } from '../helpers/folders.ts';
import { startTestKeychain, type TestKeychain } from '../helpers/secret-service.ts';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** A service of one's own: as a console sees it, another server on loopback. */
export interface Service {
  restBaseUrl: string;
  soapUrl: string;
  soapNamespace: string;
  /** Ends it, as a server that goes down does. */
  stop(): Promise<void>;
  demo: {
    lookupKey: string;
    masterKey: string;
    accountName: string;
    guid: string;
    licenceId: string;
    spentKey: string;
    sample: { postcode: string; premiseId: string; words: string; street: string };
  };
}

type Launch = (options?: ConsoleOptions & { ownBrowser?: boolean }) => Promise<RunningConsole>;
type StartService = (...args: string[]) => Promise<Service>;

interface Fixtures {
  /** A folder of the test's own, removed once every console that it started has ended. */
  folder: string;
  /** Starts the console; everything started is closed at the end of the test. */
  launch: Launch;
  /**
   * A window that the tests of a worker have one after the other, in a program that nothing special was given to. Each begins with a
   * service and a connection of its own (`connectBoth`) and ends without an open dialog, which the next could not begin with; settings,
   * size, scheme and the tab of each screen are put back.
   */
  sharedPage: Page;
  /** Starts a service of one's own, with the arguments of `npm run demo-service`. It answers over HTTP, out of this process. */
  startService: StartService;
}

interface WorkerFixtures {
  /** As `launch` and `startService`, for a group of tests (beforeAll): each finds the window as the one before it left it. */
  launchForAll: Launch;
  startServiceForAll: StartService;
  /** The program behind `sharedPage`. */
  sharedProgram: RunningConsole;
  /** A real keychain for the consoles of this worker: on Linux a Secret Service on a bus of its own. */
  keychain: TestKeychain;
  /** One browser for all windows of this worker. A test that looks at what the browser itself does or leaves has its own. */
  sharedBrowser: SharedBrowser | undefined;
}

/** Every message that the browser's security policy or the program's own pages put on the console. */
const complaints = new WeakMap<Page, string[]>();

function createLauncher(keychain: TestKeychain, sharedBrowser: SharedBrowser | undefined) {
  const running: RunningConsole[] = [];
  const launch: Launch = async ({ ownBrowser = false, ...options } = {}) => {
    const { DBUS_SESSION_BUS_ADDRESS } = keychain.env;
    const started = await launchConsole({
      ...options,
      browser: ownBrowser ? undefined : sharedBrowser,
      env: {
        ...(DBUS_SESSION_BUS_ADDRESS === undefined ? {} : { DBUS_SESSION_BUS_ADDRESS }),
        ADDRESS_CONSOLE_DEMO_PREMISES: '4000',
        ADDRESS_CONSOLE_DEMO_DAYS: '30',
        ...options.env,
      },
    });
    running.push(started);
    started.page.setDefaultTimeout(60_000);
    const heard: string[] = [];
    complaints.set(started.page, heard);
    started.page.on('console', (message) => {
      if (message.type() === 'error' || /content security policy/i.test(message.text())) heard.push(message.text());
    });
    started.page.on('pageerror', (error) => heard.push(error.message));
    return started;
  };
  return {
    launch,
    closeAll: async () => {
      for (const one of running) await one.close();
    },
  };
}

function createServices() {
  const running: (() => Promise<void>)[] = [];
  const start: StartService = async (...args) => {
    const given = readCommandLine(['--premises', '4000', ...args]);
    if (given.kind !== 'run') throw new Error(given.kind === 'bad' ? given.problem : 'No service was asked for.');
    const service = await startDemoService({ port: 0, ...given.options });
    running.push(service.stop);
    return service;
  };
  return {
    start,
    stopAll: async () => {
      await Promise.all(running.map((stop) => stop()));
    },
  };
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
  // Names `folder` so that the consoles are closed before it is removed.
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
  sharedProgram: [
    async ({ keychain, sharedBrowser }, use) => {
      const launcher = createLauncher(keychain, sharedBrowser);
      await use(await launcher.launch());
      await launcher.closeAll();
    },
    { scope: 'worker' },
  ],
  sharedPage: async ({ sharedProgram }, use) => {
    const { page } = sharedProgram;
    const size = page.viewportSize();
    const settings = await readSettings(page);
    await use(page);
    if (size !== null && JSON.stringify(size) !== JSON.stringify(page.viewportSize())) await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme: 'light' });
    if (JSON.stringify(settings) !== JSON.stringify(await readSettings(page))) await saveSettings(page, settings);
    await page.evaluate(() => {
      for (const tabs of document.querySelectorAll('[data-screen] [role="tablist"]'))
        tabs.querySelector<HTMLElement>('[role="tab"]')?.click();
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

/** WCAG 2.2 at AA with everything before it, and what is good practice beside it. */
const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];

/** What was asked for, a size or a scheme, is laid out and drawn, and no colour is on its way to another. */
export async function settle(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.documentElement.dataset.mantineColorScheme ===
      (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'),
  );
  await page.evaluate(async () => {
    const nextFrame = () => new Promise((drawn) => requestAnimationFrame(drawn));
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

/** No accessibility finding and no broken policy on what the window shows now; `rules`: these of axe's alone. */
export async function expectClean(page: Page, rules?: string[]): Promise<void> {
  await settle(page);
  // Without @axe-core/playwright, which reads half a megabyte into the page anew for each look, for frames that this page has not.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const options: RunOptions = {
    // Asked for by its tags, axe leaves out no rule that it counts as new: the size of targets is one.
    runOnly: rules ? { type: 'rule', values: rules } : { type: 'tag', values: axeTags },
    // What passes is not described: it is most of the work.
    resultTypes: ['violations'],
    // Style sheets are not fetched once more: no rule of these tags reads them.
    preload: false,
    // It looks at every element, shown or not, and finds nothing but what somebody should look at again.
    rules: { 'hidden-content': { enabled: false } },
  };
  const violations = await page.evaluate(async (given) => {
    // Screens left behind stay in the page, unseen, and were looked at when they were shown: axe would walk through them each time.
    const unseen = [...document.querySelectorAll('[data-screen]')].filter((screen) => !screen.checkVisibility());
    for (const screen of unseen)
      Object.defineProperties(screen, {
        childNodes: { value: [], configurable: true },
        children: { value: [], configurable: true },
      });
    try {
      return (await window.axe.run(given)).violations;
    } finally {
      for (const screen of unseen as { childNodes?: unknown; children?: unknown }[]) {
        delete screen.childNodes;
        delete screen.children;
      }
    }
  }, options);
  expect(
    violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ target, failureSummary }) => `${String(target)} ${failureSummary ?? ''}`).join(' | ')}`,
    ),
  ).toEqual([]);
  expect(complaints.get(page) ?? []).toEqual([]);
}

/** No finding in light, and none in dark of what colours can change; `look` has its turn in each. Leaves the window in light. */
export async function expectCleanInBoth(
  page: Page,
  look: (scheme: 'light' | 'dark') => Promise<void> = async () => {},
): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await expectClean(page);
  await look('light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectClean(page, ['color-contrast', 'link-in-text-block']);
  await look('dark');
  await page.emulateMedia({ colorScheme: 'light' });
}

/** A screen by its name: those left behind stay in the page, out of sight. */
export const screenOf = (page: Page, id: string) => page.locator(`[data-screen="${id}"]`);

/** Presses a button by the keyboard, once it can be. */
export async function press(page: Page, name: RegExp | string): Promise<void> {
  const button = page.getByRole('button', { name }).first();
  await expect(button).toBeEnabled();
  await button.press('Enter');
}

/**
 * Through the first run to a service of one's own: its addresses, then a key into the one field that takes it. Each comes in one piece,
 * as from an input method: a hundred letters one by one cost the window more than its start.
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

/** The palette, once it takes what is typed: letters that come before would be the screen's. */
export async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('combobox', { name: 'Find a command, screen or address' })).toBeFocused();
}

/** Types a search and asks for it over REST, which costs, so that a service's meter shows it; Enter alone where there is one way only. */
export async function searchFor(page: Page, text: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+1');
  await expect(screenOf(page, 'lookup')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+l');
  await expect(page.getByRole('textbox', { name: 'Postcode, street, business or building' })).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
  // Neither is pressed before the prices of this very text are known, which on a machine under load is after the last key.
  const bar = page.locator('.searchbar');
  await expect(bar.getByRole('button', { name: /^(?:Search|Show) · / })).toBeEnabled();
  await expect(bar.getByRole('button', { disabled: true })).toHaveCount(0);
  const overRest = bar.getByRole('button', { name: /^Over REST · / });
  const saved = await bar.getByRole('button', { name: /^Show · / }).isVisible();
  if (!saved && (await overRest.isVisible())) await overRest.press('Enter');
  else await page.keyboard.press('Enter');
}

/** Through the first run to the demo service, by keyboard. */
export async function startDemo(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start the demo service' }).press('Enter');
  const open = page.getByRole('button', { name: 'Open Lookup' });
  await expect(open).toBeEnabled();
  await open.press('Enter');
  await expect(page.getByRole('heading', { name: 'Lookup', level: 1 })).toBeVisible();
}

export { expect };
