import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright';

import { emptyConnectionDraft } from '../../shared/domain/connection.ts';
import { launchConsole } from '../helpers/console.ts';
import { startTestService } from '../helpers/demo-process.ts';
import { removeFolder } from '../helpers/folders.ts';
import { openRow } from '../helpers/rows.ts';
import { startTestKeychain } from '../helpers/secret-service.ts';

// Writes the README's pictures from the running program, on the demo service, in both schemes: `npm run screenshots`.

const target = resolve(import.meta.dirname, 'pictures');
mkdirSync(target, { recursive: true });

const press = async (page: Page, name: RegExp | string) => page.getByRole('button', { name }).first().press('Enter');
const settle = (page: Page) => page.waitForTimeout(700);

async function openPremise(page: Page, text: RegExp): Promise<void> {
  await openRow(page, page.getByRole('listbox').first(), text);
  await page.locator('address').waitFor();
}

type Shoot = (name: string) => Promise<void>;
const tab = async (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).press('Enter');

async function setUp(page: Page, shoot: Shoot): Promise<void> {
  await shoot('first-run');
  await press(page, 'Start the demo service');
  const open = page.getByRole('button', { name: 'Open Lookup' });
  await page.waitForFunction(() =>
    [...document.querySelectorAll('button')].some((one) => one.textContent?.includes('Open Lookup') && !one.disabled),
  );
  await shoot('first-run-test');
  await open.press('Enter');
  await page.getByRole('heading', { name: 'Lookup', level: 1 }).waitFor();
}

async function lookUp(page: Page, shoot: Shoot): Promise<void> {
  await page.keyboard.press('ControlOrMeta+l');
  await page.keyboard.type('HR10 9ZX');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /No premise/ }).waitFor();
  await shoot('lookup-nothing');
  await page.keyboard.press('ControlOrMeta+l');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('HR10 2DT');
  await page.keyboard.press('Enter');
  await page.getByText('34 premises').waitFor();
  for (const row of [/^2 Tannery Row/, /Flat 1, 20/, /14 Tannery Row/]) await openPremise(page, row);
  await press(page, /Get UPRN/);
  await settle(page);
  await shoot('lookup');
  await press(page, 'Map, distances');
  await settle(page);
  await shoot('map');
  await page.keyboard.press('Escape');
  await press(page, /over SOAP/);
  await settle(page);
  await press(page, 'Compare');
  await settle(page);
  await shoot('side-by-side');
  await tab(page, 'Rewrite a request');
  const old =
    'https://lookup.example/v1/GetPremise?key=0123456789abcdef0123456789abcdef&id=00284147&includeGeoData=true';
  await page.locator('[data-screen="lookup"] textarea:visible').first().fill(old);
  await settle(page);
  await shoot('rewrite');
  await tab(page, 'Operations');
  await settle(page);
  await page.getByText('ReturnPremise_ByPostcode', { exact: true }).first().click();
  await page.getByRole('textbox', { name: 'Postcode', exact: true }).fill('HR10 2DT');
  await press(page, /^Call · 1 credit/);
  await page.getByText('34 rows').waitFor();
  await settle(page);
  await shoot('operations');
  await tab(page, 'Raw');
  await settle(page);
  await shoot('operations-raw');
  await tab(page, 'Search');
}

async function runBatch(page: Page, shoot: Shoot): Promise<void> {
  await tab(page, 'Batch');
  await press(page, /Try it with a sample/);
  await page.getByText('Understood as').waitFor();
  await page.getByRole('checkbox', { name: /The address in full/ }).press('Space');
  await settle(page);
  await shoot('batch-table');
  await press(page, /^Plan/);
  await page.getByRole('heading', { name: /credits/, level: 2 }).waitFor();
  await settle(page);
  await shoot('batch-plan');
  await press(page, /^Run ·/);
  await page.getByText(/rows in, \d+ rows out/).waitFor();
  await settle(page);
  await shoot('batch-result');
  await press(page, 'Batch');
  await tab(page, 'Search');
}

async function spend(page: Page, shoot: Shoot): Promise<void> {
  await page.keyboard.press('ControlOrMeta+2');
  await settle(page);
  await shoot('credits');
  for (const name of ['Ledger', 'Reconciliation', 'Caps and alerts']) {
    await tab(page, name);
    await settle(page);
    await shoot(`credits-${name.toLowerCase().replaceAll(' ', '-')}`);
  }
  await tab(page, 'Overview');
}

