import type { Page } from 'playwright/test';
import type { RunningDemo } from '../../electron/demo-service/service.ts';
import { type ConsoleOptions, launchConsole, type RunningConsole, type SharedBrowser } from '../helpers/console.ts';
import { readDemoOptions, startTestService } from '../helpers/demo-process.ts';
import type { TestKeychain } from '../helpers/secret-service.ts';

/** A service other than the built-in demo: for the program, a server on loopback. */
export type Service = RunningDemo;

export type Launch = (options?: ConsoleOptions & { ownBrowser?: boolean }) => Promise<RunningConsole>;
export type StartService = (...args: string[]) => Promise<Service>;

/** Every message that the browser's security policy or the program's pages wrote to the console. */
const complaints = new WeakMap<Page, string[]>();

function listen(page: Page): void {
  page.setDefaultTimeout(60_000);
  const heard: string[] = [];
  complaints.set(page, heard);
  page.on('console', (message) => {
    if (message.type() === 'error' || /content security policy/i.test(message.text())) heard.push(message.text());
  });
  page.on('pageerror', (error) => heard.push(error.message));
}

export const complaintsOf = (page: Page): readonly string[] => complaints.get(page) ?? [];
export const forgetComplaints = (page: Page): void => void complaints.get(page)?.splice(0);

/** Starts programs, each with a small demo, and closes them all at once. */
export function createLauncher(keychain: TestKeychain, sharedBrowser: SharedBrowser | undefined) {
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
    listen(started.page);
    const { crashWindow } = started;
    started.crashWindow = async () => {
      started.page = await crashWindow();
      listen(started.page);
      return started.page;
    };
    return started;
  };
  return {
    launch,
    closeAll: async () => {
      for (const one of running) await one.close();
    },
  };
}

/** Starts services in this process and stops them all at once. */
export function createServices() {
  const running: (() => Promise<void>)[] = [];
  const start: StartService = async (...args) => {
    const service = await startTestService({ port: 0, ...readDemoOptions(['--premises', '4000', ...args]) });
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