async function bind(page: Page, shoot: Shoot): Promise<void> {
  await page.keyboard.press('ControlOrMeta+3');
  await press(page, /Read licences/);
  const grid = page.getByRole('grid', { name: 'Licences' });
  await grid.waitFor();
  await openRow(page, grid, /Single Machine.*1 free/);
  await settle(page);
  await shoot('licences');
  await press(page, /Register to this machine/);
  await press(page, /Read and plan/);
  const name = page.getByRole('textbox', { name: /machine’s name/ });
  await name.waitFor();
  await shoot('change-plan');
  const machine = await page.evaluate(async () => {
    const info = await window.api.call['app.info']('shots-3', {});
    return info.ok ? info.value.machineName : '';
  });
  await name.fill(machine);
  await press(page, /^Register · price not published/);
  await page.getByText('seen as planned').first().waitFor();
  await settle(page);
  await shoot('change-receipt');
  await press(page, 'Back to the licences');
  await tab(page, 'Machines');
  await press(page, /^Ask this machine/);
  await settle(page);
  await shoot('machines');
  await tab(page, 'Bulk change');
  await press(page, 'Paste a table');
  await page
    .getByRole('textbox', { name: /Rows from a spreadsheet/ })
    .fill(
      'licence,machine\nDR0229585,HFD-LT-0301\nDR0229585,HFD-LT-0301\nDR0229659,HFD-LT-0302\nDR9999999,HFD-LT-0303\n',
    );
  await press(page, 'Look through it');
  await settle(page);
  await press(page, /and plan/);
  await settle(page);
  await shoot('bulk');
  await tab(page, 'Journal');
  await settle(page);
  await shoot('journal');
}

async function lookRound(page: Page, shoot: Shoot): Promise<void> {
  await page.keyboard.press('ControlOrMeta+4');
  await settle(page);
  await shoot('activity');
  await page.keyboard.press('ControlOrMeta+5');
  await press(page, /Test · free/);
  await settle(page);
  await shoot('connections');
  await page.keyboard.press('ControlOrMeta+6');
  await settle(page);
  await shoot('settings');
  const settings = page.locator('[data-screen="settings"]');
  await settings.getByRole('button', { name: 'Check the network · free' }).press('Enter');
  await settings.getByText(/^All reached/).waitFor();
  await settings
    .getByRole('heading', { name: 'Network check' })
    .evaluate((heading) => heading.scrollIntoView({ block: 'start' }));
  await settle(page);
  await shoot('network');
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('tan');
  await settle(page);
  await shoot('palette');
  await page.keyboard.press('Escape');
}

/** Shows a service that stops answering during a call and is then stopped. */
async function goWrong(page: Page, shoot: Shoot): Promise<void> {
  const service = await startTestService({ premises: 4000 });
  try {
    await page.evaluate(
      async ([draft, key]) => {
        await window.api.call['settings.save']('shots-5', { timeoutSeconds: 2 });
        const saved = await window.api.call['connections.save']('shots-6', { id: null, draft });
        if (!saved.ok) throw new Error(saved.error.message);
        const connectionId = saved.value.connection.id;
        const secret = { connectionId, role: 'lookup-key', label: 'Contact centre', value: key } as const;
        await window.api.call['secrets.put']('shots-7', secret);
        await window.api.call['connections.select']('shots-8', { connectionId });
      },
      [
        { ...emptyConnectionDraft, name: 'Wyebank', restBaseUrl: service.restBaseUrl, soapUrl: service.soapUrl },
        service.demo.lookupKey,
      ] as const,
    );
    await page.keyboard.press('ControlOrMeta+1');
    await page.getByText('Wyebank').first().waitFor();
    await settle(page);
    await page.keyboard.press('ControlOrMeta+l');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('HR10 2DT');
    await page.keyboard.press('Enter');
    await page.getByText('34 premises').waitFor();
    service.faults.set({ kind: 'hang', on: 'GetPremise' });
    await openRow(page, page.getByRole('listbox').first(), /The Old Bark House/);
    await page
      .getByText(/No complete answer/)
      .first()
      .waitFor();
    await page.waitForTimeout(1500);
    await shoot('unknown-outcome');
  } finally {
    await service.stop();
  }
  await page.keyboard.press('ControlOrMeta+l');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('HR10 2DW');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /did not accept a connection/ }).waitFor();
  await settle(page);
  await shoot('failed');
}

/** Shows screens as at 200 % zoom: half the space, so one pane at a time. */
async function zoom(page: Page, shoot: Shoot): Promise<void> {
  await page.keyboard.press('ControlOrMeta+1');
  await page.setViewportSize({ width: 640, height: 400 });
  await settle(page);
  await shoot('lookup-zoom-200');
}

const keychain = await startTestKeychain();
const { DBUS_SESSION_BUS_ADDRESS } = keychain.env;
for (const scheme of ['light', 'dark'] as const) {
  const dataFolder = mkdtempSync(join(tmpdir(), 'address-console-pictures-'));
  const running = await launchConsole({
    dataFolder,
    env: {
      // As on a real screen, where scrollbars take up space.
      ADDRESS_CONSOLE_HOST_SCROLLBARS: '1',
      ...(DBUS_SESSION_BUS_ADDRESS === undefined ? {} : { DBUS_SESSION_BUS_ADDRESS }),
    },
  });
  const { page } = running;
  await page.evaluate(async (colourScheme) => {
    await window.api.call['settings.save']('shots-2', { colourScheme });
  }, scheme);
  try {
    const shoot: Shoot = async (name) => {
      await page.screenshot({ path: join(target, `${name}-${scheme}.png`) });
      console.error(`${name}-${scheme}.png`);
    };
    for (const part of [setUp, lookUp, runBatch, spend, bind, lookRound, goWrong, zoom]) await part(page, shoot);
  } finally {
    await running.close();
    removeFolder(dataFolder);
  }
}
await keychain.stop();
